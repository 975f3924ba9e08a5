import { chmod, lstat, stat, symlink } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createTempWorkspace } from './temp-workspace.ts';

it('makes a private folder with the bytes given, and removes it', async () => {
  const workspace = await createTempWorkspace({ files: { 'a/b.txt': 'é\r\n', 'raw.bin': Uint8Array.of(0, 255, 254) } });
  expect((await stat(workspace.path)).mode & 0o777).toBe(0o700);
  expect(await workspace.read('a/b.txt')).toBe('é\r\n');
  expect([...(await workspace.readBytes('raw.bin'))]).toEqual([0, 255, 254]);
  await workspace.write('new/deep/file', 'x');
  await symlink('/etc', workspace.at('link'));
  await chmod(workspace.at('raw.bin'), 0o600);
  const snapshot = await workspace.snapshot();
  expect(Object.keys(snapshot)).toEqual(['a', 'a/b.txt', 'link', 'new', 'new/deep', 'new/deep/file', 'raw.bin']);
  expect(snapshot.link).toEqual({ kind: 'symlink', target: '/etc' });
  expect(snapshot['raw.bin']).toMatchObject({ kind: 'file', mode: 0o600 });
  await chmod(workspace.at('new'), 0o000);
  await workspace.dispose();
  await expect(lstat(workspace.path)).rejects.toThrow('ENOENT');
  await workspace.dispose();
});

it('makes a git repository whatever the machine’s git settings are', async () => {
  await using workspace = await createTempWorkspace({ files: { 'a.txt': '1' }, git: true });
  expect(await workspace.git('status', '--porcelain')).toBe('');
  expect(await workspace.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main\n');
  await workspace.write('a.txt', '2');
  expect(await workspace.git('status', '--porcelain')).toBe(' M a.txt\n');
  expect(Object.keys(await workspace.snapshot())).toEqual(['a.txt']);
  expect(Object.keys(await workspace.snapshot({ git: true }))).toContain('.git/HEAD');
  await expect(workspace.git('no-such-command')).rejects.toThrow('no-such-command');
});
