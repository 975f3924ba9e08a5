import { PassThrough } from 'node:stream';
import type { EngineEvent } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../engine-api.ts';
import { serveHost } from './serve-host.ts';

/** An engine that answers with the command it was given. */
function echoEngine(): Engine & { send(event: EngineEvent): void } {
  const listeners = new Set<(event: EngineEvent) => void>();
  return {
    execute: async () => ({ ok: true, value: {} }) as never,
    executeUnknown: async (input) =>
      input === undefined
        ? { ok: false, error: { code: 'unknown_command', message: 'none' } }
        : { ok: true, value: { echo: input } as never },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: async () => undefined,
    send: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

async function talk(lines: string[], during?: (engine: ReturnType<typeof echoEngine>) => void): Promise<unknown[]> {
  const engine = echoEngine();
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveHost(engine, input, output);
  during?.(engine);
  input.end(lines.join('\n'));
  await served;
  output.end();
  let text = '';
  for await (const chunk of output) text += chunk;
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('serveHost', () => {
  it('IDE-11 answers each command with its id, and a malformed line with a typed error, never a throw', async () => {
    const answers = await talk([
      '{"id":1,"command":{"type":"x"}}',
      '',
      'no json',
      '[]',
      '{"command":{}}',
      '{"id":"b"}',
      'null',
    ]);
    expect(answers).toContainEqual({ id: 1, result: { echo: { type: 'x' } } });
    expect(answers).toContainEqual({ id: 'b', error: { code: 'unknown_command', message: 'none' } });
    expect(
      answers.filter((line) => (line as { error?: { code: string } }).error?.code === 'malformed_line'),
    ).toHaveLength(4);
  });

  it('IDE-10 passes events on as they come', async () => {
    const event: EngineEvent = { type: 'QueueChanged', queue: [], sessionId: 's', seq: 1 };
    const answers = await talk([], (engine) => engine.send(event));
    expect(answers).toEqual([{ event }]);
  });
});
