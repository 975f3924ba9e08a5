import { delimiter, isAbsolute, sep } from 'node:path';
import { realPathOf } from '../stores/real-path.ts';

/**
 * A search path for commands (`PATH`) without what lies in a folder: relative and empty entries mean the folder that a
 * command runs in, and `node_modules/.bin` of a stranger may have a program called `ls`.
 */
export function safeSearchPath(path: string, folder: string): string {
  const root = realPathOf(folder);
  return path
    .split(delimiter)
    .filter((entry) => {
      const real = isAbsolute(entry) ? realPathOf(entry) : root;
      return real !== root && !real.startsWith(root + sep);
    })
    .join(delimiter);
}
