import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { DiskDocuments } from '@black-ide/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServerFinder, type ServerSearch } from './server-finder.ts';

interface Place {
  workspace: TempWorkspace;
  /** Puts programs of this name on the PATH. */
  install: (...names: string[]) => void;
  finder: (trusted?: boolean) => ServerFinder;
}

async function place(files: Record<string, string>): Promise<Place> {
  const workspace = await createTempWorkspace({ files });
  const programs = await createTempWorkspace({});
  onTestFinished(() => Promise.all([workspace.dispose(), programs.dispose()]).then(() => undefined));
  return {
    workspace,
    install: (...names) => {
      for (const name of names) makeProgram(programs.at(name));
    },
    finder: (trusted = true) =>
      new ServerFinder({
        root: workspace.path,
        documents: new DiskDocuments(),
        env: () => ({ PATH: programs.path }),
        trusts: () => trusted,
      }),
  };
}

function makeProgram(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
}

const usable = ({ usable }: ServerSearch, { path }: TempWorkspace) =>
  usable.map(({ spec, root }) => [spec.id, root.slice(path.length)]);
const lacks = ({ missing }: ServerSearch) => missing.map(({ spec, lack }) => [spec.id, lack]);

describe('ServerFinder', () => {
  it('INT-20 wants both halves: a marker in the checkout and a program on the PATH', async () => {
    const { workspace, install, finder } = await place({ 'go.mod': '', 'main.go': '', 'other/a.py': '' });
    expect(lacks(await finder().find(workspace.at('main.go')))).toEqual([['gopls', 'program']]);
    install('gopls', 'pyright-langserver');
    const found = finder();
    expect(usable(await found.find(workspace.at('main.go')), workspace)).toEqual([['gopls', '']]);
    expect(await found.find(workspace.at('other', 'a.py'))).toEqual({ usable: [], missing: [] });
    expect(await found.find('/elsewhere/main.go')).toEqual({ usable: [], missing: [] });
  });

  it('INT-20 takes a program of the project itself only where the folder is trusted', async () => {
    const { workspace, finder } = await place({ 'pyproject.toml': '', 'a.py': '' });
    makeProgram(workspace.at('.venv', 'bin', 'pylsp'));
    expect(usable(await finder(true).find(workspace.at('a.py')), workspace)).toEqual([['pylsp', '']]);
    const untrusted = await finder(false).find(workspace.at('a.py'));
    expect(untrusted.usable).toEqual([]);
    expect(lacks(untrusted)).toContainEqual(['pylsp', 'trust']);
  });

  it('INT-20 has servers that run what the project says wait for trust, others not', async () => {
    const { workspace, install, finder } = await place({
      'package.json': '{}',
      'a.json': '{}',
      'Cargo.toml': '',
      'a.rs': '',
    });
    install('rust-analyzer', 'vscode-json-language-server');
    expect(usable(await finder(false).find(workspace.at('a.json')), workspace)).toEqual([['json', '']]);
    const rust = await finder(false).find(workspace.at('a.rs'));
    expect([rust.usable, lacks(rust)]).toEqual([[], [['rust-analyzer', 'trust']]]);
  });

  it('INT-20 takes tsc from version 7 on, and another server where it is older', async () => {
    const { workspace, install, finder } = await place({
      'tsconfig.json': '{}',
      'a.ts': '',
      'node_modules/typescript/package.json': '{"name":"typescript","version":"5.9.3"}',
    });
    makeProgram(workspace.at('node_modules', 'typescript', 'bin', 'tsc'));
    makeProgram(workspace.at('node_modules', '.bin', 'other'));
    symlinkSync('../typescript/bin/tsc', workspace.at('node_modules', '.bin', 'tsc'));
    const old = await finder().find(workspace.at('a.ts'));
    expect(lacks(old)).toContainEqual(['typescript', 'version']);
    install('typescript-language-server');
    expect(usable(await finder().find(workspace.at('a.ts')), workspace)).toEqual([['typescript-language-server', '']]);
    writeFileSync(
      workspace.at('node_modules', 'typescript', 'package.json'),
      '{"name":"typescript","version":"7.0.2"}',
    );
    expect(usable(await finder().find(workspace.at('a.ts')), workspace)).toEqual([['typescript', '']]);
  });

  it('INT-20 serves a file with several servers of different roles, and one of each', async () => {
    const { workspace, install, finder } = await place({
      'package.json': '{}',
      'eslint.config.js': '',
      'deno/deno.json': '{}',
      'deno/a.ts': '',
      'a.ts': '',
    });
    install('tsgo', 'vtsls', 'vscode-eslint-language-server', 'deno');
    const found = finder();
    expect(usable(await found.find(workspace.at('a.ts')), workspace)).toEqual([
      ['tsgo', ''],
      ['eslint', ''],
    ]);
    expect(usable(await found.find(workspace.at('deno', 'a.ts')), workspace)).toEqual([
      ['deno', '/deno'],
      ['eslint', ''],
    ]);
  });

  it('INT-20 finds the project in a monorepo: the nearest, or the outermost, as the server wants it', async () => {
    const { workspace, install, finder } = await place({
      'Cargo.toml': '',
      'crates/a/Cargo.toml': '',
      'crates/a/src/lib.rs': '',
      'services/x/pyproject.toml': '',
      'services/x/deep/er/a.py': '',
      'pyproject.toml': '',
    });
    install('rust-analyzer', 'pyright-langserver');
    expect(usable(await finder().find(workspace.at('crates/a/src/lib.rs')), workspace)).toEqual([
      ['rust-analyzer', ''],
    ]);
    expect(usable(await finder().find(workspace.at('services/x/deep/er/a.py')), workspace)).toEqual([
      ['pyright', '/services/x'],
    ]);
  });

  it('INT-20 surveys the workspace by the files that are there', async () => {
    const { install, finder } = await place({
      'a/go.mod': '',
      'a/main.go': '',
      'b/c/pyproject.toml': '',
      'b/c/x.py': '',
      'package.json': '{}',
      'a.json': '{}',
    });
    expect(await finder().hasUsable()).toBe(false);
    install('gopls');
    expect(await finder().hasUsable()).toBe(true);
    const survey = await finder().survey();
    expect(survey.usable.map(({ spec }) => spec.id)).toEqual(['gopls']);
    expect(new Set(survey.missing.map(({ spec }) => spec.role))).toEqual(
      new Set(['json', 'toml', 'python', 'python lint']),
    );
  });

  it('INT-20 sees what was installed after a refresh', async () => {
    const { workspace, install, finder } = await place({ 'go.mod': '', 'main.go': '' });
    const one = finder();
    expect((await one.find(workspace.at('main.go'))).usable).toEqual([]);
    install('gopls');
    expect((await one.find(workspace.at('main.go'))).usable).toEqual([]);
    one.refresh();
    expect((await one.find(workspace.at('main.go'))).usable).toHaveLength(1);
  });
});
