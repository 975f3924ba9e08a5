import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempWorkspace, leakCheck, startProcess, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Mailbox } from './mailbox.ts';
import { ProcessRegistry } from './process-registry.ts';
import { RunRecords } from './run-records.ts';

let workspace: TempWorkspace;
let leaks: ReturnType<typeof leakCheck>;
beforeEach(async () => {
  leaks = leakCheck();
  workspace = await createTempWorkspace();
});
afterEach(async () => {
  await workspace.dispose();
  await leaks.expectNoLeaks();
});

function leave(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.part`), text);
  renameSync(join(folder, `${name}.part`), join(folder, `${name}.letter`));
}

describe('Mailbox', () => {
  it('INT-31 hands over each letter once, and keeps the folder to its owner', async () => {
    const letters: string[] = [];
    const three = Promise.withResolvers<void>();
    const folder = workspace.at('box/inner');
    const mailbox = new Mailbox({
      folder,
      files: { 'first.cjs': '// hello' },
      onLetter: (text) => {
        letters.push(text);
        if (letters.length === 3) three.resolve();
      },
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await workspace.read('box/inner/first.cjs')).toBe('// hello');
    // What is no letter is left alone, and holds nobody up.
    const odd = 'mkfifo pipe.letter; mkdir folder.letter; ln -s /dev/zero endless.letter; ln -s nowhere lost.letter;';
    const script = `${odd} for i in 1 2; do echo "from $i" > $i.part; mv $i.part $i.letter; done`;
    const child = await startProcess({ command: '/bin/sh', args: ['-c', script], cwd: folder, env: process.env });
    await child.result;
    leave(folder, 'big', 'x'.repeat(70_000));
    leave(folder, 'mine', 'from me');
    await three.promise;
    expect(letters).toEqual(['from 1\n', 'from 2\n', 'from me']);
    mailbox.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('INT-31 says what is wrong where the folder cannot be made', () => {
    writeFileSync(workspace.at('file'), '');
    expect(() => new Mailbox({ folder: workspace.at('file/box'), onLetter: () => undefined })).toThrow(
      expect.objectContaining({ code: 'mailbox_failed' }),
    );
  });

  it('INT-32 the folder of a run goes with its record, also that of a killed owner', async () => {
    const registry = new ProcessRegistry({ stateFolder: workspace.path });
    const runId = 'ab'.repeat(16);
    const folder = registry.makeFolder(runId);
    expect(existsSync(folder)).toBe(true);
    await registry.run({
      command: 'true',
      cwd: workspace.path,
      env: { PATH: process.env.PATH },
      runId,
    });
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    new RunRecords(workspace.path, {
      self: () => ({ pid: 2 ** 22 - 1, bootId: 'another boot' }),
    } as ConstructorParameters<typeof RunRecords>[1]).write({ runId });
    expect(await registry.sweepOrphans()).toMatchObject({ runs: 1 });
    expect(existsSync(folder)).toBe(false);
  });
});
