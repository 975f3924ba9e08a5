import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodePlace } from './fixtures/use-code.ts';

let place: CodePlace;

beforeEach(async () => {
  place = await CodePlace.make({ a: 'one', 'b/c': 'two', 'b/d': 'oops three', 'e.png': '' });
});

afterEach(() => place.dispose());

function stored(): string[] {
  return readdirSync(place.folder).sort();
}

function layersFile(): string {
  return stored().find((name) => name.startsWith('layers-'))!;
}

/** Changes so many files that they are not stored as additions. */
async function changeMany(): Promise<void> {
  for (let index = 0; index < 70; index++) await place.workspace.write(`many/${index}`, `w${index}`);
}

describe('the stored index', () => {
  it('INT-12 is loaded: nothing is read again', async () => {
    expect(await place.store()).toMatchObject({ added: 4, rebuilt: 'none' });
    const { code, known, read } = place.open();
    expect(known()).toEqual({ a: 'one', 'b/c': 'two', 'b/d': 'oops three' });
    expect([code.complete, code.report()]).toMatchObject([false, { files: 4, parsed: 2, partial: 1, binary: 1 }]);
    expect(await code.refresh()).toMatchObject({ unchanged: 4, rebuilt: undefined });
    expect(read()).toEqual([]);
  });

  it('INT-12 gets what few edits changed beside the layers, and all anew after many', async () => {
    await place.store();
    const layers = layersFile();
    await place.workspace.write('a', 'changed');
    rmSync(place.workspace.at('b/c'));
    await place.store();
    expect(stored()).toEqual(['files.bin', layers]);
    await place.workspace.write('a', 'changed again');
    await place.workspace.write('b/n', 'new');
    const second = place.open();
    expect(second.known()).toEqual({ a: 'changed', 'b/d': 'oops three' });
    await second.code.refreshFiles(['a', 'b/n']);
    await second.code.dispose();
    expect(stored()).toEqual(['files.bin', layers]);
    await changeMany();
    await place.store();
    expect(stored()).toEqual(['files.bin', layersFile()]);
    expect(layersFile()).not.toBe(layers);
    expect(place.open().known()).toEqual(await place.cold());
  });

  it('INT-12 is not written where nothing has changed', async () => {
    await place.store();
    const before = readFileSync(join(place.folder, 'files.bin'));
    writeFileSync(join(place.folder, 'mark'), '');
    await place.store();
    expect(readFileSync(join(place.folder, 'files.bin'))).toEqual(before);
    expect(stored()).toContain('mark');
  });

  it('INT-12 is built anew where it is cut at any byte, or a byte is another; the search goes on', async () => {
    await changeMany();
    await place.store();
    await place.workspace.write('a', 'added');
    await place.store();
    const files = ['files.bin', layersFile()];
    const whole = new Map(files.map((name) => [name, readFileSync(join(place.folder, name))]));
    const expected = await place.cold();
    const damage = fc.record({
      name: fc.constantFrom(...files),
      at: fc.nat(),
      flips: fc.option(fc.integer({ min: 1, max: 255 })),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ name, at, flips }) => {
        for (const [each, bytes] of whole) writeFileSync(join(place.folder, each), bytes);
        const bytes = Buffer.from(whole.get(name)!);
        const length = at % bytes.length;
        if (flips !== null) bytes[length]! ^= flips;
        writeFileSync(join(place.folder, name), flips === null ? bytes.subarray(0, length) : bytes);
        const { code, known } = place.open({ folder: place.folder });
        expect(known()).toEqual({});
        expect((await code.refresh()).rebuilt).toMatch(/damaged|foreign version/);
        expect(known()).toEqual(expected);
        await code.dispose();
        expect(place.open().known()).toEqual(expected);
      }),
      { numRuns: Math.max(10, Math.ceil(Number(process.env.BLACK_TEST_RUNS) / 5)) },
    );
  });

  it('INT-12 is built anew where it is of another version or another workspace', async () => {
    await place.store();
    expect(await place.store({ schema: '2' })).toMatchObject({ added: 4, rebuilt: 'foreign version' });
    expect(await place.store({ schema: '2' })).toMatchObject({ unchanged: 4, rebuilt: undefined });
    await using other = await CodePlace.make({ x: 'other' });
    const { code, known } = other.open({ folder: place.folder, schema: '2' });
    expect(await code.refresh()).toMatchObject({ added: 1, rebuilt: 'other workspace' });
    expect(known()).toEqual({ x: 'other' });
  });

  it('INT-12 is built anew where a layer can make no sense of it', async () => {
    await place.store();
    const { code, known } = place.open({
      codec: {
        pack: () => new Uint8Array(),
        unpack: () => {
          throw new RangeError('no such kind');
        },
      },
    });
    expect(await code.refresh()).toMatchObject({ unchanged: 4 });
    await place.workspace.write('a', 'changed');
    await code.refresh();
    await code.dispose();
    const again = place.open();
    expect(await again.code.refresh()).toMatchObject({ added: 4, rebuilt: 'damaged' });
    expect(again.known()).toEqual(await place.cold());
    expect(known()).toEqual(again.known());
  });

  it('INT-12 that cannot be stored is no failure: the report says so', async () => {
    writeFileSync(place.folder, 'in the way');
    const { code, known } = place.open();
    await code.refresh();
    await code.dispose();
    expect(known()).toEqual(await place.cold());
    expect(code.report().notes[0]).toEqual({ path: '.', why: expect.stringContaining('cannot be stored') });
    rmSync(place.folder);
    expect(await place.store()).toMatchObject({ rebuilt: 'none' });
  });

  it('INT-12 is stored a while after a change, without anybody closing it', async () => {
    const { code } = place.open();
    await code.refresh();
    await expect.poll(() => readdirSync(place.folder), { timeout: 20_000 }).toContain('files.bin');
    expect(place.open().known()).toEqual(await place.cold());
  });
});

describe('two processes on one tree', () => {
  it('INT-12 neither loses anything nor sees half a file, and one of them writes', async () => {
    const script = fileURLToPath(new URL('./fixtures/busy-child.ts', import.meta.url));
    const child = (name: string) =>
      runProcess({
        command: process.execPath,
        args: [script, place.workspace.path, place.folder, name, '12'],
        env: { PATH: process.env.PATH },
      });
    const results = await Promise.all([child('one'), child('two')]);
    for (const { stderr } of results) expect(stderr).toBe('');
    const rebuilt = results.flatMap(({ stdout }) => JSON.parse(stdout).rebuilt);
    // Both may have begun before there was anything.
    expect(rebuilt.filter((why) => why !== null && why !== 'none')).toEqual([]);
    const { code, known } = place.open();
    expect((await code.refresh()).rebuilt).toBeUndefined();
    expect(known()).toEqual(await place.cold());
    expect(stored()).toEqual(['files.bin', layersFile()]);
  });

  it('INT-12 the one that may not write answers from its memory, and writes when the other is gone', async () => {
    const [one, two] = [place.open(), place.open()];
    await one.code.refresh();
    await two.code.refresh();
    await one.code.dispose();
    const other = place.open();
    await place.workspace.write('a', 'written by the first');
    await other.code.refresh();
    await other.code.dispose();
    await place.workspace.write('b/c', 'seen by the second');
    await two.code.refresh();
    await two.code.dispose();
    expect(place.open().known()).toEqual(await place.cold());
  });
});
