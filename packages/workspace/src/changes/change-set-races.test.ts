import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChangeJournal } from './change-journal.ts';
import type { CommitOptions } from './change-set.ts';
import { type FileOps, nodeFileOps } from './file-ops.ts';
import { hookedOps } from './fixtures/faulty-ops.ts';
import { useWorkspace } from './fixtures/use-workspace.ts';

const { here, put, at, read, changeSet, text, failed } = useWorkspace();

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
  return new ChangeJournal({ folder: here.journal.folder, ops });
}

describe('a change set while somebody else writes', () => {
  it('IDE-52 notices a change after the check, made in place or by another file, and undoes its own part', async () => {
    for (const act of [
      () => appendFileSync(join(here.root, 'b.txt'), 'user\n'),
      () => {
        writeFileSync(join(here.root, 'other'), 'b\nuser\n');
        renameSync(join(here.root, 'other'), join(here.root, 'b.txt'));
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
      expect(existsSync(join(here.root, 'new'))).toBe(false);
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
    unlinkSync(join(here.root, 'a.txt'));
    const racing = changeSet(rightBefore('link', () => put('a.txt', 'user\n')));
    racing.write(at('a.txt'), Buffer.from('x'), { base: 'absent' });
    expect(failed(await racing.commit()).error.code).toBe('changed_since_read');
    expect(text('a.txt')).toBe('user\n');
  });

  it('IDE-52 is whole when its temporary files are cleaned away under it', async () => {
    put('a.txt', 'a\n');
    put('b.txt', 'b\n');
    const sweep = () => {
      for (const name of readdirSync(here.root)) if (name.includes('.black-tmp')) unlinkSync(join(here.root, name));
    };
    const set = changeSet()
      .write(at('a.txt'), Buffer.from('x'), { base: await read('a.txt') })
      .remove(at('b.txt'), { base: await read('b.txt') });
    expect((await set.commit(undefined, meanwhile(sweep))).ok).toBe(false);
    expect([text('a.txt'), text('b.txt')]).toEqual(['a\n', 'b\n']);
  });

  it('IDE-53 cannot be diverted by a folder that becomes a link while it writes', async () => {
    const outside = join(here.base, 'outside');
    for (let nth = 1; nth <= 45; nth += 1) {
      rmSync(here.root, { recursive: true });
      rmSync(outside, { recursive: true, force: true });
      mkdirSync(outside);
      writeFileSync(join(outside, 'a.txt'), 'precious\n');
      put('sub/a.txt', 'a\n');
      const swap = () => {
        renameSync(join(here.root, 'sub'), join(here.root, 'moved'));
        symlinkSync(outside, join(here.root, 'sub'));
      };
      let calls = 0;
      const { ops } = hookedOps((_, name) => {
        if (name !== 'close' && ++calls === nth) swap();
      });
      const set = changeSet(new ChangeJournal({ folder: here.journal.folder, ops }))
        .write(at('sub/a.txt'), Buffer.from('evil\n'), { base: await read('sub/a.txt') })
        .write(at('sub/b.txt'), Buffer.from('evil\n'), { base: 'absent' });
      await set.commit();
      expect(readdirSync(outside)).toEqual(['a.txt']);
      expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('precious\n');
    }
  });

  it('IDE-52 lets one commit at a time write, and each sees what the others wrote', async () => {
    put('counter', '');
    const others = new ChangeJournal({ folder: here.journal.folder });
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
    await Promise.all(words.map((word, n) => add(n % 2 ? here.journal : others, word)));
    expect(text('counter').trim().split('\n').sort()).toEqual(words.sort());
  });

  it('IDE-52 waits for another commit no longer than it was told', async () => {
    put('a.txt', 'a\n');
    const impatient = new ChangeJournal({ folder: here.journal.folder, waitMs: 20 });
    const document = await read('a.txt');
    await here.journal.exclusive(undefined, async () => {
      const result = await changeSet(impatient).write(at('a.txt'), Buffer.from('b'), { base: document }).commit();
      expect(result).toMatchObject({ ok: false, error: { code: 'busy', next: expect.any(String) } });
    });
  });
});
