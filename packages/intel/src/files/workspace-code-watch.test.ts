import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiskChanges } from '../code-intelligence-api.ts';
import { CodePlace } from './fixtures/use-code.ts';

let place: CodePlace;

beforeEach(async () => {
  place = await CodePlace.make();
});

afterEach(() => place.dispose());

/** The watch has seen all there is when both layers know what a look from the beginning finds. */
async function expectFollowed(known: () => Record<string, string>): Promise<void> {
  const cold = await place.cold();
  await expect.poll(known, { timeout: 20_000 }).toEqual(cold);
}

describe('watch', () => {
  it('INT-4 keeps a running session fresh, whatever happens to files and folders', async () => {
    await place.workspace.write('src/a', 'one');
    await place.workspace.write('.gitignore', '*.log\n');
    const { code, known } = place.open();
    await code.watch();
    expect(code.complete).toBe(true);
    await place.workspace.write('src/a', 'changed');
    await place.workspace.write('src/new/deep/b', 'two');
    await place.workspace.write('src/x.log', 'no');
    await expectFollowed(known);
    renameSync(place.workspace.at('src/new'), place.workspace.at('moved'));
    rmSync(place.workspace.at('src/a'));
    mkdirSync(place.workspace.at('src/a'));
    writeFileSync(place.workspace.at('src/a/in'), 'a folder now');
    await expectFollowed(known);
    await place.workspace.write('.gitignore', 'moved\n');
    await expectFollowed(known);
    expect(Object.keys(known())).toEqual(['.gitignore', 'src/a/in', 'src/x.log']);
  });

  it('INT-4 tells what others have changed, and not what it finds first', async () => {
    await place.workspace.write('a', 'one');
    await place.workspace.write('b', 'one');
    const changes: DiskChanges[] = [];
    const { code } = place.open({ onDiskChanges: (each) => changes.push(each) });
    await code.watch();
    expect(changes).toEqual([]);
    await place.workspace.write('a', 'changed');
    await place.workspace.write('sub/c', 'new');
    rmSync(place.workspace.at('b'));
    const told = (kind: keyof DiskChanges) => () => changes.flatMap((each) => each[kind]);
    await expect.poll(told('changed'), { timeout: 20_000 }).toContain('a');
    await expect.poll(told('added'), { timeout: 20_000 }).toContain('sub/c');
    await expect.poll(told('removed'), { timeout: 20_000 }).toContain('b');
  });

  it('INT-4 sees what changed while it began, and may be called twice', async () => {
    await place.workspace.write('a', 'one');
    const { code, known } = place.open();
    const watching = [code.watch(), code.watch()];
    await place.workspace.write('b', 'two');
    await Promise.all(watching);
    await expectFollowed(known);
  });

  it('INT-4 follows a branch switch of hundreds of files, there and back', async () => {
    const { workspace } = place;
    const names = Array.from({ length: 300 }, (_, index) => `src/m${index % 20}/f${index}`);
    for (const name of names) await workspace.write(name, `main ${name}`);
    await workspace.git('init', '--quiet', '--initial-branch=main');
    await workspace.git('add', '--all');
    await workspace.git('commit', '--quiet', '--message', 'one');
    await workspace.git('checkout', '--quiet', '-b', 'other');
    for (const name of names.slice(0, 150)) await workspace.write(name, `other ${name}`);
    await workspace.git('rm', '--quiet', '-r', '-f', 'src/m19', ...names.slice(150, 160));
    await workspace.git('mv', 'src/m18', 'src/renamed');
    await workspace.git('add', '--all');
    await workspace.git('commit', '--quiet', '--message', 'two');
    const { code, known } = place.open();
    await code.watch();
    const ids = names.map((name) => code.files.idOf(name));
    await workspace.git('checkout', '--quiet', 'main');
    await expectFollowed(known);
    await workspace.git('checkout', '--quiet', 'other');
    await expectFollowed(known);
    expect(names.map((name) => code.files.idOf(name))).toEqual(ids);
  });

  it('INT-4 stores what it has followed', async () => {
    await place.workspace.write('a', 'one');
    const { code, known } = place.open();
    await code.watch();
    await place.workspace.write('a', 'two');
    await expectFollowed(known);
    await code.dispose();
    expect(place.open().known()).toEqual({ a: 'two' });
  });

  it('INT-4 says in the report that it cannot follow, and sees changes at the next refresh', async () => {
    await place.workspace.write('a', 'one');
    const script = fileURLToPath(new URL('./fixtures/watch-without-room.ts', import.meta.url));
    const { stdout, stderr } = await runProcess({
      command: 'sh',
      args: ['-c', `ulimit -n 64; exec "${process.execPath}" "${script}" "${place.workspace.path}"`],
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      notes: [{ path: '.', why: expect.stringMatching(/only seen when the index is refreshed.*EMFILE/) }],
      known: { a: 'two' },
    });
  });
});
