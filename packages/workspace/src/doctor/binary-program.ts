import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of ELF, of Mach-O (both byte orders, 64 bit, universal) and of Windows programs. */
const MAGIC = ['7f454c46', 'cffaedfe', 'feedfacf', 'cefaedfe', 'feedface', 'cafebabe', '4d5a'];

/** Whether a file is a compiled program, and no script. */
export function isBinaryProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // Not there, or not to be read: nothing that could be run.
    return false;
  }
  const text = head.toString('hex');
  return MAGIC.some((magic) => text.startsWith(magic));
}
