import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempWorkspace, runBlack } from '@black-ide/testkit';
import { expect, it } from 'vitest';

// The program that is shipped is a bundle: it loads the tables of old encodings in another way than the sources do.
it('INT-5 IDE-47 the built program reads files in an encoding that is no Unicode', async () => {
  await using workspace = await createTempWorkspace({ files: { 'ok.py': 'x = 1\n' } });
  await using home = await createTempWorkspace({});
  await writeFile(join(workspace.path, 'latin.py'), Buffer.from('# caf\xe9\ndef latin_fn():\n    pass\n', 'latin1'));
  const black = (args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path });
  const index = await black(['index', '--json']);
  expect(JSON.parse(index.stdout).notes).toEqual([]);
  expect((await black(['graph', 'latin_fn'])).stdout).toContain('latin.py:2');
});
