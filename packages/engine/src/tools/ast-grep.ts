import * as z from 'zod';
import { MAX_CHARS } from './codebase-search.ts';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const DEFAULT_HITS = 50;
const MOST_HITS = 500;
/** Further matches are only counted up to so many. */
const MOST_COUNTED = 10_000;

/** What a search and a rewrite are told alike. */
export const STRUCTURE = {
  pattern: z
    .string()
    .min(1)
    .describe('code of the language; $X is any one node, $$$X any number of them, the same name the same code'),
  lang: z.string().optional().describe('default: each file by its own language'),
  paths: z.array(z.string()).max(100).optional(),
};

export const astGrep = defineTool({
  name: 'ast_grep',
  description:
    'Finds code by shape. Spacing does not matter, strings and comments never match: `if ($X != null) $X.dispose()`, `foo($$$ARGS)`.',
  access: 'read',
  rare: true,
  parameters: z.object({ ...STRUCTURE, limit: z.int().optional() }),
  paths: ({ paths = [] }) => paths,
  run: async ({ pattern, lang, paths = [], limit = DEFAULT_HITS }, context: ToolContext<SessionServices>) => {
    const { services, signal } = context;
    const { matchLines, searchNotes, StructuralSearch } = await import('@black-ide/intel');
    const search = new StructuralSearch({
      root: services.root,
      pattern,
      ...(lang === undefined ? {} : { language: lang }),
      ...(paths.length > 0 ? { paths: paths.map((path) => services.resolve(path, 'read').relative) } : {}),
      mayRead: (path) => services.mayRead(path),
      signal,
    });
    const most = Math.min(Math.max(limit, 1), MOST_HITS);
    const lines: string[] = [];
    let found = 0;
    let files = 0;
    let length = 0;
    for await (const file of search.files()) {
      files += 1;
      for (const line of matchLines(file)) {
        found += 1;
        if (found > most || length > MAX_CHARS) continue;
        length += line.length;
        if (length <= MAX_CHARS) lines.push(line);
      }
      if (found >= MOST_COUNTED) break;
    }
    const more = found - lines.length;
    const notes = [
      ...(found === 0 ? [`nothing matches in ${search.report.files} files`] : []),
      ...(more > 0
        ? [`${more}${found >= MOST_COUNTED ? ' or more' : ''} further matches: name paths, or a narrower pattern`]
        : []),
      ...searchNotes(search.report),
    ];
    const text = [...lines, ...notes.map((note) => `[${note}]`)].join('\n');
    return textResult(text, { kind: 'ast_grep', pattern, matches: found, files });
  },
});
