import type { Io } from '../io.ts';
import { decodeInput } from './decode-input.ts';

/** The lines of standard input that are not empty, read to its end. */
export async function readLines(io: Io): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.world.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  // Bytes that are no text stay visible as such: nothing is warned of, since nothing runs.
  return decodeInput(Buffer.concat(chunks))
    .text.split(/\r?\n/)
    .filter((line) => line.trim() !== '');
}
