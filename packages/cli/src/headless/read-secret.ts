import { StringDecoder } from 'node:string_decoder';
import { UsageError } from '../args/usage-error.ts';
import type { Io } from '../io.ts';
import type { InputStream } from '../world.ts';

/** Longer than any key: what is longer is no key. */
const MAX_CHARACTERS = 16_384;

/**
 * A secret: from a terminal without showing it, else the first line of standard input. Undefined: the person gave up
 * (Ctrl+C, Ctrl+D). Rejects with a UsageError where there is nothing.
 */
export async function readSecret(prompt: string, io: Io): Promise<string | undefined> {
  const { stdin } = io.world;
  const hidden = (await io.world.inputKind()) === 'terminal';
  if (hidden) io.err.write(prompt);
  const raw = stdin as InputStream & { setRawMode?(on: boolean): void };
  if (hidden) raw.setRawMode?.(true);
  try {
    const line = await firstLine(stdin);
    if (line === undefined) return undefined;
    if (line.trim() === '') throw new UsageError('No key came.', 'Type it, or send it over standard input.');
    return line;
  } finally {
    if (hidden) {
      raw.setRawMode?.(false);
      io.err.line('');
    }
    stdin.destroy();
  }
}

/** The first line, edited as it is typed: backspace and Ctrl+U take back. */
function firstLine(stream: InputStream): Promise<string | undefined> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  return new Promise((resolve, reject) => {
    const finish = (value: string | undefined) => {
      stream.off('data', onData).off('end', onEnd).off('error', reject);
      resolve(value);
    };
    const onEnd = () => finish(line);
    const onData = (chunk: Uint8Array | string) => {
      const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
      for (const character of text) {
        if (character === '\r' || character === '\n') return finish(line);
        if (character === '\u0003' || character === '\u0004') return finish(undefined);
        if (character === '\u007f' || character === '\b') line = line.slice(0, -1);
        else if (character === '\u0015') line = '';
        else if (line.length < MAX_CHARACTERS) line += character;
      }
    };
    stream.on('data', onData).once('end', onEnd).once('error', reject);
  });
}
