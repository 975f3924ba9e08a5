import { describe, expect, it } from 'vitest';
import { FakeEngine } from './testing/fake-engine.ts';
import { runBlack } from './testing/test-world.ts';

describe('main', () => {
  it('IDE-83 answers wrong use with 2, on stderr alone, without loading an engine', async () => {
    const { code, out, err, world } = await runBlack(['-p', '--ouptut', 'json', 'x']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('black: black has no option "--ouptut".\n       Did you mean --output?\n');
    expect(world.engineOptions).toBeUndefined();
  });

  it('IDE-84 prints help on stdout with 0', async () => {
    const main = await runBlack(['--help']);
    expect(main).toMatchObject({ code: 0, err: '' });
    expect(main.out).toContain('black -p [options] PROMPT…');
    expect((await runBlack(['help', 'doctor'])).out).toBe((await runBlack(['doctor', '-h'])).out);
  });

  it('IDE-83 is wrong use without -p where there is no terminal', async () => {
    const alone = await runBlack([], { input: '' });
    expect(alone).toMatchObject({ code: 2, out: '' });
    expect(alone.err).toContain('the terminal UI needs a terminal');
    const prompt = await runBlack(['fix the bug'], { input: '' });
    expect(prompt).toMatchObject({ code: 2, out: '' });
    expect(prompt.err).toContain('black -p "fix the bug"');
  });

  it('prints the version', async () => {
    expect((await runBlack(['-p', '--version', 'x'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('IDE-11 serves the engine over standard input and output with black host', async () => {
    const served: unknown[] = [];
    const engine = new FakeEngine();
    const { code, world } = await runBlack(['host'], {
      engine,
      input: '',
      serveHost: async (...parts) => {
        served.push(...parts);
      },
    });
    expect(code).toBe(0);
    expect(served).toEqual([engine, world.stdin, world.stdout]);
    expect(world.engineOptions).toMatchObject({ face: 'host', asks: 'wait' });
    expect(engine.disposed).toBe(true);
  });
});
