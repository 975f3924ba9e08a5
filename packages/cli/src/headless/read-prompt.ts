import { UsageError } from '../args/usage-error.ts';
import { type Io, warn } from '../io.ts';
import type { InputKind, InputStream } from '../world.ts';
import { decodeInput } from './decode-input.ts';
import { orAborted } from './interrupts.ts';

/** The most that is read from standard input. */
const MAX_BYTES = 64 * 1024 * 1024;

/** How long standard input may stay silent before a person is told, in milliseconds. */
const SILENCE_MS = 3_000;

/**
 * The prompt: the words of the command line, and below them what standard input brings when it is no terminal.
 * Rejects with a UsageError when both are empty, and with the signal's reason when aborted.
 *
 * A shell's pipe is read to its end. A program that started us with a socket it never closes must not hang us: where
 * such a one stays silent and the command line has a prompt, that prompt is all.
 */
export async function readPrompt(words: string, io: Io, signal: AbortSignal): Promise<string> {
  const kind = await io.world.inputKind();
  const given = words.trim();
  const piped = kind === 'terminal' ? '' : await readInput(io, kind, given !== '', signal);
  const prompt = [given, piped.trim() === '' ? '' : piped].filter((part) => part !== '').join('\n\n');
  if (prompt !== '') return prompt;
  throw new UsageError('The prompt is empty.', 'black -p "Where is the config file read?"');
}

async function readInput(io: Io, kind: InputKind, hasPrompt: boolean, signal: AbortSignal): Promise<string> {
  const stdin = io.world.stdin;
  const reading = new AbortController();
  const chunks = collect(stdin, reading.signal);
  const quiet = watchSilence(io, kind, hasPrompt, chunks.first, reading);
  try {
    const bytes = await orAborted(chunks.all, signal);
    const { text, warnings } = decodeInput(bytes);
    for (const warning of warnings) warn(io, warning);
    return text;
  } finally {
    reading.abort();
    await quiet;
  }
}

/** Tells of a silent standard input, and gives a silent socket up where there is a prompt already. */
async function watchSilence(
  io: Io,
  kind: InputKind,
  hasPrompt: boolean,
  first: Promise<void>,
  reading: AbortController,
): Promise<void> {
  if (kind === 'file') return;
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  reading.signal.addEventListener('abort', stop, { once: true });
  first.then(stop);
  const silent = await io.world.clock.sleep(SILENCE_MS, waiting.signal).then(
    () => true,
    () => false,
  );
  if (!silent) return;
  if (kind === 'socket' && hasPrompt) {
    warn(io, 'Nothing came over standard input in 3 s; going on without it (close it, or use </dev/null).');
    reading.abort();
  } else {
    warn(io, 'Waiting for standard input to end (use </dev/null when nothing is to come).');
  }
}

/** Reads a stream to its end, or to the abort: then what came so far counts. */
function collect(stream: InputStream, signal: AbortSignal): { first: Promise<void>; all: Promise<Uint8Array> } {
  const first = Promise.withResolvers<void>();
  const all = Promise.withResolvers<Uint8Array>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onData = (chunk: Uint8Array | string): void => {
    first.resolve();
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    chunks.push(bytes);
    if (size > MAX_BYTES) {
      finish();
      all.reject(
        new UsageError('Standard input is larger than 64 MB.', 'Save it in a file and name the file in the prompt.'),
      );
    }
  };
  const onError = (error: Error): void => {
    finish();
    all.reject(new UsageError(`Standard input cannot be read: ${error.message}`));
  };
  const onEnd = (): void => {
    finish();
    all.resolve(Buffer.concat(chunks));
  };
  const finish = (): void => {
    first.resolve();
    signal.removeEventListener('abort', onEnd);
    stream.off('data', onData).off('end', onEnd).off('error', onError);
    // What goes wrong with an input that nobody reads any more is no news.
    stream.on('error', () => undefined);
    if (!stream.readableEnded) stream.destroy();
  };
  if (stream.readableEnded || stream.destroyed) return { first: Promise.resolve(), all: Promise.resolve(Buffer.of()) };
  signal.addEventListener('abort', onEnd, { once: true });
  stream.on('data', onData).on('end', onEnd).on('error', onError);
  return { first: first.promise, all: all.promise };
}
