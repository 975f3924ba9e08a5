import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { GIT_IGNORE_FILE, OWN_IGNORE_FILE, repositoryAbove } from '../search/ignore-rules.ts';
import { isRecent } from './is-recent.ts';

/**
 * The state of the ignore files in a folder, never empty: two equal stamps mean equal rules.
 * @param path with a `/` at its end.
 * @param now milliseconds since the epoch.
 */
export function stampOf(path: string, now: number): string {
  return `${fileStamp(path + GIT_IGNORE_FILE, now)} ${fileStamp(path + OWN_IGNORE_FILE, now)}`;
}

/** The state of the ignore files above a root that count in it: those up to the top of its repository. */
export function stampAbove(root: string, now: number): string {
  const top = repositoryAbove(root);
  if (top === undefined) return '';
  const stamps = [top];
  for (let folder = root; folder !== top; ) {
    folder = dirname(folder);
    stamps.push(fileStamp(`${folder}/${GIT_IGNORE_FILE}`, now));
  }
  return stamps.join(' ');
}

function fileStamp(path: string, now: number): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return '-';
  // One that was written just now may change once more within the same tick: its stamp is never met again.
  const moment = isRecent(stats.mtimeMs, now) ? `at ${now}` : '';
  return `${stats.mode}:${stats.size}:${stats.mtimeMs}${moment}`;
}
