import { existsSync } from 'node:fs';

/** Whether something lies at a path of the system: for signs that a program has a certain part. */
export function pathExists(path: string): boolean {
  return existsSync(path);
}
