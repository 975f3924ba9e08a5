import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type EngineEvent, type SessionEvent, textOf } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  leakCheck,
  type MockModelServer,
  type Script,
  type TempWorkspace,
  UNPLANNED,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../engine.ts';
import type { Engine, EngineOptions } from '../engine-api.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.bin');
const CONFIG = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, module: 'nodenext', allowImportingTsExtensions: true },
});
const FILES = {
  'tsconfig.json': CONFIG,
  'src/add.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/use.ts': "import { add } from './add.ts';\n\nexport const sum: number = add(1, 2);\n",
};

let home: TempWorkspace;
let workspace: TempWorkspace;
let model: MockModelServer;
let engine: Engine;
let sessionId: string;
let events: SessionEvent[];
let leaks: ReturnType<typeof leakCheck>;

beforeEach(async () => {
  leaks = leakCheck();
  home = await createTempWorkspace({});
  workspace = await createTempWorkspace({ files: FILES });
  events = [];
});

afterEach(async () => {
  await engine.dispose();
  await model.close();
  await leaks.expectNoLeaks();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

interface Options extends Partial<EngineOptions> {
  path?: string;
}

async function begin(script: Script, { path = BIN, ...more }: Options = {}): Promise<void> {
  model = await createMockModelServer(script);
  engine = createEngine({
    cwd: workspace.path,
    home: home.path,
    face: 'test',
    trust: true,
    asks: 'refuse',
    autoApprove: true,
    ...more,
    env: {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: model.openaiUrl,
      PATH: `${path}:${dirname(process.execPath)}:/usr/bin:/bin`,
      ...UNPLANNED,
      ...more.env,
    },
  });
  engine.onEvent((event: EngineEvent) => {
    if ('sessionId' in event) events.push(event);
  });
  const created = await engine.execute({ type: 'newSession' });
  if (!created.ok) throw new Error(created.error.message);
  sessionId = created.value.sessionId;
}

async function run(text = 'do it'): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const stop = engine.onEvent((event) => {
      if (event.type !== 'RunningChanged' || event.running) return;
      stop();
      resolve();
    });
  });
  expect(await engine.execute({ type: 'startAgentTask', sessionId, text, model: 'openai/mock' })).toMatchObject({
    ok: true,
  });
  await ended;
}

type Finished = SessionEvent & { type: 'ToolFinished' };
const finished = () => events.filter((event): event is Finished => event.type === 'ToolFinished');
const results = () => finished().map(({ isError, content }) => `${isError ? 'ERROR ' : ''}${textOf(content)}`);
const call = (name: string, args: object) => ({ toolCalls: [{ name, args: args as never }] });
const rare = (args: object) => call('call_tool', { name: 'lsp', arguments: args });
const edit = (path: string, old_string: string, new_string: string) =>
  call('edit_file', { path, old_string, new_string });
const offered = () => JSON.stringify(model.modelCalls()[0]!.body).includes('- lsp:');

describe('edit_file with a language server', () => {
  it('INT-16 INT-17 tells in its result what it broke in another file, and nothing of what only moved', async () => {
    await begin([
      edit('src/add.ts', 'a: number, b: number', 'a: string, b: number'),
      edit('src/use.ts', "import { add } from './add.ts';\n", "import { add } from './add.ts';\n\n\n"),
      { text: 'done' },
    ]);
    await run();
    expect(results()[0]).toBe(
      'Edited src/add.ts (+1 −1).\nNew problems:\n' +
        "src/add.ts:2:3 error ts 2322: Type 'string' is not assignable to type 'number'.\n" +
        "src/use.ts:3:32 error ts 2345: Argument of type 'number' is not assignable to parameter of type 'string'.",
    );
    expect(results()[1]).toBe('Edited src/use.ts (+2 −0).');
    expect(finished()[0]!.details).toMatchObject({
      problems: 2,
      diagnostics: {
        found: [
          { path: 'src/add.ts', line: 2, column: 3 },
          { path: 'src/use.ts', line: 3, kind: 'new' },
        ],
      },
    });
  });

  it('INT-16 does the same for write_file and apply_patch', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/add.ts',
      '@@',
      '-  return a + b;',
      '+  return a + c;',
      '*** End Patch',
    ];
    await begin([
      call('write_file', { path: 'src/new.ts', content: "import { add } from './add.ts';\nadd('1', 2);\n" }),
      call('apply_patch', { patch: patch.join('\n') }),
      { text: 'done' },
    ]);
    await run();
    expect(results()[0]).toContain("src/new.ts:2:5 error ts 2345: Argument of type 'string'");
    expect(results()[1]).toContain("src/add.ts:2:14 error ts 2304: Cannot find name 'c'.");
  });

  it('INT-16 knows what a command has changed in between', async () => {
    await begin([
      edit('src/use.ts', 'add(1, 2)', 'add(1, 3)'),
      call('run_command', { command: "sed -i 's/a: number/a: string/' src/add.ts" }),
      edit('src/use.ts', 'add(1, 3)', 'add(1, 4)'),
      { text: 'done' },
    ]);
    await run();
    expect(results()[0]).toBe('Edited src/use.ts (+1 −1).');
    expect(results()[2]).toContain('Earlier problems, not from this change:\nsrc/use.ts:3:32 error ts 2345');
  });

  it('INT-16 asks the files that the code graph knows to use what is changed', async () => {
    await workspace.write('src/sum.ts', 'export function plus(a: number): number {\n  return a;\n}\n');
    await workspace.write('src/index.ts', "export * from './sum.ts';\n");
    await workspace.write('src/far.ts', "import { plus } from './index.ts';\n\nplus(1);\n");
    await begin([
      call('code_graph', { action: 'callers', symbol: 'plus' }),
      edit('src/sum.ts', 'a: number', 'a: string'),
      { text: 'done' },
    ]);
    await run();
    expect(results()[1]).toContain("src/far.ts:3:6 error ts 2345: Argument of type 'number'");
  });

  it('INT-4 INT-16 servers hear of what others change while the code is followed', async () => {
    await begin(
      [call('code_graph', { action: 'callers', symbol: 'add' }), edit('src/use.ts', '1, 2', '1, 3'), { text: 'done' }],
      { watch: true },
    );
    await run();
    expect(results()[1]).toBe('Edited src/use.ts (+1 −1).');
    await workspace.write('src/add.ts', FILES['src/add.ts'].replace('a: number', 'a: string'));
    const problems = async () => {
      const answer = await engine.execute({ type: 'askLanguages', operation: 'diagnostics', path: 'src/use.ts' });
      return answer.ok ? answer.value.text : answer.error.message;
    };
    await expect.poll(problems, { timeout: 20_000 }).toContain('src/use.ts:3:32 error ts 2345');
  });

  it('INT-16 says nothing where the write is refused', async () => {
    await begin([edit('src/add.ts', 'not in there', 'x'), { text: 'done' }]);
    await run();
    expect(results()).toEqual([expect.stringMatching(/^ERROR /)]);
    expect(results()[0]).not.toContain('problems');
  });

  it('INT-16 takes diagnostics from the editor that hosts us, and starts no server then', async () => {
    const asked: string[] = [];
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    await begin([edit('src/add.ts', 'a + b', 'a - b'), { text: 'done' }], {
      host: {
        diagnostics: {
          title: 'Editor',
          diagnosticsOf: async (paths, { written }) => {
            asked.push(`${paths.map((path) => path.slice(workspace.path.length + 1))} ${written}`);
            return new Map(written ? [[workspace.at('src', 'use.ts'), [{ range, severity: 2, message: 'odd' }]]] : []);
          },
          onChange: () => () => undefined,
        },
      },
    });
    await run();
    expect(results()[0]).toContain('src/use.ts:1:1 warning: odd');
    expect(asked).toEqual(['src/add.ts,src/use.ts false', 'src/add.ts,src/use.ts true']);
    expect(leaks.leftovers().filter((line) => line.includes('--lsp'))).toEqual([]);
  });

  it('INT-16 takes them from a face over the wire that has offered them in hello', async () => {
    await begin([edit('src/add.ts', 'a + b', 'a - b'), { text: 'done' }]);
    expect(await engine.execute({ type: 'hello', protocol: 1, capabilities: ['diagnostics'] })).toMatchObject({
      value: { capabilities: ['diagnostics'] },
    });
    engine.onEvent((event) => {
      if (event.type !== 'HostAsked') return;
      const bad = { line: 3, column: 1, severity: 1 as const, message: 'no' };
      const files = event.paths.map((path) => ({ path, diagnostics: event.written ? [bad] : [] }));
      void engine.execute({ type: 'answerHost', requestId: event.requestId, files });
    });
    await run();
    expect(results()[0]).toContain('src/add.ts:3:1 error: no\nsrc/use.ts:3:1 error: no');
  });

  it('INT-18 writes although nobody can be asked, and says why', async () => {
    await begin([edit('src/add.ts', 'a + b', 'a - b'), { text: 'done' }], {
      host: {
        diagnostics: {
          title: 'Editor',
          diagnosticsOf: () => Promise.reject(new Error('it has crashed')),
          onChange: () => {
            throw new Error('nobody there');
          },
        },
      },
    });
    await run();
    expect(results()).toEqual(['Edited src/add.ts (+1 −1).']);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'DiagnosticReported', message: 'Diagnostics are missing: nobody there' }),
    );
    expect(await workspace.read('src/add.ts')).toContain('a - b');
  });

  it('INT-20 says that it is switched off where it is asked all the same', async () => {
    await begin([rare({ operation: 'status' }), { text: 'done' }], { env: { BLACK_LSP: 'off' } });
    await run();
    expect(results()[0]).toMatch(/^ERROR Language servers are switched off/);
  });

  it.each([
    ['the setting', { env: { BLACK_LSP: 'off' } }],
    ['no program', { path: '/nowhere' }],
  ])('INT-19 INT-20 starts nothing with %s, and offers no tool', async (_, options) => {
    await begin([edit('src/add.ts', 'a: number', 'a: string'), { text: 'done' }], options);
    await run();
    expect(results()).toEqual(['Edited src/add.ts (+1 −1).']);
    expect(offered()).toBe(false);
  });

  it('INT-20 runs a project’s own program only where the folder is trusted', async () => {
    await workspace.write('node_modules/.bin/x', '');
    symlinkSync(join(BIN, 'tsc'), workspace.at('node_modules', '.bin', 'tsc'));
    await begin([rare({ operation: 'status' }), { text: 'done' }], { path: '/nowhere', trust: false });
    await run();
    expect(offered()).toBe(false);
    expect(results()[0]).toContain('TypeScript 7: missing, the folder is not trusted: black trust');
  });
});

describe('lsp', () => {
  it('INT-15 INT-20 is offered by name, and answers', async () => {
    await begin([
      rare({ operation: 'definition', path: 'src/use.ts', line: 3, symbol: 'add' }),
      rare({ operation: 'references', path: 'src/add.ts', symbol: 'add' }),
      rare({ operation: 'hover', path: 'src/use.ts', line: 3, symbol: 'sum' }),
      rare({ operation: 'symbols', path: 'src/use.ts' }),
      rare({ operation: 'workspace_symbols', query: 'add' }),
      rare({ operation: 'callers', path: 'src/add.ts', symbol: 'add' }),
      rare({ operation: 'rename', path: 'src/add.ts', symbol: 'add', new_name: 'plus' }),
      rare({ operation: 'diagnostics', path: 'src/use.ts' }),
      rare({ operation: 'status' }),
      { text: 'done' },
    ]);
    await run();
    expect(offered()).toBe(true);
    const [definition, references, hover, symbols, workspaceSymbols, callers, rename, diagnostics, status] = results();
    expect(definition).toBe('src/add.ts:1:17: export function add(a: number, b: number): number {\n[1 place]');
    expect(references).toContain('src/use.ts:3:28: export const sum: number = add(1, 2);\n[3 places]');
    expect(hover).toContain('const sum: number');
    expect(symbols).toContain('3–3 variable sum');
    expect(workspaceSymbols).toContain('src/add.ts:1 function add');
    expect(callers).toContain('src/use.ts:1');
    expect(rename).toContain('-export function add(a: number, b: number): number {\n+export function plus(a: number');
    expect(rename).toContain('[2 files; nothing was written: apply_patch takes this diff]');
    expect(diagnostics).toBe('[no problems]');
    expect(status).toMatch(/^TypeScript 7: ready, process \d+/m);
    expect(await workspace.read('src/add.ts')).toBe(FILES['src/add.ts']);
  });

  it('INT-15 tells the problems of the whole workspace', async () => {
    await workspace.write('src/bad.ts', 'export const x: number = nothing;\n');
    await begin([rare({ operation: 'diagnostics' }), { text: 'done' }]);
    await run();
    expect(results()[0]).toBe("src/bad.ts:1:26 error ts 2304: Cannot find name 'nothing'.\n[1 problem]");
  });

  it('INT-15 says what is missing in a call', async () => {
    await begin([
      rare({ operation: 'definition', path: 'src/use.ts' }),
      rare({ operation: 'hover' }),
      rare({ operation: 'hover', path: 'src/use.ts', symbol: 'nowhere' }),
      rare({ operation: 'rename', path: 'src/use.ts', symbol: 'sum' }),
      rare({ operation: 'hover', path: '../outside.ts', symbol: 'x' }),
      { text: 'done' },
    ]);
    await run();
    expect(results()).toEqual([
      'ERROR Name the line and the symbol in it, or the column.',
      'ERROR The operation hover needs path.',
      'ERROR `nowhere` does not stand in src/use.ts. Read it again.',
      'ERROR The operation rename needs new_name.',
      expect.stringMatching(/^ERROR Refused/),
    ]);
  });
});
