import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { changesDisk, hookedOps } from '../../changes/fixtures/faulty-ops.ts';
import { type Picture, UndoPlace, unhurriedDisk } from '../fixtures/undo-place.ts';
import { hasUnsettledWork } from '../leftovers.ts';

/** Swaps of files, links and folders by a command: what was there, and what makes it another. */
const SWAPS: [string, string, string][] = [
  ['a folder by a file', 'mkdir swap; echo in > swap/in.txt', 'rm -r swap; echo file > swap'],
  ['a file by folders', 'echo file > swap; chmod 755 swap', 'rm swap; mkdir -p swap/deep; echo in > swap/deep/in.txt'],
  ['a folder by a link', 'mkdir swap; echo in > swap/in.txt', 'rm -r swap; ln -s nowhere swap'],
  ['a file by an empty folder', 'echo file > swap', 'rm swap; mkdir swap'],
  [
    'one file of two by a folder',
    'echo file > swap; echo b > b',
    'rm swap b; mkdir swap; echo in > swap/in; echo c > c',
  ],
];

let place: UndoPlace;
afterEach(() => place.dispose());

async function lay(first: string, line: string): Promise<{ before: Picture; after: Picture }> {
  place?.dispose();
  place = new UndoPlace({ ops: unhurriedDisk });
  place.shell(first);
  const before = place.picture();
  await place.command(line);
  return { before, after: place.picture() };
}

const undo = ({ manager }: UndoPlace) => manager.restore({ sessionId: 's1' });
const redo = ({ manager }: UndoPlace) => manager.redo('s1');
const isUnsettled = () => hasUnsettledWork(place.store);

/** Undoes and redoes; every byte comes back each time. */
async function expectThereAndBack(before: Picture, after: Picture, where: string): Promise<void> {
  if (place.manager.list('s1').some(({ files }) => files.some(({ state }) => state === 'pending'))) {
    expect(await undo(place), where).toMatchObject({ ok: true, skipped: [] });
  }
  expect(place.picture(), where).toEqual(before);
  for (const [act, picture] of [[redo, after] as const, [undo, before] as const]) {
    expect(await act(place), where).toMatchObject({ ok: true, skipped: [] });
    expect(place.picture(), where).toEqual(picture);
  }
  expect(isUnsettled(), where).toBe(false);
}

/** How many changes of the disk an act makes. */
async function countChanges(act: (place: UndoPlace) => Promise<unknown>): Promise<number> {
  const { ops, steps } = hookedOps(() => undefined, unhurriedDisk, changesDisk);
  await act(new UndoPlace({ base: place.base, ops }));
  return steps();
}

const died = (acting: Promise<unknown>) => acting.catch(() => undefined);

describe('a restore of two steps whose process dies', { timeout: 240_000 }, () => {
  it.each(SWAPS)('IDE-48, IDE-50 is whole after the next start, wherever it was killed: %s', async (_, first, line) => {
    for (const isRedo of [false, true]) {
      await lay(first, line);
      if (isRedo) await undo(place);
      const changes = await countChanges(isRedo ? redo : undo);
      for (let at = 1; at <= changes; at += 1) {
        const { before, after } = await lay(first, line);
        if (isRedo) await undo(place);
        await died((isRedo ? redo : undo)(place.dying(at)));
        place = await place.reborn();
        const where = `${isRedo ? 'redo' : 'undo'} killed at ${at}`;
        expect([before, after], where).toContainEqual(place.picture());
        expect(isUnsettled(), where).toBe(false);
        await expectThereAndBack(before, after, where);
      }
    }
  });

  it('IDE-48, IDE-50 is whole when what settles it is killed as well', async () => {
    const [, first, line] = SWAPS[0] ?? ['', '', ''];
    await lay(first, line);
    const changes = await countChanges(undo);
    const halves: number[] = [];
    for (let at = 1; at <= changes; at += 1) {
      await lay(first, line);
      await died(undo(place.dying(at)));
      if (isUnsettled()) halves.push(at);
    }
    for (const at of [halves[0], halves[Math.floor(halves.length / 2)], halves.at(-1)]) {
      for (let again = 1, settling = 1; again <= settling; again += 1) {
        const { before, after } = await lay(first, line);
        await died(undo(place.dying(at ?? 0)));
        if (again === 1) settling = await countChanges((other) => other.settle());
        else await died(place.dying(again).settle());
        place = await place.reborn();
        const where = `killed at ${at}, then at ${again}`;
        expect([before, after], where).toContainEqual(place.picture());
        await expectThereAndBack(before, after, where);
      }
    }
  });

  it('IDE-50 says so, and loses nothing, where somebody has put a file in the way meanwhile', async () => {
    const [, first, line] = SWAPS[0] ?? ['', '', ''];
    const { before, after } = await lay(first, line);
    const { ops } = hookedOps(
      (_, name, args) => {
        if (name === 'open' && String(args[0]).includes('.new.black-tmp')) throw new Error('killed');
        if (dead) throw new Error('killed');
        dead ||= name === 'rmdir' || name === 'mkdir';
      },
      unhurriedDisk,
      changesDisk,
    );
    let dead = false;
    await died(undo(new UndoPlace({ base: place.base, ops })));
    const theirs = join(place.root, 'swap', 'theirs.txt');
    writeFileSync(theirs, 'theirs');
    place = await place.reborn();
    expect(isUnsettled()).toBe(true);
    const refused = await undo(place);
    expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(place.picture()).toEqual({ './swap/theirs.txt': '644 theirs' });
    place.shell('rm swap/theirs.txt');
    await expectThereAndBack(before, after, 'once it is out of the way');
  });
});
