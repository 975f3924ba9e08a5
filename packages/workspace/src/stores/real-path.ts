import { resolve } from 'node:path';
import { resolveLinks } from '../paths/resolve-links.ts';

/**
 * Where a path really leads: absolute, every symbolic link resolved, whether or not something is there. A path that
 * cannot be followed (a circle of links, a folder without permission) stays as it is written.
 */
export function realPathOf(path: string): string {
  const absolute = resolve(path);
  const resolution = resolveLinks(absolute);
  return resolution.ok ? resolution.real : absolute;
}
