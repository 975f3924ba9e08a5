import { parseEnvelope } from './parse-envelope.ts';
import { parseUnified } from './parse-unified.ts';
import { type FilePatch, type ParsedPatch, type PatchHunk, UnreadablePatch } from './patch.ts';

const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
const FENCE = /^\s*```[\w+-]*\s*$/;

/**
 * Reads a patch of one of the two kinds that models write: the envelope of OpenAI's `apply_patch` (`*** Begin Patch`,
 * sections `*** Add|Update|Delete File: path`, hunks under `@@` lines), or a unified diff, with git's headers or
 * without. Text before and behind the envelope, and a fence around either, are overlooked.
 */
export function parsePatch(patch: string): ParsedPatch {
  const lines = withoutFence(patch.split('\n'));
  try {
    const begin = lines.findIndex((line) => BEGIN.test(line));
    const files = begin < 0 ? parseUnified(lines) : parseEnvelope(lines.slice(begin + 1));
    const [first, ...rest] = joinUpdates(files);
    if (first) return { ok: true, files: [first, ...rest] };
    return { ok: false, message: 'The patch names no file. Begin it with `*** Begin Patch`, or with `--- a/path`.' };
  } catch (error) {
    if (error instanceof UnreadablePatch) return { ok: false, message: error.message };
    throw error;
  }
}

function withoutFence(lines: string[]): string[] {
  const filled = lines.findIndex((line) => line.trim() !== '');
  if (filled < 0 || !FENCE.test(lines[filled]!)) return lines;
  const end = lines.findLastIndex((line) => /^\s*```\s*$/.test(line));
  return end > filled ? lines.slice(filled + 1, end) : lines.slice(filled + 1);
}

/** Several sections that update one file are one; anything else that is named twice has no single meaning. */
function joinUpdates(files: readonly FilePatch[]): FilePatch[] {
  const joined: FilePatch[] = [];
  const targets = new Set<string>();
  for (const file of files) {
    const earlier = joined.find(({ path }) => path === file.path);
    if (earlier?.kind === 'update' && file.kind === 'update' && !earlier.moveTo && !file.moveTo) {
      const hunks: PatchHunk[] = [...earlier.hunks, ...file.hunks];
      joined[joined.indexOf(earlier)] = { ...earlier, hunks };
      continue;
    }
    for (const path of [file.path, ...(file.kind === 'update' && file.moveTo ? [file.moveTo] : [])]) {
      if (targets.has(path))
        throw new UnreadablePatch(`The patch names ${path} twice. Put all of a file in one section.`);
      targets.add(path);
    }
    joined.push(file);
  }
  return joined;
}
