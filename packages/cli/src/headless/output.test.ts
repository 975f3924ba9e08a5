import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { OutputStream } from '../world.ts';
import { Output } from './output.ts';

/** A stream whose writes end when the test says so, or fail. */
class SlowStream extends Writable {
  readonly written: string[] = [];
  #done: ((error?: Error | null) => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.written.push(chunk.toString());
    this.#done = done;
  }

  finish(error?: Error): void {
    this.#done?.(error);
  }
}

describe('Output', () => {
  it('IDE-83 flushes: waits until everything written has left the process', async () => {
    const stream = new SlowStream();
    const output = new Output(stream as OutputStream);
    let flushed = false;
    output.write('a');
    output.line('b');
    const flush = output.flush().then(() => {
      flushed = true;
    });
    stream.finish();
    await new Promise(setImmediate);
    expect(flushed).toBe(false);
    stream.finish();
    await flush;
    expect(stream.written).toEqual(['a', 'b\n']);
  });

  it('IDE-83 notices a reader that is behind', () => {
    const output = new Output(new SlowStream() as OutputStream);
    expect(output.isBehind).toBe(false);
    output.write('x'.repeat(2_000_000));
    expect(output.isBehind).toBe(true);
  });

  it('IDE-83 bears a reader that went away, and tells once', async () => {
    const stream = new SlowStream();
    const output = new Output(stream as OutputStream);
    let told = 0;
    output.onceClosed(() => told++);
    output.write('a');
    stream.finish(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await output.flush();
    await new Promise(setImmediate);
    output.write('b');
    await output.flush();
    expect(told).toBe(1);
    expect(output.isClosed).toBe(true);
    expect(stream.written).toEqual(['a']);
  });

  it('keeps any other failure to be told of', async () => {
    const stream = new SlowStream();
    const output = new Output(stream as OutputStream);
    output.write('a');
    stream.finish(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    await output.flush();
    expect(output.isClosed).toBe(false);
    expect(output.failure?.message).toBe('write ENOSPC');
  });

  it('IDE-88 draws to 80 columns where the terminal does not say', () => {
    expect(new Output(Object.assign(new SlowStream(), { columns: 0 }) as OutputStream).columns).toBe(80);
    expect(new Output(new SlowStream() as OutputStream).columns).toBe(80);
    expect(new Output(Object.assign(new SlowStream(), { columns: 40 }) as OutputStream).columns).toBe(40);
  });
});
