import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';
import { runProcess } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodePlace } from './fixtures/use-code.ts';

let place: CodePlace;

beforeEach(async () => {
  place = await CodePlace.make();
});

afterEach(() => place.dispose());

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await place.workspace.write(path, text);
}

function at(...parts: string[]): string {
  return place.workspace.at(...parts);
}

const stop = new Error('stop');

describe('refresh', () => {
  it('INT-4 reads again only what changed, and tells what that was', async () => {
    await write({ a: 'one', 'b/c': 'two', 'b/d': 'three' });
    const { code, read, known } = place.open();
    expect(await code.refresh()).toMatchObject({ added: 3, changed: 0, removed: 0, unchanged: 0, rebuilt: 'none' });
    expect(read()).toEqual(['a', 'b/c', 'b/d']);
    expect(await code.refresh()).toMatchObject({ added: 0, changed: 0, unchanged: 3, rebuilt: undefined });
    await write({ a: 'other words', 'e/f': 'new' });
    rmSync(at('b/c'));
    expect(await code.refresh()).toMatchObject({ added: 1, changed: 1, removed: 1, unchanged: 1 });
    expect(read()).toEqual(['a', 'e/f']);
    expect(known()).toEqual({ a: 'other words', 'b/d': 'three', 'e/f': 'new' });
  });

  it('INT-4 reads a file again whose change was in the same moment as the last look', async () => {
    await write({ a: 'one' });
    const moment = new Date(1_700_000_000_005);
    utimesSync(at('a'), moment, moment);
    const { code, known } = place.open({ now: () => moment.getTime() + 1 });
    await code.refresh();
    writeFileSync(at('a'), 'two');
    utimesSync(at('a'), moment, moment);
    await code.refresh();
    expect(known()).toEqual({ a: 'two' });
  });

  it('INT-4 is right also after the clock has gone back', async () => {
    await write({ a: 'one', b: 'two' });
    const future = new Date(Date.now() + 3_600_000);
    utimesSync(at('a'), future, future);
    const { code, read, known } = place.open();
    await code.refresh();
    read();
    await code.refresh();
    expect(read()).toEqual([]);
    writeFileSync(at('a'), 'new');
    await code.refresh();
    expect(known()).toEqual({ a: 'new', b: 'two' });
  });

  it('INT-13 answers from what is known so far, and says whether that is all', async () => {
    await write({ a: 'one', b: 'two', c: 'three' });
    const { code, known, parser } = place.open();
    const seen: [number, boolean][] = [];
    parser.before = () => seen.push([Object.keys(known()).length, code.complete]);
    await code.refresh();
    expect(seen).toEqual([
      [0, false],
      [1, false],
      [2, false],
    ]);
    expect(code.complete).toBe(true);
  });

  it('tells how far it is', async () => {
    await write({ a: 'one', b: 'two', 'c.png': '' });
    const { code } = place.open();
    const told: string[] = [];
    await code.refresh({ onProgress: ({ done, total }) => told.push(`${done}/${total}`) });
    expect(told).toEqual(['0/3', '1/3', '2/3', '3/3']);
  });

  it('IDE-18 may be cancelled: what was read stays, and the next one reads the rest', async () => {
    await write(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, `word${index}`])));
    const { code, known, parser, read } = place.open();
    const cancel = new AbortController();
    parser.before = () => parser.read.length === 7 && cancel.abort(stop);
    await expect(code.refresh({ signal: cancel.signal })).rejects.toBe(stop);
    expect(code.complete).toBe(false);
    parser.before = () => undefined;
    const before = read();
    expect(Object.keys(known())).toHaveLength(before.length);
    expect(await code.refresh()).toMatchObject({ added: 0, changed: 20 - before.length, unchanged: before.length });
    expect([...before, ...read()].sort()).toEqual(Object.keys(known()).sort());
    expect(known()).toEqual(await place.cold());
  });

  it('INT-4 keeps what it has when it is cancelled and closed', async () => {
    await write({ a: 'one', b: 'two', c: 'three' });
    const { code, parser } = place.open();
    const cancel = new AbortController();
    parser.before = () => parser.read.length === 2 && cancel.abort(stop);
    await expect(code.refresh({ signal: cancel.signal })).rejects.toBe(stop);
    await code.dispose();
    const again = place.open();
    expect(await again.code.refresh()).toMatchObject({ changed: 1, unchanged: 2, rebuilt: undefined });
    expect(again.known()).toEqual({ a: 'one', b: 'two', c: 'three' });
  });

  it('says that the workspace is gone, and answers from what it knew', async () => {
    await write({ a: 'one' });
    const { code, known } = place.open();
    await code.refresh();
    renameSync(place.workspace.path, `${place.workspace.path}-moved`);
    await expect(code.refresh()).rejects.toMatchObject({ code: 'root_missing' });
    renameSync(`${place.workspace.path}-moved`, place.workspace.path);
    expect(known()).toEqual({ a: 'one' });
    expect(await code.refresh()).toMatchObject({ unchanged: 1 });
  });

  it('goes on after the parser failed, without forgetting a file', async () => {
    await write({ a: 'one', b: 'two' });
    const { code, known, parser } = place.open();
    parser.before = () => Promise.reject(stop);
    await expect(code.refresh()).rejects.toBe(stop);
    parser.before = () => undefined;
    expect(await code.refresh()).toMatchObject({ changed: 2 });
    expect(known()).toEqual({ a: 'one', b: 'two' });
  });

  it('INT-4 merges what was read into the compact form where it is much', async () => {
    await write(Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`f${index}`, 'x'])));
    const { code, layer } = place.open();
    await code.refresh();
    expect([layer.settles, layer.unsettled]).toEqual([1, 0]);
    await write({ f0: 'changed' });
    await code.refresh();
    expect([layer.settles, layer.unsettled]).toEqual([1, 1]);
  });
});

describe('what cannot be read', () => {
  it('INT-5 is counted, with the reason', async () => {
    await write({ a: 'fine', 'b.png': 'x', c: 'nul \0', d: 'oops', e: 'too much' });
    writeFileSync(Buffer.from(`${place.workspace.path}/caf\xe9`, 'latin1'), 'x');
    const { code, known, read } = place.open();
    await code.refresh();
    expect(code.report()).toEqual({
      files: 6,
      parsed: 1,
      partial: 1,
      text: 0,
      skipped: 1,
      binary: 2,
      unreadable: 1,
      symbols: 1,
      references: 2,
      chunks: 3,
      sourceBytes: 8,
      notes: [
        { path: 'caf\ufffd', why: 'its name is not UTF-8' },
        { path: 'e', why: 'too much' },
      ],
    });
    expect(read()).toEqual(['a', 'c', 'd', 'e']);
    expect(known()).toEqual({ a: 'fine', d: 'oops', e: 'too much' });
  });

  it('INT-5 leaves the layers when a file becomes binary, and comes back', async () => {
    await write({ a: 'one' });
    const { code, known } = place.open();
    await code.refresh();
    await write({ a: 'nul \0' });
    await code.refresh();
    expect([known(), code.report().binary]).toEqual([{}, 1]);
    await write({ a: 'text again' });
    await code.refresh();
    expect([known(), code.report().parsed]).toEqual([{ a: 'text again' }, 1]);
  });

  it('INT-5 is read as soon as it can be, though neither its time nor its size change then', async () => {
    await write({ a: 'one', b: 'two' });
    const { code, known, parser, read } = place.open();
    parser.shut.add('b');
    await code.refresh();
    expect([known(), code.report().unreadable]).toEqual([{ a: 'one' }, 1]);
    read();
    expect(await code.refresh()).toMatchObject({ changed: 0, unchanged: 2 });
    parser.shut.clear();
    expect(await code.refresh()).toMatchObject({ changed: 0, unchanged: 2 });
    expect([known(), code.report().unreadable, read()]).toEqual([{ a: 'one', b: 'two' }, 0, ['b', 'b']]);
    await code.dispose();
    expect(place.open().known()).toEqual({ a: 'one', b: 'two' });
  });

  it('INT-5 is a file that vanishes between the look and the reading', async () => {
    await write({ a: 'one', b: 'two' });
    const { code, known, parser } = place.open();
    parser.before = (path) => path === 'b' && rmSync(at(path));
    await code.refresh();
    expect(known()).toEqual({ a: 'one' });
    expect([code.files.idOf('b'), code.report().files]).toEqual([undefined, 1]);
    expect(await code.refresh()).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 1 });
  });

  it('INT-5 is a file that changes while it is read: the next look sees it', async () => {
    await write({ a: 'one' });
    const { code, known, parser, read } = place.open();
    let isFirst = true;
    parser.before = (path) => {
      if (isFirst) writeFileSync(at(path), 'longer');
      isFirst = false;
    };
    await code.refresh();
    read();
    expect(await code.refresh()).toMatchObject({ changed: 1 });
    expect([read(), known()]).toEqual([['a'], { a: 'longer' }]);
  });
});

describe('refreshFiles', () => {
  it('INT-4 reads the files that were written, without a look at the others', async () => {
    await write({ a: 'one', 'b/c': 'two', 'b/d': 'three' });
    const { code, known, read } = place.open();
    await code.refresh();
    read();
    await write({ a: 'changed', 'b/c': 'also changed', 'b/d': 'not told' });
    await code.refreshFiles(['a', 'b/c']);
    expect(read()).toEqual(['a', 'b/c']);
    expect(known()).toEqual({ a: 'changed', 'b/c': 'also changed', 'b/d': 'three' });
  });

  it('INT-4 follows new files in new folders, files that are gone, and a file that became a folder', async () => {
    await write({ a: 'one', 'b/c': 'two', '.gitignore': '*.log\nout/\n' });
    const { code, known } = place.open();
    await code.refresh();
    rmSync(at('a'));
    rmSync(at('b/c'));
    await write({ 'n/e/w': 'new', 'b/c/d': 'deep', 'x.log': 'no', 'out/y': 'no' });
    await code.refreshFiles(['a', 'b/c', 'n/e/w', 'x.log', 'out/y', 'never/was', '../outside', '/etc/passwd', '']);
    expect(known()).toEqual({ '.gitignore': 'log out', 'b/c/d': 'deep', 'n/e/w': 'new' });
    expect(known()).toEqual(await place.cold());
  });

  it('INT-11 follows an ignore file that was written', async () => {
    await write({ a: 'one', 'b/c.log': 'two', '.gitignore': '' });
    const { code, known } = place.open();
    await code.refresh();
    await write({ '.gitignore': '*.log' });
    await code.refreshFiles(['.gitignore']);
    expect(known()).toEqual({ a: 'one', '.gitignore': 'log' });
  });

  it('INT-4 lets no older reading have the last word', async () => {
    await write({ a: 'one', b: 'two' });
    const { code, known, parser } = place.open();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      parser.before = async (path) => {
        if (path !== 'b') return;
        parser.before = () => undefined;
        resolve();
        await held;
        // It was read before, and comes late.
        writeFileSync(at(path), 'stale');
      };
    });
    const refreshing = code.refresh();
    await reached;
    await write({ b: 'second' });
    await code.refreshFiles(['b']);
    expect(known().b).toBe('second');
    release();
    await refreshing;
    expect(known()).toEqual({ a: 'one', b: 'second' });
  });

  it('INT-4 may run beside a refresh and another of its kind', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`d${index % 7}/f${index}`, `w${index}`]),
    );
    await write(files);
    const { code, known } = place.open();
    const all = [code.refresh(), code.refreshFiles(Object.keys(files).slice(0, 50)), code.refreshFiles(['new'])];
    await write({ new: 'x', 'd0/f0': 'changed' });
    all.push(code.refreshFiles(['d0/f0', 'new']), code.refresh());
    await Promise.all(all);
    expect(known()).toEqual(await place.cold());
  });
});

describe('lines', () => {
  it('INT-13 are those of the file as it is now, of files that are known alone', async () => {
    await write({ a: 'one\ntwo\nthree\n', '.gitignore': 'secret', secret: 'x' });
    const { code } = place.open();
    await code.refresh();
    expect(code.lines('a', 2, 3)).toEqual(['two', 'three']);
    for (const path of ['secret', '../a', at('a'), 'nothing']) expect(code.lines(path, 1, 1)).toBeUndefined();
    rmSync(at('a'));
    expect(code.lines('a', 1, 1)).toBeUndefined();
  });
});

describe('dispose', () => {
  it('ends what is under way, and says afterwards that it is closed', async () => {
    await write({ a: 'one', b: 'two' });
    const { code, parser } = place.open();
    const waiting: Promise<unknown>[] = [];
    parser.before = () => {
      if (waiting.length > 0) return;
      waiting.push(code.refreshFiles(['a']), code.refresh(), code.dispose());
    };
    const refreshing = code.refresh();
    await expect(refreshing).rejects.toMatchObject({ code: 'disposed' });
    await Promise.allSettled(waiting);
    await code.dispose();
    expect(parser.disposed).toBe(true);
    for (const call of [code.refresh(), code.refreshFiles(['a']), code.watch()]) {
      await expect(call).rejects.toBeInstanceOf(BlackError);
    }
  });

  it('leaves no process waiting, and nothing beside the index', async () => {
    await write({ a: 'one' });
    const script = new URL('./fixtures/watch-and-end.ts', import.meta.url).pathname;
    const result = await runProcess({
      command: process.execPath,
      args: [script, place.workspace.path, place.folder],
      env: { PATH: process.env.PATH },
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const found = JSON.parse(result.stdout);
    expect(found).toEqual({
      watched: { words: 'two', watches: 1 },
      left: { watches: 0, resources: [], index: ['files.bin', expect.stringMatching(/^layers-/)] },
    });
  });
});
