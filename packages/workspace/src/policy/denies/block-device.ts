import { posix } from 'node:path';
import { matchesGlob } from '../shell/glob-match.ts';
import { isGlob } from '../shell/markers.ts';

const DEVICE =
  /^\/dev\/((sd|hd|vd|xvd|s?nvd)[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|mapper\/[^c]|loop\d|nbd\d|zd\d|pmem\d|block\/|disk\/|vg[^/]*\/)/;
const SAMPLES = ['sda', 'sda1', 'sdb', 'hda', 'vda', 'xvda', 'nvme0n1', 'mmcblk0', 'disk0', 'rdisk0'];

/** Whether a path means a disk or a partition itself, relative paths taken from any of the folders. */
export function isBlockDevice(path: string, cwds: readonly string[]): boolean {
  const bases = path.startsWith('/') ? ['/'] : cwds;
  return bases.some((base) => {
    const absolute = posix.join('/', base, path);
    if (!absolute.startsWith('/dev/')) return false;
    if (!isGlob(absolute)) return DEVICE.test(absolute);
    return SAMPLES.some((name) => matchesGlob(absolute, `/dev/${name}`));
  });
}
