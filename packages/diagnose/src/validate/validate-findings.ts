import { type Findings, findingsSchema } from '@black-ide/protocol';
import { codecOf, parsePatch, patchBytes } from '@black-ide/workspace';

/** What validation knows of a repository: nothing of it is changed. */
export interface Repository {
  /** All lines of a file of the repository; undefined where there is no such file. */
  lines(path: string): readonly string[] | undefined;
}

export type ValidationResult = { ok: true; findings: Findings } | { ok: false; problems: string[] };

/** A symbol stands in its range up to so many lines away: a decorator or a comment above belongs to it. */
const NEAR = 2;

/**
 * Checks what an explorer found (DX-4): every path exists, ranges lie inside the files, a named symbol stands in its range,
 * a patch applies. @returns each fault in words that a model can mend it by.
 */
export async function validateFindings(value: unknown, repository: Repository): Promise<ValidationResult> {
  const parsed = findingsSchema.safeParse(value);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.map(
        ({ path, message }) => `${path.length > 0 ? path.join('.') : 'the report'}: ${message}`,
      ),
    };
  }
  const findings = parsed.data;
  const problems = findings.affectedFiles.flatMap((each, at) => placeProblems(`affectedFiles.${at}`, each, repository));
  for (const [at, each] of findings.proposedChanges.entries()) {
    const name = `proposedChanges.${at}`;
    problems.push(...placeProblems(name, { ...each, symbol: null }, repository));
    if (each.patch !== undefined && !(await patchApplies(each.path, each.patch, repository))) {
      problems.push(`${name}.patch: it does not apply to ${each.path}`);
    }
  }
  return problems.length === 0 ? { ok: true, findings } : { ok: false, problems };
}

interface Place {
  path: string;
  startLine: number;
  endLine: number;
  symbol: string | null;
}

function placeProblems(name: string, { path, startLine, endLine, symbol }: Place, repository: Repository): string[] {
  const lines = repository.lines(path);
  if (lines === undefined) return [`${name}.path: there is no file ${path}`];
  if (endLine > lines.length) return [`${name}.endLine: ${path} has ${lines.length} lines, not ${endLine}`];
  if (symbol === null) return [];
  return standsIn(symbol, lines, startLine, endLine)
    ? []
    : [`${name}.symbol: ${symbol} does not stand in ${path}:${startLine}-${endLine}`];
}

/** Whether a symbol's own name is a word of these lines, or of those right beside them. */
export function standsIn(symbol: string, lines: readonly string[], startLine: number, endLine: number): boolean {
  const name = symbol
    .split(/[.:#>\\/]+/)
    .at(-1)!
    .replace(/\(.*$/, '')
    .trim();
  if (name === '') return false;
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u');
  return lines.slice(Math.max(0, startLine - 1 - NEAR), endLine + NEAR).some((line) => word.test(line));
}

/** Whether a unified diff of one file, with or without its head, fits the file as it is. */
async function patchApplies(path: string, patch: string, repository: Repository): Promise<boolean> {
  const lines = repository.lines(path);
  if (lines === undefined) return false;
  const head = `--- a/${path}\n+++ b/${path}\n`;
  const parsed = parsePatch(/^(?:---|diff |\*\*\*)/.test(patch) ? patch : head + patch);
  if (!parsed.ok) return false;
  const [file, ...others] = parsed.files;
  if (others.length > 0 || file.kind !== 'update' || file.path !== path || file.moveTo !== undefined) return false;
  const text = `${lines.join('\n')}\n`;
  const codec = await codecOf({ encoding: 'utf-8', bom: false });
  return codec !== undefined && patchBytes({ bytes: codec.encode(text), text, codec }, file.hunks).ok;
}
