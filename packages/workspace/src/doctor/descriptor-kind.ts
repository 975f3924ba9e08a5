import { fstatSync, type Stats } from 'node:fs';
import { isatty } from 'node:tty';

/** What an open descriptor is: a `pipe` is a shell's, a `socket` mostly another program's. */
export type DescriptorKind = 'terminal' | 'file' | 'pipe' | 'socket' | 'other';

/** What the descriptor of this process is connected to; `other` where it is closed or a device such as /dev/null. */
export function descriptorKind(descriptor: number): DescriptorKind {
  if (isatty(descriptor)) return 'terminal';
  const stats = statsOf(descriptor);
  if (stats?.isFIFO()) return 'pipe';
  if (stats?.isSocket()) return 'socket';
  return stats?.isFile() ? 'file' : 'other';
}

function statsOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    // A closed descriptor is connected to nothing.
    return undefined;
  }
}
