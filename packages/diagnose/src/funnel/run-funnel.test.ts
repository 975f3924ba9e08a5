import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECLARE, Funnel, READING_TOOLS } from './phases.ts';
import { type FunnelCall, type FunnelMessage, type FunnelOptions, type FunnelTurn, runFunnel } from './run-funnel.ts';

const call = (name: string, id = name): FunnelCall => ({ id, name, args: {} });
const turn = (...names: string[]): FunnelTurn => ({ text: '', calls: names.map((name, at) => call(name, `c${at}`)) });
const REPORT: FunnelTurn = { text: '# Root cause\n\nIn `a.py`.', calls: [] };

/** A model that answers by a script, goes on with its last turn, and notes what it was offered and told. */
function scripted(turns: FunnelTurn[], more: Partial<FunnelOptions> = {}) {
  const offered: (readonly string[])[] = [];
  const ran: string[] = [];
  let told: readonly FunnelMessage[] = [];
  const options: FunnelOptions = {
    prompt: 'the report',
    ask: async (messages, names) => {
      offered.push(names);
      told = [...messages];
      return turns[Math.min(offered.length, turns.length) - 1]!;
    },
    run: async (name) => {
      ran.push(name);
      return `${name} found something`;
    },
    signal: new AbortController().signal,
    ...more,
  };
  return { options, offered, ran, told: () => told };
}

describe('runFunnel', () => {
  it('DX-7 explores with every tool, dives with reading alone, and ends with none', async () => {
    const model = scripted([
      ...Array.from({ length: 7 }, () => turn('search_code')),
      ...Array.from({ length: 4 }, () => turn('read_lines')),
      REPORT,
    ]);
    expect(await runFunnel(model.options)).toEqual({ text: REPORT.text, calls: 11, refused: 0, turns: 12 });
    expect(model.offered[0]).toEqual([...READING_TOOLS, DECLARE]);
    expect(model.offered[6]).toEqual([...READING_TOOLS, DECLARE]);
    expect(model.offered.slice(7, 11)).toEqual(Array(4).fill(['read_lines']));
    expect(model.offered[11]).toEqual([]);
    expect(model.told().at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('Write the report') });
  });

  it('DX-7 goes on to reading closely when the model names its suspects', async () => {
    const model = scripted([turn('search_code'), turn(DECLARE), turn('read_lines'), REPORT]);
    expect(await runFunnel(model.options)).toMatchObject({ text: REPORT.text, calls: 3, refused: 0 });
    expect(model.offered[2]).toEqual(['read_lines']);
    expect(model.ran).toEqual(['search_code', 'read_lines']);
  });

  it('DX-7 refuses a tool that was taken away, with the reason, and does not run it', async () => {
    const model = scripted([turn(DECLARE), turn('search_code'), REPORT]);
    expect(await runFunnel(model.options)).toMatchObject({ calls: 2, refused: 1 });
    expect(model.ran).toEqual([]);
    expect(model.told().at(-1)).toMatchObject({
      role: 'result',
      isError: true,
      text: expect.stringMatching(/only `read_lines` is left/),
    });
  });

  it('DX-5 knows no other tools', async () => {
    const model = scripted([turn('run_command', 'write_file', 'web_fetch'), REPORT]);
    expect(await runFunnel(model.options)).toMatchObject({ calls: 3, refused: 3 });
    expect(model.ran).toEqual([]);
  });

  it('DX-7 a model that wanders for ever ends in at most 12 calls, with the best that it has said', async () => {
    const wandering = {
      ...turn('search_code', 'list_directory', 'find_symbols', 'read_lines'),
      text: 'Perhaps `a.py`.',
    };
    const model = scripted([wandering]);
    const { text, calls } = await runFunnel(model.options);
    expect(text).toBe('Perhaps `a.py`.');
    expect(calls).toBeLessThanOrEqual(12);
    expect(model.ran.length).toBeLessThanOrEqual(11);
    expect(model.offered.at(-1)).toEqual([]);
  });

  it('DX-7 property: whatever a model asks for, budgets hold and nothing runs that is not offered', async () => {
    const names = fc.constantFrom(...READING_TOOLS, DECLARE, 'run_command');
    const turns = fc.array(fc.array(names, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 });
    const budget = fc.record({ explore: fc.nat(9), dive: fc.nat(9), total: fc.nat(14) });
    await fc.assert(
      fc.asyncProperty(turns, budget, async (all, limits) => {
        const model = scripted([...all.map((each) => turn(...each)), REPORT], { budget: limits });
        const { calls } = await runFunnel(model.options);
        expect(calls).toBeLessThanOrEqual(limits.total);
        expect(model.ran.length).toBeLessThanOrEqual(limits.explore + limits.dive);
        const funnel = new Funnel(limits);
        for (const name of all.flat()) {
          const isOffered = funnel.offered.includes(name);
          expect(funnel.judge(name).kind === 'refused').toBe(!isOffered);
        }
      }),
    );
  });

  it('DX-7 tells the model what went wrong with a tool, and ends when it is cancelled', async () => {
    const stop = new AbortController();
    const model = scripted([turn('read_lines'), turn('search_code')], {
      signal: stop.signal,
      run: async (name) => {
        if (name === 'search_code') stop.abort(new Error('enough'));
        throw new Error('no such file');
      },
    });
    await expect(runFunnel(model.options)).rejects.toThrow('enough');
    expect(model.told().at(-1)).toMatchObject({ role: 'result', isError: true, text: 'no such file' });
  });
});
