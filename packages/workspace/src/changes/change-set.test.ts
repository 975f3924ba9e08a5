import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecOf } from '../text/encodings.ts';
import { applyHunks } from '../text/hunks.ts';
import { encodeFile } from '../text/text-codec.ts';
import { ChangeJournal } from './change-journal.ts';
import type { FileChange } from './file-change.ts';
import { useWorkspace } from './fixtures/use-workspace.ts';

const { here, put, at, read, changeSet, text, committed, failed } = useWorkspace();

describe('ChangeSet', () => {
  it('IDE-52 makes files, their folders, changes, removals and renames real together', async () => {
    put('a.txt', 'one\ntwo\n');
    put('b.txt', 'gone\n');
    put('c.txt', 'moved\n');
    const changes = await committed(
      changeSet()
        .write(at('a.txt'), Buffer.from('one\n2\n'), { base: await read('a.txt') })
        .remove(at('b.txt'), { base: await read('b.txt') })
        .rename(at('c.txt'), at('d/e.txt'), { base: await read('c.txt') })
        .write(at('x/y/z.txt'), Buffer.from('new\n'), { base: 'absent' }),
    );
    expect(readdirSync(here.root, { recursive: true }).sort()).toEqual([
      'a.txt',
      'd',
      'd/e.txt',
      'x',
      'x/y',
      'x/y/z.txt',
    ]);
    expect([text('a.txt'), text('d/e.txt'), text('x/y/z.txt')]).toEqual(['one\n2\n', 'moved\n', 'new\n']);
    expect(changes.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['a.txt', 'modified', 1, 1],
      ['b.txt', 'deleted', 0, 1],
      ['d/e.txt', 'renamed', 0, 0],
      ['x/y/z.txt', 'created', 1, 0],
    ]);
    const [modified, deleted, renamed, created] = changes;
    expect(modified).toMatchObject({
      before: { size: 8 },
      after: { size: 6 },
      reverse: { kind: 'hunks' },
      merged: false,
      notes: [],
    });
    expect(modified?.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
    expect(modified?.before?.version).not.toBe(modified?.after?.version);
    expect(deleted).toMatchObject({
      after: null,
      reverse: { kind: 'bytes' },
      before: { bytes: Buffer.from('gone\n') },
    });
    expect(renamed).toMatchObject({
      from: { path: 'c.txt', real: join(here.root, 'c.txt') },
      reverse: { kind: 'same' },
    });
    expect(created).toMatchObject({
      before: null,
      reverse: { kind: 'absent' },
      after: { mode: 0o666 & ~process.umask() },
    });
    expect(() => JSON.stringify(changes)).not.toThrow();
  });

  it('IDE-52 says which folders it made', async () => {
    put('there/x', 'x');
    const result = await changeSet()
      .write(at('there/a/b/c.txt'), Buffer.from(''), { base: 'absent' })
      .write(at('there/a/d.txt'), Buffer.from(''), { base: 'absent' })
      .commit();
    expect(result).toMatchObject({ ok: true, madeFolders: [join(here.root, 'there/a'), join(here.root, 'there/a/b')] });
  });

  it('IDE-52 keeps the mode, and a renamed file’s too', async () => {
    chmodSync(put('run.sh', 'a\n'), 0o755);
    chmodSync(put('secret', 'a\n'), 0o600);
    await committed(
      changeSet()
        .write(at('run.sh'), Buffer.from('b\n'), { base: await read('run.sh') })
        .rename(at('secret'), at('moved'), { base: await read('secret'), bytes: Buffer.from('b\n') })
        .write(at('tool'), Buffer.from('#!/bin/sh\n'), { base: 'absent', mode: 0o750 }),
    );
    const mode = (path: string) => statSync(join(here.root, path)).mode & 0o7777;
    expect([mode('run.sh'), mode('moved'), mode('tool')]).toEqual([0o755, 0o600, 0o750]);
  });

  it('IDE-52 changes a mode alone', async () => {
    put('run.sh', 'a\n');
    const document = await read('run.sh');
    const [change] = await committed(changeSet().write(at('run.sh'), document.bytes, { base: document, mode: 0o755 }));
    expect(change).toMatchObject({ kind: 'modified', reverse: { kind: 'same' }, after: { mode: 0o755 }, diff: '' });
    expect(statSync(join(here.root, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('IDE-52 keeps owner and group', async () => {
    const isRoot = process.getuid?.() === 0;
    const owner = isRoot ? { uid: 1234, gid: 2345 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    chownSync(put('a.txt', 'a\n'), owner.uid, owner.gid);
    await committed(changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') }));
    expect(statSync(join(here.root, 'a.txt'))).toMatchObject(owner);
  });

  it('IDE-52 is refused by permissions as anybody else, and leaves nothing behind', () => {
    chmodSync(put('closed/a.txt', 'a'), 0o666);
    chmodSync(put('others/a.txt', 'a'), 0o644);
    chmodSync(join(here.root, 'closed'), 0o555);
    for (const folder of [here.base, join(here.root, 'others'), join(here.base, 'nobody')]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
    }
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) chmodSync(join(here.root, 'others/a.txt'), 0o444);
    const write = (path: string) =>
      execFileSync(
        process.execPath,
        [join(import.meta.dirname, 'fixtures/write-child.ts'), here.root, join(here.base, 'nobody'), path],
        {
          encoding: 'utf8',
          ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
        },
      );
    expect([write('closed/a.txt'), write('closed/new.txt')]).toEqual(['no_permission', 'no_permission']);
    expect(write('others/a.txt')).toBe(isRoot ? 'no_permission' : 'read_only');
    expect(write('others/new.txt')).toBe('ok');
    expect(readdirSync(join(here.root, 'closed'))).toEqual(['a.txt']);
    expect(readdirSync(join(here.root, 'others')).sort()).toEqual(['a.txt', 'new.txt']);
    chmodSync(join(here.root, 'closed'), 0o755);
  });

  it('IDE-52 leaves out what stays as it is', async () => {
    put('a.txt', 'a\n');
    const { ino, ctimeMs } = statSync(join(here.root, 'a.txt'));
    const document = await read('a.txt');
    expect(await committed(changeSet().write(at('a.txt'), document.bytes, { base: document }))).toEqual([]);
    expect(statSync(join(here.root, 'a.txt'))).toMatchObject({ ino, ctimeMs });
    expect(await changeSet().commit()).toEqual({ ok: true, changes: [], madeFolders: [] });
  });

  it('IDE-52 takes the last of several contents, against the first base', async () => {
    put('a.txt', '1\n');
    const set = changeSet().write(at('a.txt'), Buffer.from('2\n'), { base: await read('a.txt') });
    set.write(at('a.txt'), Buffer.from('3\n'), { base: { version: 'of the staged text' } });
    set.write(at('b.txt'), Buffer.from('x'), { base: 'absent' }).remove(at('b.txt'), { base: 'absent' });
    expect(set.stagedBytes(join(here.root, 'a.txt'))).toEqual(Buffer.from('3\n'));
    expect(set.stagedBytes(join(here.root, 'b.txt'))).toBeUndefined();
    expect(set.size).toBe(1);
    expect(await committed(set)).toHaveLength(1);
    expect(text('a.txt')).toBe('3\n');
  });

  it('IDE-52 writes through a link that stays inside, and keeps the link', async () => {
    put('real.txt', 'a\n');
    symlinkSync('real.txt', join(here.root, 'link'));
    symlinkSync('later.txt', join(here.root, 'dangling'));
    await committed(
      changeSet()
        .write(at('link'), Buffer.from('b\n'), { base: await read('link') })
        .write(at('dangling'), Buffer.from('c\n'), { base: 'absent' }),
    );
    expect([text('real.txt'), text('later.txt')]).toEqual(['b\n', 'c\n']);
    expect(lstatSync(join(here.root, 'link')).isSymbolicLink()).toBe(true);
  });

  it('IDE-52 breaks a hard link and says so', async () => {
    const file = put('a.txt', 'a\n');
    linkSync(file, join(here.base, 'outside.txt'));
    const [change] = await committed(changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') }));
    expect(readFileSync(join(here.base, 'outside.txt'), 'utf8')).toBe('a\n');
    expect(change?.notes).toEqual(['had 2 names (hard links); the others keep the old content']);
  });

  it('IDE-52 merges with what somebody else changed elsewhere in the file, when asked', async () => {
    put('a.txt', '1\n2\n3\n4\n5\n');
    const document = await read('a.txt');
    put('a.txt', 'one\n2\n3\n4\n5\n');
    const set = changeSet().write(at('a.txt'), Buffer.from('1\n2\n3\n4\nfive\n'), { base: document });
    const [change] = await committed(set, { onDrift: 'merge' });
    expect(text('a.txt')).toBe('one\n2\n3\n4\nfive\n');
    expect(change).toMatchObject({ merged: true, added: 1, removed: 1 });
  });

  it('IDE-52 refuses to merge what collides, naming the line', async () => {
    put('a.txt', '1\n2\n3\n');
    const document = await read('a.txt');
    put('a.txt', '1\nuser\n3\n');
    const set = changeSet().write(at('a.txt'), Buffer.from('1\nagent\n3\n'), { base: document });
    const result = failed(await set.commit(undefined, { onDrift: 'merge' }));
    expect(result.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('line 2') });
    expect(text('a.txt')).toBe('1\nuser\n3\n');
    const binary = changeSet().write(at('a.txt'), Buffer.from([0]), { base: document });
    expect(failed(await binary.commit(undefined, { onDrift: 'merge' })).error.code).toBe('conflict');
  });

  describe('before the point of no return', () => {
    it('IDE-52 hands out what undoing needs, and changes nothing when that cannot be stored', async () => {
      put('a.txt', 'a\n');
      const seen: string[] = [];
      const set = changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') });
      const full = async (changes: readonly FileChange[]) => {
        seen.push(...changes.map(({ before }) => Buffer.from(before?.bytes ?? []).toString()), text('a.txt'));
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      };
      expect(failed(await set.commit(undefined, { beforeCommit: full })).error.code).toBe('disk_full');
      expect(seen).toEqual(['a\n', 'a\n']);
      expect(text('a.txt')).toBe('a\n');
    });

    it('IDE-52 can be aborted, and then has changed nothing', async () => {
      put('a.txt', 'a\n');
      const abort = new AbortController();
      const set = changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') });
      const options = { beforeCommit: async () => abort.abort(new Error('stop')) };
      await expect(set.commit(abort.signal, options)).rejects.toThrow('stop');
      await expect(set.commit(AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
      expect(text('a.txt')).toBe('a\n');
      expect(readdirSync(here.root)).toEqual(['a.txt']);
    });
  });

  it('IDE-52 says when the journal cannot be written, and writes nothing', async () => {
    put('a.txt', 'a\n');
    const nowhere = new ChangeJournal({ folder: join(put('file', ''), 'journal') });
    const set = changeSet(nowhere).write(at('a.txt'), Buffer.from('b'), { base: await read('a.txt') });
    expect(await set.commit()).toMatchObject({ ok: false, error: { code: 'journal_unwritable' } });
    expect(text('a.txt')).toBe('a\n');
  });

  it('IDE-52 refuses a path that was resolved for reading', () => {
    expect(() => changeSet().write(at('a.txt', 'read'), Buffer.from(''), { base: 'absent' })).toThrow(
      'for reading only',
    );
  });

  it('IDE-52 property: what it reports takes every file back to its old bytes', async () => {
    const content = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', '\t', '😀') }).map((one) => Buffer.from(one)),
      fc.string({ unit: fc.constantFrom('a', 'é', '\n') }).map((one) => Buffer.from(`\ufeff${one}`, 'utf16le')),
      fc.string({ unit: fc.constantFrom('a', 'é', '\r\n') }).map((one) => Buffer.from(one, 'latin1')),
      fc.uint8Array({ maxLength: 20 }).map((one) => Buffer.from(one)),
    );
    await fc.assert(
      fc.asyncProperty(fc.option(content), fc.option(content), async (before, after) => {
        rmSync(here.root, { recursive: true });
        mkdirSync(here.root);
        if (before) put('f', before);
        const fileBase = before ? await read('f') : 'absent';
        const set = after
          ? changeSet().write(at('f'), after, { base: fileBase })
          : changeSet().remove(at('f'), { base: fileBase });
        const [change] = await committed(set);
        const now = existsSync(join(here.root, 'f')) ? readFileSync(join(here.root, 'f')) : null;
        expect(now).toEqual(after);
        if (change) expect(await undone(change)).toEqual(before);
        else expect(now).toEqual(before);
      }),
    );
  });
});

/** The old bytes, by what the change says about them alone. */
async function undone({ before, after, reverse }: FileChange): Promise<Buffer | null> {
  if (reverse.kind === 'absent') return null;
  if (reverse.kind === 'same' || reverse.kind === 'bytes')
    return Buffer.from((reverse.kind === 'same' ? after : before)?.bytes ?? []);
  const codec = await codecOf(reverse.format);
  const result = codec && applyHunks(codec.decode(after?.bytes ?? new Uint8Array()), reverse.hunks);
  if (!codec || !result?.ok) throw new Error('the hunks do not apply');
  return encodeFile(codec, result.text);
}
