import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const READABLE = 40;

/**
 * The name of a workspace's folder under the state home: the readable tail of its real path and the first 8 digits of
 * the path's MD5, e.g. `notes-app-1f3870be`. Two folders may share a key by ill luck: compare real paths where it counts.
 */
export function workspaceKey(realPath: string): string {
  const tail = basename(realPath)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(-READABLE)
    .replace(/^[.-]+/, '');
  const hash = createHash('md5').update(realPath).digest('hex').slice(0, 8);
  return `${tail || 'root'}-${hash}`;
}
