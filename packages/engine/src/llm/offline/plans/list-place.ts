import { looksLikePath } from '../code/file-kind.ts';
import { splitWords } from '../code/words.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { find } from './find.ts';
import { listFolder } from './list-folder.ts';
import { locate } from './locate.ts';
import { showTree } from './show-tree.ts';

/** List DIR; what is no folder here is looked for by its name, then as a word. */
export function* listPlace(path: string | undefined, tree: boolean, tools: ToolSet): Plan {
  if (path === undefined || path === '.')
    return tree ? yield* showTree(undefined, tools) : yield* listFolder(undefined);
  const listing = tree ? yield* showTree(path, tools) : yield* listFolder(path);
  if (!listing.startsWith('I could not list') || /Refused/i.test(listing)) return listing;
  const found = (yield* locate(path, tools)).filter((each) => each.endsWith('/'));
  if (found.length === 1) return tree ? yield* showTree(found[0], tools) : yield* listFolder(found[0]);
  const words = splitWords(path);
  if (looksLikePath(path) || words.length === 0) return listing;
  return yield* find({ phrases: [], names: [], words, wants: 'any' }, tools, {
    all: true,
    lead: `There is no folder ${path} here, so I looked for the word.`,
  });
}
