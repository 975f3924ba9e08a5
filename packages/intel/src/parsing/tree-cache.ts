import { Edit, type Tree } from 'web-tree-sitter';
import type { Language } from './language.ts';
import type { LineTable } from './line-table.ts';

/** A syntax tree with the text that it was made from. */
export interface KeptTree {
  language: Language;
  text: string;
  lines: LineTable;
  tree: Tree;
}

/** Longer texts, in UTF-16 units, are not kept: their trees take megabytes. */
const MAX_LENGTH = 200 * 1024;
const MAX_TREES = 4;

/** Trees of the files that were parsed last, so that the next parse of one has to look only at what changed. */
export class TreeCache {
  readonly #kept = new Map<string, KeptTree>();

  /** Takes a tree over, unless it is too large. @returns whether it did */
  keep(path: string, kept: KeptTree): boolean {
    this.#drop(path);
    if (kept.text.length > MAX_LENGTH) return false;
    this.#kept.set(path, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_TREES && oldest !== undefined) this.#drop(oldest);
    return true;
  }

  /** The tree of a file, edited to fit its new text; the caller deletes it. Undefined where there is none. */
  take(path: string, language: Language, text: string, lines: LineTable): Tree | undefined {
    const kept = this.#kept.get(path);
    if (!kept) return undefined;
    // A tree with errors in it may be repaired in another way than a new one.
    if (kept.language !== language || kept.tree.rootNode.hasError) {
      this.#drop(path);
      return undefined;
    }
    this.#kept.delete(path);
    kept.tree.edit(editBetween(kept, text, lines));
    return kept.tree;
  }

  clear(): void {
    for (const path of [...this.#kept.keys()]) this.#drop(path);
  }

  #drop(path: string): void {
    this.#kept.get(path)?.tree.delete();
    this.#kept.delete(path);
  }
}

/** The one edit that makes a text of another: all but what both begin and end with. */
function editBetween(old: KeptTree, text: string, lines: LineTable): Edit {
  const shorter = Math.min(old.text.length, text.length);
  let start = 0;
  while (start < shorter && old.text.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    old.text.charCodeAt(old.text.length - 1 - same) === text.charCodeAt(text.length - 1 - same)
  ) {
    same += 1;
  }
  const oldEnd = old.text.length - same;
  const newEnd = text.length - same;
  return new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: old.lines.pointAt(start),
    oldEndPosition: old.lines.pointAt(oldEnd),
    newEndPosition: lines.pointAt(newEnd),
  });
}
