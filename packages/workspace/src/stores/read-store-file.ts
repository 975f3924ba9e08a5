import { readFileSync } from 'node:fs';
import { errnoOf } from './errno.ts';

/** The text of a file of the state home; undefined where there is none. @throws the system's error for any other reason. */
export function readStoreFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cause;
  }
}
