import { matchLines, StructuralSearch, searchNotes } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { relativeName } from '../code/relative-name.ts';
import { shapeAnswer } from './answer-schemas.ts';

const MOST_LISTED = 50;
/** Further matches are only counted up to so many. */
const MOST_COUNTED = 10_000;

/** Offers `ast_grep`, which only reads (INT-22). */
export function registerShapeTool(server: McpServer, root: string): void {
  server.registerTool(
    'ast_grep',
    {
      title: 'Code by its shape',
      description:
        'Finds code by its shape: a pattern is code in which $X is any one node and $$$X any number of them, the same name the same code; for example `if ($X != null) $X.dispose()`. Spacing does not matter, strings and comments never match.',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: z.object({
        pattern: z.string().min(1).max(10_000),
        language: z.string().optional().describe('only files of this language; otherwise each file by its own'),
        paths: z.array(z.string()).max(100).optional().describe('only these files, and what is below these folders'),
        limit: z.int().min(1).max(500).default(MOST_LISTED),
      }),
      outputSchema: shapeAnswer,
    },
    async ({ pattern, language, paths = [], limit }, { mcpReq: { signal } }): Promise<CallToolResult> => {
      try {
        const search = new StructuralSearch({
          root,
          pattern,
          ...(language === undefined ? {} : { language }),
          ...(paths.length > 0 ? { paths: paths.map((path) => relativeName(path, root)) } : {}),
          signal,
        });
        const { lines, ...answer } = await collect(search, limit);
        const cut =
          answer.found > answer.matches.length ? [`the first ${answer.matches.length} of ${answer.found}`] : [];
        const none = answer.found === 0 ? [`nothing matches in ${search.report.files} files`] : [];
        const notes = [...none, ...cut, ...searchNotes(search.report)].map((note) => `[${note}]`);
        return {
          content: [{ type: 'text', text: [...lines, ...notes].join('\n') }],
          structuredContent: { ...answer },
        };
      } catch (cause) {
        if (signal.aborted || !(cause instanceof BlackError)) throw cause;
        const { message, next } = BlackError.toValue(cause);
        return { content: [{ type: 'text', text: next ? `${message} ${next}` : message }], isError: true };
      }
    },
  );
}

async function collect(search: StructuralSearch, limit: number) {
  const lines: string[] = [];
  const matches: z.infer<typeof shapeAnswer>['matches'] = [];
  let found = 0;
  for await (const file of search.files()) {
    const room = limit - matches.length;
    found += file.matches.length;
    if (room > 0) lines.push(...matchLines(file).slice(0, room));
    for (const { start, end, captures } of file.matches.slice(0, Math.max(0, room))) {
      matches.push({
        path: file.path,
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
        captures: captures.map(({ name, text }) => ({ name, text })),
      });
    }
    if (found >= MOST_COUNTED) break;
  }
  return { found, matches, lines };
}
