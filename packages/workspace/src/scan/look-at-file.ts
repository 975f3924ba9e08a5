import { lstatSync } from 'node:fs';
import { FileNews, type FileTree } from './file-tree.ts';
import { isRecent } from './is-recent.ts';

/**
 * Looks at a known file and takes down its time and size.
 * @param now milliseconds since the epoch.
 * @param path absolute.
 * @returns whether it must be read; `gone` where it is no regular file any more.
 */
export function lookAtFile(
  tree: FileTree,
  id: number,
  now: () => number = Date.now,
  path = tree.absolutePath(id),
): FileNews | 'gone' {
  let mtimeMs = -1;
  let bytes = -1;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return 'gone';
    mtimeMs = stats.mtimeMs;
    bytes = stats.size;
  } catch {
    // It is there, but may not be looked at: who reads it will say why.
  }
  const before = tree.news(id);
  if (before === FileNews.NONE && mtimeMs === tree.mtimeMs(id) && bytes === tree.bytes(id)) return before;
  const news = isRecent(mtimeMs, now()) ? FileNews.JUST_CHANGED : FileNews.CHANGED;
  tree.record(id, mtimeMs, bytes, news);
  return news;
}
