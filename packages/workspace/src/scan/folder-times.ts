import { statfsSync } from 'node:fs';

/** Numbers of file systems, see statfs(2): ext, XFS, Btrfs, F2FS, ZFS, tmpfs, overlay. */
const KEEPING = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630]);

/**
 * Whether the file system of a folder can be relied on to change the ctime of a folder with every name that comes, goes or
 * is another: then the names need not be read to see that they are the same. Known of Linux's own ones; file systems of
 * other machines cache times, some keep none.
 */
export function keepsFolderTimes(folder: string): boolean {
  return process.platform === 'linux' && KEEPING.has(statfsSync(folder).type >>> 0);
}
