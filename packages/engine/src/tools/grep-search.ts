import { BlackError } from '@black-ide/protocol';
import { type GrepLine, type GrepResult, grep } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 300;
/** A search that takes longer was asked of the wrong folder. */
const MAX_SECONDS = 30;

export const grepSearch = defineTool({
  name: 'grep_search',
  description:
    'Searches files by regular expression (Rust syntax) or literal text. Answers `path:line:text`. Ignored files are left out.',
  access: 'read',
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional(),
    glob: z.string().optional().describe('e.g. *.ts'),
    ignore_case: z.boolean().optional(),
    literal: z.boolean().optional(),
    context: z.int().min(0).max(20).optional().describe('lines around'),
  }),
  paths: ({ path }) => (path === undefined ? [] : [path]),
  run: async (
    { pattern, path, glob, ignore_case, literal, context },
    { services, signal }: ToolContext<SessionServices>,
  ) => {
    const tooLong = AbortSignal.timeout(MAX_SECONDS * 1000);
    const found = await grep({
      root: services.root,
      pattern,
      ...(path === undefined ? {} : { path: services.resolve(path, 'read').relative }),
      ...(glob === undefined ? {} : { glob }),
      ignoreCase: ignore_case ?? false,
      literal: literal ?? false,
      context: context ?? 0,
      maxMatches: MAX_MATCHES,
      maxLineLength: MAX_LINE_CHARS,
      signal: AbortSignal.any([signal, tooLong]),
      processes: services.processes,
    }).catch((cause: unknown) => {
      if (!tooLong.aborted || signal.aborted) throw cause;
      throw new BlackError('too_slow', `The search took longer than ${MAX_SECONDS} s.`, 'Narrow it with path or glob.');
    });
    const details = { kind: 'search', pattern, matches: found.totalMatches, files: found.totalFiles };
    return textResult([...found.lines.map(lineText), footer(found)].join('\n'), details);
  },
});

function lineText({ path, line, text, isContext }: GrepLine): string {
  const mark = isContext ? '-' : ':';
  return `${path}${mark}${line}${mark}${text}`;
}

function footer({ shownMatches, totalMatches, totalFiles, cut, countStopped, unreadable }: GrepResult): string {
  if (totalMatches === 0) return `[no matches${unreadable > 0 ? `; ${unreadable} file(s) could not be read` : ''}]`;
  const total = `${totalMatches}${countStopped ? '+' : ''}`;
  const where = `in ${totalFiles} file${totalFiles === 1 ? '' : 's'}`;
  return cut
    ? `[${shownMatches} of ${total} matches ${where}; narrow the search with path or glob]`
    : `[${total} match${totalMatches === 1 ? '' : 'es'} ${where}]`;
}
