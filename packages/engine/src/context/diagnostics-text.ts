import { relative } from 'node:path';
import type { Diagnostic, DiagnosticsNews, NewsKind } from '@black-ide/intel';

const SEVERITIES = ['', 'error', 'warning', 'info', 'hint'];
const MAX_MESSAGE = 300;

const HEADINGS: Record<NewsKind, string> = {
  new: 'New problems:',
  perhaps: 'Problems, may be earlier ones:',
  earlier: 'Earlier problems, not from this change:',
};

/** What a result tells the model of diagnostics that it does not know yet (INT-16 … INT-18). */
export function diagnosticsText({ lines, more, pending, settled, problems }: DiagnosticsNews, root: string): string {
  const groups = (['new', 'perhaps', 'earlier'] as const).flatMap((kind) => {
    const own = lines.filter((line) => line.kind === kind);
    return own.length > 0
      ? [HEADINGS[kind], ...own.map(({ path, diagnostic }) => diagnosticLine(path, diagnostic, root))]
      : [];
  });
  return [
    ...groups,
    ...(more > 0 ? [`… and ${more} more.`] : []),
    ...(pending.length > 0
      ? [`Diagnostics still pending (${pending.join(', ')}); they come with a later result.`]
      : []),
    ...(settled.length > 0 ? [`${settled.join(', ')}: done, no new problems.`] : []),
    ...problems.map((problem) => `Diagnostics are missing: ${problem}`),
  ].join('\n');
}

/** `src/a.ts:3:7 error 2322: Type 'string' …`, from the workspace and counted from 1. */
export function diagnosticLine(
  path: string,
  { range, severity, code, source, message }: Diagnostic,
  root: string,
): string {
  const { line, character } = range.start;
  const what = [SEVERITIES[severity], source, code].filter(Boolean).join(' ');
  const text = message.replaceAll(/\s+/g, ' ').trim();
  const short = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text;
  return `${relative(root, path)}:${line + 1}:${character + 1} ${what}: ${short}`;
}
