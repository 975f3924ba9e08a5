import type { HostEvent } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { WireDiagnostics } from './wire-diagnostics.ts';

const never = new AbortController().signal;

function open() {
  const events: HostEvent[] = [];
  return { events, port: new WireDiagnostics((event) => events.push(event)) };
}

describe('WireDiagnostics', () => {
  it('INT-16 asks the face and takes its answer, counted from 0', async () => {
    const { events, port } = open();
    const asked = port.diagnosticsOf(['/a', '/b'], { written: true }, never);
    expect(events).toEqual([
      { type: 'HostAsked', requestId: 'host-1', port: 'diagnostics', paths: ['/a', '/b'], written: true },
    ]);
    port.answered('host-7', []);
    port.answered('host-1', [
      { path: '/a', diagnostics: [{ line: 3, column: 1, severity: 1, message: 'bad', code: 'x' }] },
    ]);
    port.answered('host-1', []);
    const start = { line: 2, character: 0 };
    expect([...(await asked)]).toEqual([
      ['/a', [{ range: { start, end: start }, severity: 1, message: 'bad', code: 'x' }]],
    ]);
  });

  it('INT-18 gives the question up with the signal, and tells the face', async () => {
    const { events, port } = open();
    const stop = new AbortController();
    const asked = port.diagnosticsOf(['/a'], { written: false }, stop.signal);
    stop.abort(new Error('late'));
    await expect(asked).rejects.toThrow('late');
    expect(events.at(-1)).toEqual({ type: 'HostAskWithdrawn', requestId: 'host-1' });
    await expect(port.diagnosticsOf(['/a'], { written: false }, stop.signal)).rejects.toThrow('late');
    expect(events).toHaveLength(2);
  });

  it('INT-18 hands on that something has changed, to those that listen still', () => {
    const { port } = open();
    let heard = 0;
    const stop = port.onChange(() => heard++);
    port.changed();
    stop();
    port.changed();
    expect(heard).toBe(1);
  });
});
