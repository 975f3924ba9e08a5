import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack } from '../testing/test-world.ts';

const answer = {
  text: 'a.ts:1:7: const x = 1;\n[1 place]',
  items: [{ path: 'a.ts', line: 1, column: 7, text: 'const x = 1;' }],
};

/** What the engine is asked by a command line. */
async function asked(...words: string[]) {
  let question: unknown;
  const engine = new FakeEngine({
    askLanguages: (command) => {
      question = command;
      return answer;
    },
  });
  const run = await runBlack(['lsp', ...words], { engine });
  return { ...run, question };
}

describe('black lsp', () => {
  it.each([
    [['status'], { operation: 'status' }],
    [['diagnostics'], { operation: 'diagnostics' }],
    [['diagnostics', 'a.ts'], { operation: 'diagnostics', path: 'a.ts' }],
    [['definition', 'src/a.ts:12:9'], { operation: 'definition', path: 'src/a.ts', line: 12, column: 9 }],
    [['type-definition', 'a.ts:2:1'], { operation: 'type_definition', path: 'a.ts', line: 2, column: 1 }],
    [['references', 'a.ts', '--symbol', 'x'], { operation: 'references', path: 'a.ts', symbol: 'x' }],
    [['hover', 'a.ts:3', '--symbol', 'x'], { operation: 'hover', path: 'a.ts', line: 3, symbol: 'x' }],
    [['symbols', 'a:b.ts'], { operation: 'symbols', path: 'a:b.ts' }],
    [['search', 'save', 'a.ts'], { operation: 'workspace_symbols', query: 'save', path: 'a.ts' }],
    [['rename', 'a.ts:1:7', 'y'], { operation: 'rename', path: 'a.ts', line: 1, column: 7, newName: 'y' }],
    [['actions', 'a.ts:4'], { operation: 'code_actions', path: 'a.ts', line: 4 }],
    [['callers', 'a.ts:1:2'], { operation: 'callers', path: 'a.ts', line: 1, column: 2 }],
  ])('INT-15 asks what the words say: %j', async (words, question) => {
    const run = await asked(...words);
    expect(run).toMatchObject({ code: 0, question: { type: 'askLanguages', ...question } });
    expect(run.out).toBe(`${answer.text}\n`);
  });

  it('INT-15 answers as data', async () => {
    expect(JSON.parse((await asked('references', 'a.ts:1:7', '--json')).out)).toEqual(answer);
  });

  it('INT-20 trusts the folder for this run only where that is said', async () => {
    expect((await asked('status')).world.engineOptions?.trust).toBeFalsy();
    expect((await asked('status', '--trust')).world.engineOptions?.trust).toBe(true);
  });

  it.each([
    [['dance'], 'cannot "dance"'],
    [['refrences', 'a.ts:1:1'], 'Did you mean black lsp references?'],
    [['definition'], 'The file is missing.'],
    [['definition', 'a.ts:0:1'], 'count from 1'],
    [['status', 'more'], 'one word too many: "more"'],
    [['rename', 'a.ts:1:1'], 'a new name are needed'],
    [['search'], 'to be searched for is missing'],
  ])('IDE-84 says what is wrong with %j', async (words, message) => {
    const { code, err, question } = await asked(...words);
    expect({ code, question }).toEqual({ code: 2, question: undefined });
    expect(err).toContain(message);
  });

  it('INT-15 says why nothing was answered', async () => {
    const error = {
      code: 'no_server',
      message: 'No language server here serves a.zig.',
      next: 'ZLS would: brew install zls',
    };
    const engine = new FakeEngine({ askLanguages: () => ({ ok: false, error }) });
    const { code, err } = await runBlack(['lsp', 'diagnostics', 'a.zig'], { engine });
    expect(code).toBe(1);
    expect(err).toContain('No language server here serves a.zig.');
    expect(err).toContain('ZLS would: brew install zls');
  });
});
