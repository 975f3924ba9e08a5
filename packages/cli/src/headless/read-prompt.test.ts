import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../args/usage-error.ts';
import { TestWorld, type TestWorldOptions } from '../testing/test-world.ts';
import { Output } from './output.ts';
import { readPrompt } from './read-prompt.ts';

function reading(words: string, options: TestWorldOptions, signal = new AbortController().signal) {
  const world = new TestWorld(options);
  const io = { world, out: new Output(world.stdout), err: new Output(world.stderr) };
  return { world, prompt: readPrompt(words, io, signal) };
}

async function asleep(world: TestWorld): Promise<void> {
  while (world.sleeping === 0) await new Promise(setImmediate);
}

describe('readPrompt', () => {
  it('IDE-83 adds standard input to the words', async () => {
    expect(await reading('why?', { input: 'line\n' }).prompt).toBe('why?\n\nline\n');
    expect(await reading('', { input: 'just this' }).prompt).toBe('just this');
    expect(await reading('just that', {}).prompt).toBe('just that');
    expect(await reading('just that', { input: '\n' }).prompt).toBe('just that');
  });

  it.each([
    ['nothing', undefined],
    ['blank input', ' \n'],
  ])('IDE-83 refuses an empty prompt: %s', async (_what, input) => {
    await expect(reading(' ', input === undefined ? {} : { input }).prompt).rejects.toThrow(UsageError);
  });

  it('§4-48 reads 10 MB, and refuses what never ends', async () => {
    const big = 'x'.repeat(10 * 1024 * 1024);
    expect((await reading('', { input: big }).prompt).length).toBe(big.length);
    const endless = new PassThrough();
    const { prompt } = reading('hi', { input: endless });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const pump = (): void => {
      while (endless.write(chunk));
    };
    endless.on('drain', pump);
    pump();
    await expect(prompt).rejects.toThrow('larger than 64 MB');
    expect(endless.destroyed).toBe(true);
  });

  it('IDE-88 goes on without a socket that says nothing', async () => {
    const { world, prompt } = reading('hi', { input: new PassThrough(), inputKind: 'socket' });
    await asleep(world);
    world.advance(3_000);
    expect(await prompt).toBe('hi');
    expect(world.stderr.text).toContain('Nothing came over standard input in 3 s');
    expect(world.stdin.destroyed).toBe(true);
  });

  it('IDE-83 waits for a pipe to its end however slow it is, and says so', async () => {
    const input = new PassThrough();
    const { world, prompt } = reading('hi', { input, inputKind: 'pipe' });
    await asleep(world);
    world.advance(60_000);
    await new Promise(setImmediate);
    expect(world.stderr.text).toContain('Waiting for standard input to end');
    input.end('late');
    expect(await prompt).toBe('hi\n\nlate');
  });

  it('says nothing of a pipe that began in time', async () => {
    const input = new PassThrough();
    const { world, prompt } = reading('hi', { input, inputKind: 'socket' });
    await asleep(world);
    input.write('early ');
    while (world.sleeping > 0) await new Promise(setImmediate);
    world.advance(60_000);
    input.end('and late');
    expect(await prompt).toBe('hi\n\nearly and late');
    expect(world.stderr.text).toBe('');
  });

  it('IDE-88 reports input that cannot be read', async () => {
    const input = new PassThrough();
    const { prompt } = reading('hi', { input, inputKind: 'file' });
    await new Promise(setImmediate);
    input.destroy(new Error('EISDIR: illegal operation on a directory'));
    await expect(prompt).rejects.toThrow('Standard input cannot be read: EISDIR');
  });

  it('IDE-18 stops reading when interrupted', async () => {
    const abort = new AbortController();
    const { prompt } = reading('hi', { input: new PassThrough() }, abort.signal);
    abort.abort();
    await expect(prompt).rejects.toThrow('aborted');
  });
});
