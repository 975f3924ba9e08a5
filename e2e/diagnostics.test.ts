import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  createMockModelServer,
  createTempWorkspace,
  leakCheck,
  type MockModelServer,
  runBlack,
  type TempWorkspace,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const PATH = [
  join(import.meta.dirname, '..', 'node_modules', '.bin'),
  dirname(process.execPath),
  '/usr/bin',
  '/bin',
].join(delimiter);
const FILES = {
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","allowImportingTsExtensions":true}}',
  'src/price.ts': 'export function price(item: string): number {\n  return item.length;\n}\n',
  'src/total.ts': "import { price } from './price.ts';\n\nexport const total: number = price('tea') + price('milk');\n",
};
const edit = (path: string, old_string: string, new_string: string) => ({
  toolCalls: [{ name: 'edit_file', args: { path, old_string, new_string } }],
});

/** What the model was told of each call, in their order. */
function results(server: MockModelServer): string[] {
  return server.modelCalls().flatMap((call) => call.request?.lastToolResults.map((message) => message.text) ?? []);
}

/** A program of this name that leaves a file when it is run. */
async function canary(name: string): Promise<{ folder: TempWorkspace; ran: () => boolean }> {
  const folder = await createTempWorkspace({});
  writeFileSync(folder.at(name), `#!/bin/sh\ntouch ${folder.at('ran')}\n`);
  chmodSync(folder.at(name), 0o755);
  return { folder, ran: () => existsSync(folder.at('ran')) };
}

describe('diagnostics in a headless run', () => {
  it('INT-16 INT-17 an edit that breaks a type in another file carries exactly that; one that only shifts lines none', async () => {
    await using workspace = await createTempWorkspace({ files: FILES });
    await using modelServer = await createMockModelServer([
      edit(
        'src/price.ts',
        '(item: string): number {\n  return item.length;',
        '(item: string): string {\n  return item;',
      ),
      edit('src/total.ts', "from './price.ts';\n", "from './price.ts';\n\n// The whole basket.\n"),
      edit('src/price.ts', 'string {\n  return item;', 'number {\n  return item.length;'),
      { text: 'done' },
    ]);
    const leaks = leakCheck();
    const args = ['-p', 'change the price', '--model', 'openai/mock'];
    const ran = await runBlack({ args, cwd: workspace.path, modelServer, env: { PATH } });
    expect(ran).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(results(modelServer)).toEqual([
      "Edited src/price.ts (+2 −2).\nNew problems:\nsrc/total.ts:3:14 error ts 2322: Type 'string' is not assignable to type 'number'.",
      'Edited src/total.ts (+2 −0).',
      'Edited src/price.ts (+2 −2).',
    ]);
    await leaks.expectNoLeaks();
  });

  it('INT-19 a run that writes no code of a language never starts its server', async () => {
    const { folder, ran } = await canary('gopls');
    await using _ = folder;
    await using workspace = await createTempWorkspace({
      files: { 'go.mod': 'module x\n', 'main.go': 'package main\n' },
    });
    const run = async (call: { name: string; args: object }) => {
      await using modelServer = await createMockModelServer([{ toolCalls: [call as never] }, { text: 'done' }]);
      const env = { PATH: [folder.path, PATH].join(delimiter), BLACK_SANDBOX: 'off' };
      const args = ['-p', 'look', '--model', 'openai/mock'];
      expect(await runBlack({ args, cwd: workspace.path, modelServer, env })).toMatchObject({ code: 0 });
      return JSON.stringify(modelServer.modelCalls()[0]!.body).includes('- lsp:');
    };
    expect(await run({ name: 'read_file', args: { path: 'main.go' } })).toBe(true);
    expect(await run({ name: 'write_file', args: { path: 'notes.txt', content: 'x\n' } })).toBe(true);
    expect(ran()).toBe(false);
    expect(await run({ name: 'edit_file', args: { path: 'main.go', old_string: 'main', new_string: 'x' } })).toBe(true);
    expect(ran()).toBe(true);
  });

  it('INT-15 black lsp answers a person, and black doctor names what is missing', async () => {
    await using workspace = await createTempWorkspace({ files: { ...FILES, 'a.py': '', 'pyproject.toml': '' } });
    const ask = (...args: string[]) => runBlack({ args, cwd: workspace.path, env: { PATH } });
    const definition = await ask('lsp', 'definition', 'src/total.ts', '--symbol', 'price');
    expect(definition).toMatchObject({
      code: 0,
      stdout: 'src/price.ts:1:17: export function price(item: string): number {\n[1 place]\n',
    });
    const status = await ask('lsp', 'status');
    expect(status.stdout).toMatch(/^TypeScript 7: not started yet/m);
    expect(status.stdout).toMatch(/^Pyright: missing, `pyright-langserver` is not installed: npm install -g pyright$/m);
    const { stdout } = await ask('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    expect(checks.find(({ name }) => name === 'Pyright')).toMatchObject({
      state: 'warn',
      fix: 'npm install -g pyright',
    });
    expect(checks.find(({ name }) => name === 'Language servers')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('TypeScript 7'),
    });
  });
});
