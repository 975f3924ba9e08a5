import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskDocuments } from '../documents/disk-documents.ts';
import type { Document } from '../documents/document.ts';
import { PathGuard } from '../paths/path-guard.ts';
import type { ResolvedPath } from '../paths/resolved-path.ts';
import { codecOf } from '../text/encodings.ts';
import { applyHunks } from '../text/hunks.ts';
import { encodeFile } from '../text/text-codec.ts';
import { ChangeJournal } from './change-journal.ts';
import { ChangeSet, type CommitOptions, type CommitResult } from './change-set.ts';
import type { FileChange } from './file-change.ts';
import { type FileOps, nodeFileOps } from './file-ops.ts';
import { hookedOps } from './fixtures/faulty-ops.ts';

let base: string;
let root: string;
let guard: PathGuard;
let journal: ChangeJournal;
const documents = new DiskDocuments();

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'changes-')));
  root = join(base, 'app');
  mkdirSync(root);
  guard = new PathGuard({ root });
  journal = new ChangeJournal({ folder: join(base, 'journal') });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function at(path: string): ResolvedPath {
  const resolved = guard.resolve(path, 'write');
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved;
}

async function read(path: string): Promise<Document> {
  const outcome = await documents.read(at(path).real);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.document;
}

function changeSet(by = journal): ChangeSet {
  return new ChangeSet({ guard, journal: by });
}

async function committed(set: ChangeSet, options?: CommitOptions): Promise<FileChange[]> {
  const result = await set.commit(undefined, options);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  expect(readdirSync(journal.folder)).toEqual([]);
  return result.changes;
}

function failed(result: CommitResult): Extract<CommitResult, { ok: false }> {
  if (result.ok) throw new Error('it was written');
  expect(readdirSync(journal.folder)).toEqual([]);
  expect(readdirSync(root, { recursive: true }).filter((name) => String(name).includes('black-tmp'))).toEqual([]);
  return result;
}

function text(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Does something to the disk at the moment when everything is ready. */
function meanwhile(act: () => void): CommitOptions {
  return { beforeCommit: async () => act() };
}

/** Does something right before the first call of a kind. */
function rightBefore(name: keyof FileOps, act: () => void, nth = 1): ChangeJournal {
  let calls = 0;
  const { ops } = hookedOps((_, called) => {
    if (called === name && ++calls === nth) act();
  }, nodeFileOps);
  return new ChangeJournal({ folder: journal.folder, ops });
}

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
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a.txt', 'd', 'd/e.txt', 'x', 'x/y', 'x/y/z.txt']);
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
    expect(renamed).toMatchObject({ from: { path: 'c.txt', real: join(root, 'c.txt') }, reverse: { kind: 'same' } });
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
    expect(result).toMatchObject({ ok: true, madeFolders: [join(root, 'there/a'), join(root, 'there/a/b')] });
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
    const mode = (path: string) => statSync(join(root, path)).mode & 0o7777;
    expect([mode('run.sh'), mode('moved'), mode('tool')]).toEqual([0o755, 0o600, 0o750]);
  });

  it('IDE-52 changes a mode alone', async () => {
    put('run.sh', 'a\n');
    const document = await read('run.sh');
    const [change] = await committed(changeSet().write(at('run.sh'), document.bytes, { base: document, mode: 0o755 }));
    expect(change).toMatchObject({ kind: 'modified', reverse: { kind: 'same' }, after: { mode: 0o755 }, diff: '' });
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('IDE-52 keeps owner and group', async () => {
    const isRoot = process.getuid?.() === 0;
    const owner = isRoot ? { uid: 1234, gid: 2345 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    chownSync(put('a.txt', 'a\n'), owner.uid, owner.gid);
    await committed(changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') }));
    expect(statSync(join(root, 'a.txt'))).toMatchObject(owner);
  });

  it('IDE-52 is refused by permissions as anybody else, and leaves nothing behind', () => {
    chmodSync(put('closed/a.txt', 'a'), 0o666);
    chmodSync(put('others/a.txt', 'a'), 0o644);
    chmodSync(join(root, 'closed'), 0o555);
    for (const folder of [base, join(root, 'others'), join(base, 'nobody')]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
    }
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) chmodSync(join(root, 'others/a.txt'), 0o444);
    const write = (path: string) =>
      execFileSync(
        process.execPath,
        [join(import.meta.dirname, 'fixtures/write-child.ts'), root, join(base, 'nobody'), path],
        {
          encoding: 'utf8',
          ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
        },
      );
    expect([write('closed/a.txt'), write('closed/new.txt')]).toEqual(['no_permission', 'no_permission']);
    expect(write('others/a.txt')).toBe(isRoot ? 'no_permission' : 'read_only');
    expect(write('others/new.txt')).toBe('ok');
    expect(readdirSync(join(root, 'closed'))).toEqual(['a.txt']);
    expect(readdirSync(join(root, 'others')).sort()).toEqual(['a.txt', 'new.txt']);
    chmodSync(join(root, 'closed'), 0o755);
  });

  it('IDE-52 leaves out what stays as it is', async () => {
    put('a.txt', 'a\n');
    const { ino, ctimeMs } = statSync(join(root, 'a.txt'));
    const document = await read('a.txt');
    expect(await committed(changeSet().write(at('a.txt'), document.bytes, { base: document }))).toEqual([]);
    expect(statSync(join(root, 'a.txt'))).toMatchObject({ ino, ctimeMs });
    expect(await changeSet().commit()).toEqual({ ok: true, changes: [], madeFolders: [] });
  });

  it('IDE-52 takes the last of several contents, against the first base', async () => {
    put('a.txt', '1\n');
    const set = changeSet().write(at('a.txt'), Buffer.from('2\n'), { base: await read('a.txt') });
    set.write(at('a.txt'), Buffer.from('3\n'), { base: { version: 'of the staged text' } });
    set.write(at('b.txt'), Buffer.from('x'), { base: 'absent' }).remove(at('b.txt'), { base: 'absent' });
    expect(set.stagedBytes(join(root, 'a.txt'))).toEqual(Buffer.from('3\n'));
    expect(set.stagedBytes(join(root, 'b.txt'))).toBeUndefined();
    expect(set.size).toBe(1);
    expect(await committed(set)).toHaveLength(1);
    expect(text('a.txt')).toBe('3\n');
  });

  describe('refuses, and then writes nothing at all,', () => {
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
      unlinkSync(join(root, 'b.txt'));
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
      mkdirSync(join(root, 'folder'));
      put('file', 'x');
      execFileSync('mkfifo', [join(root, 'pipe')]);
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
      renameSync(join(root, 'docs'), join(root, 'elsewhere'));
      symlinkSync('.git/hooks', join(root, 'docs'));
      await refused(
        changeSet().write(path, Buffer.from('evil'), { base: await read('elsewhere/a.txt') }),
        'path_moved',
      );
      unlinkSync(join(root, 'docs'));
      symlinkSync(base, join(root, 'docs'));
      await refused(changeSet().write(path, Buffer.from('evil'), { base: 'absent' }), 'path_outside');
      expect(text('.git/hooks/a.txt')).toBe('a\n');
    });

    it('IDE-52 to remove a link as if it were its file', async () => {
      put('a.txt', 'a\n');
      symlinkSync('a.txt', join(root, 'link'));
      await refused(changeSet().remove(at('link'), { base: await read('a.txt') }), 'is_link');
    });
  });

  it('IDE-52 writes through a link that stays inside, and keeps the link', async () => {
    put('real.txt', 'a\n');
    symlinkSync('real.txt', join(root, 'link'));
    symlinkSync('later.txt', join(root, 'dangling'));
    await committed(
      changeSet()
        .write(at('link'), Buffer.from('b\n'), { base: await read('link') })
        .write(at('dangling'), Buffer.from('c\n'), { base: 'absent' }),
    );
    expect([text('real.txt'), text('later.txt')]).toEqual(['b\n', 'c\n']);
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
  });

  it('IDE-52 breaks a hard link and says so', async () => {
    const file = put('a.txt', 'a\n');
    linkSync(file, join(base, 'outside.txt'));
    const [change] = await committed(changeSet().write(at('a.txt'), Buffer.from('b\n'), { base: await read('a.txt') }));
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('a\n');
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

  describe('while somebody else writes', () => {
    it('IDE-52 notices a change after the check, made in place or by another file, and undoes its own part', async () => {
      for (const act of [
        () => appendFileSync(join(root, 'b.txt'), 'user\n'),
        () => {
          writeFileSync(join(root, 'other'), 'b\nuser\n');
          renameSync(join(root, 'other'), join(root, 'b.txt'));
        },
      ]) {
        put('a.txt', 'a\n');
        put('b.txt', 'b\n');
        const set = changeSet()
          .write(at('a.txt'), Buffer.from('x'), { base: await read('a.txt') })
          .write(at('b.txt'), Buffer.from('x'), { base: await read('b.txt') })
          .write(at('new/c.txt'), Buffer.from('x'), { base: 'absent' });
        expect(failed(await set.commit(undefined, meanwhile(act))).error.code).toBe('changed_since_read');
        expect([text('a.txt'), text('b.txt')]).toEqual(['a\n', 'b\nuser\n']);
        expect(existsSync(join(root, 'new'))).toBe(false);
      }
    });

    it('IDE-52 notices a write into the old file in the very moment of the exchange', async () => {
      const file = put('a.txt', 'a\n');
      const late = rightBefore('rename', () => appendFileSync(file, 'user\n'));
      const set = changeSet(late).write(at('a.txt'), Buffer.from('x'), { base: await read('a.txt') });
      expect(failed(await set.commit()).error.code).toBe('changed_since_read');
      expect(text('a.txt')).toBe('a\nuser\n');
    });

    it('IDE-52 does not overwrite a file that appeared meanwhile', async () => {
      const set = changeSet().write(at('a.txt'), Buffer.from('x'), { base: 'absent' });
      expect(
        failed(
          await set.commit(
            undefined,
            meanwhile(() => put('a.txt', 'user\n')),
          ),
        ).error.code,
      ).toBe('changed_since_read');
      expect(text('a.txt')).toBe('user\n');
      unlinkSync(join(root, 'a.txt'));
      const racing = changeSet(rightBefore('link', () => put('a.txt', 'user\n')));
      racing.write(at('a.txt'), Buffer.from('x'), { base: 'absent' });
      expect(failed(await racing.commit()).error.code).toBe('changed_since_read');
      expect(text('a.txt')).toBe('user\n');
    });

    it('IDE-52 is whole when its temporary files are cleaned away under it', async () => {
      put('a.txt', 'a\n');
      put('b.txt', 'b\n');
      const sweep = () => {
        for (const name of readdirSync(root)) if (name.includes('.black-tmp')) unlinkSync(join(root, name));
      };
      const set = changeSet()
        .write(at('a.txt'), Buffer.from('x'), { base: await read('a.txt') })
        .remove(at('b.txt'), { base: await read('b.txt') });
      expect((await set.commit(undefined, meanwhile(sweep))).ok).toBe(false);
      expect([text('a.txt'), text('b.txt')]).toEqual(['a\n', 'b\n']);
    });

    it('IDE-53 cannot be diverted by a folder that becomes a link while it writes', async () => {
      const outside = join(base, 'outside');
      for (let nth = 1; nth <= 45; nth += 1) {
        rmSync(root, { recursive: true });
        rmSync(outside, { recursive: true, force: true });
        mkdirSync(outside);
        writeFileSync(join(outside, 'a.txt'), 'precious\n');
        put('sub/a.txt', 'a\n');
        const swap = () => {
          renameSync(join(root, 'sub'), join(root, 'moved'));
          symlinkSync(outside, join(root, 'sub'));
        };
        let calls = 0;
        const { ops } = hookedOps((_, name) => {
          if (name !== 'close' && ++calls === nth) swap();
        });
        const set = changeSet(new ChangeJournal({ folder: journal.folder, ops }))
          .write(at('sub/a.txt'), Buffer.from('evil\n'), { base: await read('sub/a.txt') })
          .write(at('sub/b.txt'), Buffer.from('evil\n'), { base: 'absent' });
        await set.commit();
        expect(readdirSync(outside)).toEqual(['a.txt']);
        expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('precious\n');
      }
    });
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
      const options = meanwhile(() => abort.abort(new Error('stop')));
      await expect(set.commit(abort.signal, options)).rejects.toThrow('stop');
      await expect(set.commit(AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
      expect(text('a.txt')).toBe('a\n');
      expect(readdirSync(root)).toEqual(['a.txt']);
    });
  });

  it('IDE-52 lets one commit at a time write, and each sees what the others wrote', async () => {
    put('counter', '');
    const others = new ChangeJournal({ folder: journal.folder });
    const add = async (by: ChangeJournal, word: string): Promise<void> => {
      for (;;) {
        const document = await read('counter');
        const bytes = Buffer.concat([document.bytes, Buffer.from(`${word}\n`)]);
        const result = await changeSet(by).write(at('counter'), bytes, { base: document }).commit();
        if (result.ok) return;
        expect(result.error.code).toBe('changed_since_read');
      }
    };
    const words = Array.from({ length: 12 }, (_, n) => `word ${n}`);
    await Promise.all(words.map((word, n) => add(n % 2 ? journal : others, word)));
    expect(text('counter').trim().split('\n').sort()).toEqual(words.sort());
  });

  it('IDE-52 waits for another commit no longer than it was told', async () => {
    put('a.txt', 'a\n');
    const impatient = new ChangeJournal({ folder: journal.folder, waitMs: 20 });
    const document = await read('a.txt');
    await journal.exclusive(undefined, async () => {
      const result = await changeSet(impatient).write(at('a.txt'), Buffer.from('b'), { base: document }).commit();
      expect(result).toMatchObject({ ok: false, error: { code: 'busy', next: expect.any(String) } });
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
    const readable = guard.resolve('a.txt', 'read');
    if (!readable.ok) throw new Error(readable.message);
    expect(() => changeSet().write(readable, Buffer.from(''), { base: 'absent' })).toThrow('for reading only');
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
        rmSync(root, { recursive: true });
        mkdirSync(root);
        if (before) put('f', before);
        const fileBase = before ? await read('f') : 'absent';
        const set = after
          ? changeSet().write(at('f'), after, { base: fileBase })
          : changeSet().remove(at('f'), { base: fileBase });
        const [change] = await committed(set);
        const now = existsSync(join(root, 'f')) ? readFileSync(join(root, 'f')) : null;
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
