import { createTempWorkspace } from '@black-ide/testkit';
import { ProcessRegistry } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { findImporters } from './find-importers.ts';

async function importers(files: Record<string, string>, name: string, limit = 20): Promise<string[]> {
  await using workspace = await createTempWorkspace({ files });
  await using processes = new ProcessRegistry();
  const signal = new AbortController().signal;
  const found = await findImporters({ root: workspace.path, path: workspace.at(name), limit, signal, processes });
  return found.map((path) => path.slice(workspace.path.length + 1));
}

describe('findImporters', () => {
  it('INT-16 finds files that import one, the nearest first, and not those that only speak of it', async () => {
    const files = {
      'src/store/store.ts': 'export const store = 1;\n',
      'src/store/near.ts': "import {\n  store,\n} from './store.ts';\n",
      'src/app.ts': "export * from './store/store';\n",
      'tools/far.js': "const { store } = require('../src/store/store.ts');\n",
      'src/other.ts': "import { restore } from './restore.ts';\nconst store = 2; // store\n",
      'README.md': 'import the store\n',
    };
    expect(await importers(files, 'src/store/store.ts')).toEqual(['src/store/near.ts', 'src/app.ts', 'tools/far.js']);
    expect(await importers(files, 'src/store/store.ts', 1)).toEqual(['src/store/near.ts']);
  });

  it('INT-16 finds an index file by its folder', async () => {
    const files = {
      'src/shapes/index.ts': '',
      'src/draw.ts': "import { circle } from './shapes';\n",
      'src/index.ts': "import './draw';\n",
    };
    expect(await importers(files, 'src/shapes/index.ts')).toEqual(['src/draw.ts']);
  });

  it.each([
    [
      'pkg/tools.py',
      { 'main.py': 'from pkg.tools import run\n', 'pkg/x.py': 'from . import tools\n' },
      ['pkg/x.py', 'main.py'],
    ],
    ['lib/a.go', { 'main.go': 'package main\n\nimport (\n\t"example.com/x/lib"\n)\n' }, ['main.go']],
    ['a.h', { 'main.c': '#include "a.h"\n', 'b.c': 'int a;\n' }, ['main.c']],
    [
      'src/shape.rs',
      { 'src/main.rs': 'mod shape;\n', 'src/x.rs': 'use crate::shape::Circle;\n' },
      ['src/main.rs', 'src/x.rs'],
    ],
    [
      'x/Store.java',
      { 'x/User.java': 'class User { Store store; }\n', 'x/No.java': 'class No { Storeroom s; }\n' },
      ['x/User.java'],
    ],
  ])('INT-16 finds what uses %s', async (name, others, found) => {
    expect(await importers({ [name]: '', ...others }, name)).toEqual(found);
  });
});
