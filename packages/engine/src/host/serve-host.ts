import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BlackError, type HostLine } from '@black-ide/protocol';
import type { Engine } from '../engine-api.ts';

/** A command larger than this is refused: images are sent inside commands, books are not. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Serves an engine over NDJSON (architecture: Processes and wires): a line `{id, command}` in, `{id, result}` or
 * `{id, error}` out, and `{event}` in between. Never throws on a bad line. Resolves when the input ends.
 */
export async function serveHost(engine: Engine, input: Readable, output: Writable): Promise<void> {
  const send = (line: HostLine) => {
    if (!output.destroyed) output.write(`${JSON.stringify(line)}\n`);
  };
  const unsubscribe = engine.onEvent((event) => send({ event }));
  const answering = new Set<Promise<void>>();
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      const answer = answerLine(engine, line).then(send);
      answering.add(answer);
      void answer.finally(() => answering.delete(answer));
    }
    await Promise.all(answering);
  } finally {
    unsubscribe();
  }
}

async function answerLine(engine: Engine, line: string): Promise<HostLine> {
  if (line.length > MAX_LINE) return failed(null, 'line_too_long', `A line may have ${MAX_LINE} characters.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    return failed(null, 'malformed_line', `The line is not JSON: ${BlackError.toValue(cause).message}`);
  }
  const { id, command } = (parsed ?? {}) as { id?: unknown; command?: unknown };
  if (typeof id !== 'number' && typeof id !== 'string') {
    return failed(null, 'malformed_line', 'A line is `{"id": …, "command": {…}}`.');
  }
  const result = await engine.executeUnknown(command);
  return result.ok ? { id, result: result.value } : { id, error: result.error };
}

function failed(id: null, code: string, message: string): HostLine {
  return { id, error: { code, message } };
}
