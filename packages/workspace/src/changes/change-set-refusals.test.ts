import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeSet } from './change-set.ts';
import { useWorkspace } from './fixtures/use-workspace.ts';

const { here, put, at, read, changeSet, text, failed } = useWorkspace();

describe('a change set refuses, and then writes nothing at all,', () => {
  async function refused(set: ChangeSet, ...codes: string[]): Promise<void> {
    put('witness.txt', 'old\n');
    set.write(at('witness.txt'), Buffer.from('new\n'), { base: await read('witness.txt') });
    const result = failed(await set.commit());
    expect(result.problems.map(({ code }) => code)).toEqual(codes);
    expect(result.error.code).toBe(codes[0]);
    expect(result.error.next).toBeTruthy();
    expect(text('witness.txt')).toBe('old\n');
  }

  it('IDE-52 files that changed since they were read, naming them', async () => {
    put('a.txt', 'a\n');
    put('b.txt', 'b\n');
    put('c.txt', 'c\n');
    const [a, b, c] = [await read('a.txt'), await read('b.txt'), await read('c.txt')];
    put('a.txt', 'by the user\n');
    unlinkSync(join(here.root, 'b.txt'));
    const set = changeSet()
      .write(at('a.txt'), Buffer.from('x'), { base: a })
      .remove(at('b.txt'), { base: b })
      .write(at('c.txt'), Buffer.from('x'), { base: c });
    await refused(set, 'changed_since_read', 'changed_since_read');
    expect([text('a.txt'), text('c.txt')]).toEqual(['by the user\n', 'c\n']);
    const { error } = failed(await set.commit());
    expect(error.message).toContain('a.txt has changed');
    expect(error.message).toContain('b.txt is gone');
  });

  it('IDE-52 to create what exists, also under a new name', async () => {
    put('a.txt', 'a\n');
    put('b.txt', 'b\n');
    await refused(changeSet().write(at('a.txt'), Buffer.from('x'), { base: 'absent' }), 'exists');
    await refused(changeSet().rename(at('a.txt'), at('b.txt'), { base: await read('a.txt') }), 'exists');
    expect([text('a.txt'), text('b.txt')]).toEqual(['a\n', 'b\n']);
  });

  it('IDE-52 folders, pipes and files for folders', async () => {
    mkdirSync(join(here.root, 'folder'));
    put('file', 'x');
    execFileSync('mkfifo', [join(here.root, 'pipe')]);
    await refused(changeSet().write(at('folder'), Buffer.from('x'), { base: 'absent' }), 'not_a_file');
    await refused(changeSet().write(at('pipe'), Buffer.from('x'), { base: 'absent' }), 'not_a_file');
    await refused(changeSet().write(at('file/below'), Buffer.from('x'), { base: 'absent' }), 'not_a_folder');
    await refused(changeSet().write(at('file/far/below'), Buffer.from('x'), { base: 'absent' }), 'not_a_folder');
    await refused(changeSet().remove(at('folder'), { base: { version: '' } }), 'not_a_file');
  });

  it('IDE-52 files that are marked read-only', async () => {
    chmodSync(put('a.txt', 'a\n'), 0o444);
    await refused(changeSet().write(at('a.txt'), Buffer.from('x'), { base: await read('a.txt') }), 'read_only');
  });

  it('IDE-53 a path that leads elsewhere than when it was judged', async () => {
    put('docs/a.txt', 'a\n');
    put('.git/hooks/a.txt', 'a\n');
    const path = at('docs/a.txt');
    renameSync(join(here.root, 'docs'), join(here.root, 'elsewhere'));
    symlinkSync('.git/hooks', join(here.root, 'docs'));
    await refused(changeSet().write(path, Buffer.from('evil'), { base: await read('elsewhere/a.txt') }), 'path_moved');
    unlinkSync(join(here.root, 'docs'));
    symlinkSync(here.base, join(here.root, 'docs'));
    await refused(changeSet().write(path, Buffer.from('evil'), { base: 'absent' }), 'path_outside');
    expect(text('.git/hooks/a.txt')).toBe('a\n');
  });

  it('IDE-52 to remove a link as if it were its file', async () => {
    put('a.txt', 'a\n');
    symlinkSync('a.txt', join(here.root, 'link'));
    await refused(changeSet().remove(at('link'), { base: await read('a.txt') }), 'is_link');
  });
});
