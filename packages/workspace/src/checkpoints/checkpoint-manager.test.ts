import { chmodSync, linkSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UndoPlace } from './fixtures/undo-place.ts';
import { takeOverCapNews } from './leftovers.ts';

let place: UndoPlace;

beforeEach(() => {
  place = new UndoPlace();
});

afterEach(() => place.dispose());

const TEN = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

const noise = (seed: number) => Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * seed * 7919) % 251));

describe('checkpoints of edits', () => {
  it('IDE-47 stores only the reverse hunks of a text, as JSON, and restores it byte for byte', async () => {
    place.put('a.txt', 'eins\r\nzwei\r\ndrei');
    const { checkpoint } = await place.edit({ 'a.txt': 'eins\r\nZWEI\r\ndrei' });
    expect(checkpoint?.files).toEqual([{ path: 'a.txt', kind: 'modified', added: 1, removed: 1, state: 'pending' }]);
    expect(readdirSync(place.store)).toEqual(['manifest.ndjson']);
    const restored = await place.manager.restore({ sessionId: 's1', path: 'a.txt' });
    expect(restored).toMatchObject({ ok: true, files: [{ path: 'a.txt', added: 1, removed: 1 }], skipped: [] });
    expect(await place.read('a.txt')).toBe('eins\r\nzwei\r\ndrei');
  });

  it('IDE-47 brings back binary, deleted, created and renamed files with their modes', async () => {
    place.put('tool.sh', '#!/bin/sh\n', 0o755);
    place.put('data.bin', Buffer.from([0, 1, 2, 255]));
    place.put('old-name.txt', 'moved\n');
    await place.edit({ 'tool.sh': null, 'data.bin': Buffer.from([0, 9]), 'new/deep/made.txt': 'made\n' });
    await place.rename('old-name.txt', 'new/name.txt');
    const undone = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(undone).toMatchObject({ ok: true });
    expect(lstatSync(join(place.root, 'tool.sh')).mode & 0o777).toBe(0o755);
    expect(place.shell('find . | sort; xxd -p data.bin; cat old-name.txt')).toBe(
      '.\n./data.bin\n./old-name.txt\n./tool.sh\n000102ff\nmoved\n',
    );
  });

  it('IDE-49 a file is pending, kept or restored; a message leaves alone what was kept', async () => {
    place.put('a.txt', 'a\n');
    place.put('b.txt', 'b\n');
    await place.edit({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
    expect(await place.manager.keep({ sessionId: 's1', path: 'a.txt' })).toMatchObject([{ path: 'a.txt' }]);
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect([await place.read('a.txt'), await place.read('b.txt')]).toEqual(['A\n', 'b\n']);
    const [first] = place.manager.list('s1');
    expect(first?.files.map(({ state }) => state)).toEqual(['kept', 'restored']);
    await expect(place.manager.restore({ sessionId: 's1', messageId: 'm1' })).rejects.toMatchObject({
      code: 'nothing_to_undo',
    });
    // A kept file that is named is meant.
    expect(await place.manager.restore({ sessionId: 's1', path: 'a.txt' })).toMatchObject({ ok: true });
    expect(await place.read('a.txt')).toBe('a\n');
  });

  it('IDE-50 a restore is itself undoable, and what that brought back can be restored again', async () => {
    place.put('a.txt', TEN);
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO'), 'b.txt': 'new\n' });
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO').replace('nine', 'NINE') });
    const changed = await place.read('a.txt');
    for (let n = 0; n < 3; n += 1) {
      expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
      expect([await place.read('a.txt'), await place.read('b.txt')]).toEqual([TEN, 'missing']);
      expect(await place.manager.redo('s1')).toMatchObject({ ok: true });
      expect([await place.read('a.txt'), await place.read('b.txt')]).toEqual([changed, 'new\n']);
    }
    await expect(place.manager.redo('s1')).rejects.toMatchObject({ code: 'nothing_to_redo' });
  });

  it('IDE-50 names what somebody else changed first, merges when told so, and keeps what they did', async () => {
    place.put('a.txt', TEN);
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO') });
    place.put('a.txt', TEN.replace('two', 'TWO').replace('ten', 'TEN by me'));
    const asked = await place.manager.restore({ sessionId: 's1', path: 'a.txt' });
    expect(asked).toMatchObject({
      ok: false,
      error: { code: 'changed_since' },
      foreign: [{ path: 'a.txt', by: 'somebody' }],
    });
    expect(await place.read('a.txt')).toContain('TWO');
    const merged = await place.manager.restore({ sessionId: 's1', path: 'a.txt' }, { merge: true });
    expect(merged).toMatchObject({ ok: true, files: [{ path: 'a.txt', merged: true }] });
    expect(await place.read('a.txt')).toBe(TEN.replace('ten', 'TEN by me'));
    await place.manager.redo('s1');
    expect(await place.read('a.txt')).toBe(TEN.replace('two', 'TWO').replace('ten', 'TEN by me'));
  });

  it('IDE-50 refuses with the conflicting hunk named, and nothing of the message is restored', async () => {
    place.put('a.txt', TEN);
    place.put('b.txt', 'b\n');
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO'), 'b.txt': 'B\n' });
    place.put('a.txt', TEN.replace('two', 'mine'));
    const refused = await place.manager.restore({ sessionId: 's1', messageId: 'm1' }, { merge: true });
    expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' }, conflicts: [{ path: 'a.txt' }] });
    expect(refused.ok || refused.conflicts?.[0]?.hunk).toMatch(/^@@ -1,5 \+1,5 @@$/);
    expect([await place.read('a.txt'), await place.read('b.txt')]).toEqual([TEN.replace('two', 'mine'), 'B\n']);
  });

  it('IDE-50 merges what was written near a hunk, not what was written next to it', async () => {
    place.put('a.txt', TEN);
    await place.edit({ 'a.txt': TEN.replace('five', 'FIVE') });
    const near = TEN.replace('three', 'mine').replace('five', 'FIVE');
    place.put('a.txt', near);
    expect(await place.manager.restore({ sessionId: 's1', path: 'a.txt' }, { merge: true })).toMatchObject({
      ok: true,
    });
    expect(await place.read('a.txt')).toBe(TEN.replace('three', 'mine'));
    await place.manager.redo('s1');
    place.put('a.txt', near.replace('four', 'next to it'));
    expect(await place.manager.restore({ sessionId: 's1', path: 'a.txt' }, { merge: true })).toMatchObject({
      ok: false,
    });
  });

  it('IDE-50 a created file that somebody has written on is not deleted', async () => {
    await place.edit({ 'a.txt': 'a\n' });
    place.put('a.txt', 'a\nmine\n');
    const refused = await place.manager.restore({ sessionId: 's1', path: 'a.txt' }, { merge: true });
    expect(refused).toMatchObject({ ok: false, conflicts: [{ message: 'a.txt: it holds changes made since.' }] });
    expect(await place.read('a.txt')).toBe('a\nmine\n');
  });

  it('IDE-50 an earlier message is undone below a later one, and another session is told apart', async () => {
    place.put('a.txt', TEN);
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO') }, place.origin('m1'));
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO').replace('nine', 'NINE') }, place.origin('m2'));
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
    expect(await place.read('a.txt')).toBe(TEN.replace('nine', 'NINE'));
    await place.edit({ 'a.txt': TEN.replace('nine', 'NINE').replace('five', 'FIVE') }, place.origin('m9', 's2'));
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm2' })).toMatchObject({
      foreign: [{ path: 'a.txt', by: 'another session' }],
    });
  });

  it('IDE-53 skips and counts what has become a symbolic link or has several names (2.1.216)', async () => {
    for (const name of ['link.txt', 'hard.txt', 'sub/in.txt', 'plain.txt']) place.put(name, 'old\n');
    place.put('elsewhere.txt', 'precious\n');
    await place.edit({ 'link.txt': 'new\n', 'hard.txt': 'new\n', 'sub/in.txt': 'new\n', 'plain.txt': 'new\n' });
    place.shell('rm link.txt; ln -s elsewhere.txt link.txt; mv sub other; ln -s other sub');
    linkSync(join(place.root, 'hard.txt'), join(place.root, 'second-name.txt'));
    const restored = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(restored).toMatchObject({ ok: true, files: [{ path: 'plain.txt' }] });
    expect(restored.ok && restored.skipped.map(({ path }) => path).sort()).toEqual([
      'hard.txt',
      'link.txt',
      'sub/in.txt',
    ]);
    expect(place.shell('cat elsewhere.txt hard.txt second-name.txt other/in.txt plain.txt')).toBe(
      'precious\nnew\nnew\nnew\nold\n',
    );
  });

  it('IDE-48 another process sees them at once, and its own settling counts here', async () => {
    place.put('a.txt', 'a\n');
    await place.edit({ 'a.txt': 'A\n' });
    const other = new UndoPlace({ base: place.base });
    expect(other.manager.list('s1')).toEqual(place.manager.list('s1'));
    expect(await other.manager.restore({ sessionId: 's1', path: 'a.txt' })).toMatchObject({ ok: true });
    expect(place.manager.list('s1')[0]?.files[0]?.state).toBe('restored');
    await place.manager.redo('s1');
    expect(other.manager.list('s1')[0]?.files[0]?.state).toBe('pending');
  });

  it('IDE-47 shows what is pending as a diff', async () => {
    place.put('a.txt', TEN);
    await place.edit({ 'a.txt': TEN.replace('two', 'TWO') });
    await place.edit({ 'a.txt': TEN.replace('two', 'zwei'), 'b.txt': 'b\n' });
    const diff = await place.manager.diff({ sessionId: 's1', path: 'a.txt' });
    expect(diff).toContain('-two\n+zwei\n');
    expect(diff).not.toContain('b.txt');
  });

  it('IDE-49 drops the oldest settled changes over the cap, never a pending one', async () => {
    const small = new UndoPlace({ base: place.base, maxBytes: 200_000 });
    small.put('pending.bin', noise(3));
    await small.edit({ 'pending.bin': Buffer.from([0]) }, small.origin('keep'));
    for (let n = 0; n < 6; n += 1) {
      small.put(`f${n}.bin`, noise(n + 5));
      await small.edit({ [`f${n}.bin`]: Buffer.from([0]) }, small.origin(`m${n}`));
      await small.manager.keep({ sessionId: 's1', messageId: `m${n}` });
    }
    const old = Date.now() / 1000 - 3600;
    const blobs = small.shell(`find ${small.store}/blobs -type f`).trim().split('\n');
    for (const blob of blobs) small.shell(`touch -d @${Math.floor(old)} ${blob}`);
    const condensed = await small.manager.enforceCap();
    expect(condensed?.after).toBeLessThan(200_000);
    expect(condensed?.dropped).toBeGreaterThan(2);
    const left = small.manager.list('s1').map(({ messageId, files }) => [messageId, files[0]?.state]);
    expect(left[0]).toEqual(['keep', 'pending']);
    expect(left.at(-1)).toEqual(['m5', 'kept']);
    expect(await small.manager.restore({ sessionId: 's1', messageId: 'keep' })).toMatchObject({ ok: true });
  });

  it('IDE-50 the newest undo can be taken back although the store is over its cap', async () => {
    const small = new UndoPlace({ base: place.base, maxBytes: 100_000 });
    await small.edit({ 'made.bin': noise(1) }, small.origin('first'));
    await small.manager.restore({ sessionId: 's1', messageId: 'first' });
    await small.edit({ 'large.bin': Buffer.concat([noise(2), noise(3), noise(4), noise(5)]), 'b.txt': 'b\n' });
    await small.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(small.shell('ls')).toBe('');
    small.shell(`find ${small.store}/blobs -type f -exec touch -d "1 hour ago" {} +`);
    expect((await small.manager.enforceCap())?.dropped).toBeGreaterThan(0);
    expect(await small.manager.redo('s1')).toMatchObject({ ok: true });
    expect(small.shell('ls')).toBe('b.txt\nlarge.bin\n');
  });

  it('IDE-49 tells once of a store that pending changes alone hold over its cap, and again when it comes back', async () => {
    const small = new UndoPlace({ base: place.base, maxBytes: 10_000 });
    const fill = async (name: string) => {
      small.put(name, Buffer.from(Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 251)));
      await small.edit({ [name]: Buffer.from([0]) });
      await small.manager.enforceCap();
    };
    await fill('a.bin');
    expect(takeOverCapNews(small.store)).toBeGreaterThan(20_000);
    await small.manager.enforceCap();
    expect(takeOverCapNews(small.store)).toBeUndefined();
    await small.manager.keep({ sessionId: 's1', messageId: 'm1' });
    await small.manager.enforceCap();
    await fill('b.bin');
    expect(takeOverCapNews(small.store)).toBeGreaterThan(20_000);
  });

  it('IDE-49, IDE-50 drops both steps of a restore over the cap, or neither, and never half of an undo', async () => {
    place.shell('mkdir swap; echo in > swap/in.txt');
    await place.command('rm -r swap; echo file > swap');
    await place.manager.restore({ sessionId: 's1' });
    const undone = place.picture();
    for (let n = 0; n < 20; n += 1) {
      await place.edit({ 'n.txt': `${n}\n` }, place.origin('m2', 's1'));
      await place.manager.restore({ sessionId: 's1' });
    }
    for (let maxBytes = 16_000; maxBytes > 1_000; maxBytes -= 500) {
      const small = new UndoPlace({ base: place.base, maxBytes });
      await small.manager.enforceCap();
      expect(await small.manager.recoverRestores()).toEqual([]);
      expect(small.picture()).toEqual(undone);
    }
  });

  it('IDE-47 read-only files and folders in the way are named', async () => {
    place.put('a.txt', 'a\n');
    await place.edit({ 'a.txt': 'A\n' });
    chmodSync(join(place.root, 'a.txt'), 0o444);
    expect(await place.manager.restore({ sessionId: 's1', path: 'a.txt' })).toMatchObject({ ok: true });
    expect(lstatSync(join(place.root, 'a.txt')).mode & 0o777).toBe(0o444);
    await place.edit({ 'b.txt': 'b\n' });
    place.shell('rm b.txt; mkdir b.txt');
    expect(await place.manager.restore({ sessionId: 's1', path: 'b.txt' })).toMatchObject({ ok: true, files: [] });
    await place.edit({ 'c.txt': 'c\n' }, place.origin('m2'));
    await place.edit({ 'c.txt': null }, place.origin('m2'));
    place.put('c.txt/mine.txt', 'mine\n');
    const refused = await place.manager.restore({ sessionId: 's1', path: 'c.txt' });
    expect(refused).toMatchObject({ ok: true });
    place.put('d.txt', 'd\n');
    await place.edit({ 'd.txt': null }, place.origin('m3'));
    place.put('d.txt/mine.txt', 'mine\n');
    expect(await place.manager.restore({ sessionId: 's1', path: 'd.txt' })).toMatchObject({
      ok: false,
      conflicts: [{ message: 'd.txt: it is a folder now, with mine.txt in it.' }],
    });
    await expect(place.manager.keep({ sessionId: 's1', path: '../outside' })).rejects.toMatchObject({
      code: 'path_outside',
    });
  });
});
