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

  it('IDE-83 without a prompt shows three things to try at a terminal, and is wrong use elsewhere', async () => {
    const shown = await runBlack([], { terminal: true });
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out.match(/^ {2}black /gm)).toHaveLength(3);
    const elsewhere = await runBlack([], { input: '' });
    expect(elsewhere).toMatchObject({ code: 2, out: '' });
    expect(elsewhere.err).toContain('terminal UI is not part of this version');
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
