import { afterEach, describe, expect, it } from 'vitest';
import { type FileOps, nodeFileOps } from '../changes/file-ops.ts';
import { dyingOps, hookedOps, systemError } from '../changes/fixtures/faulty-ops.ts';
import { UndoPlace } from './fixtures/undo-place.ts';

/** The disk, but for waiting until it has written. */
const disk: FileOps = { ...nodeFileOps, fsync: async () => undefined };
/** A deep run fails at every system call; others at one in so many, from a place that the seed chooses. */
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 11;
const FIRST = 1 + (Number(process.env.BLACK_TEST_SEED) % EVERY);
const OLD = { 'a.txt': 'one\ntwo\n', 'b.bin': '\0\u0001' };
const NEW = { 'a.txt': 'one\nTWO\n', 'b.bin': '\0\u0002', 'sub/c.txt': 'made\n' };

const places: UndoPlace[] = [];

afterEach(() => {
  for (const place of places.splice(0)) place.dispose();
});

async function picture(place: UndoPlace): Promise<Record<string, string>> {
  const names = place.shell('find . -type f').trim().split('\n').sort();
  const rows = await Promise.all(names.map(async (name) => [name.slice(2), await place.read(name)] as const));
  return Object.fromEntries(rows);
}

function laidOut(): UndoPlace {
  const place = new UndoPlace({ ops: disk });
  places.push(place);
  for (const [name, content] of Object.entries(OLD)) place.put(name, content);
  return place;
}

/** Another process that comes later, on a disk that works. */
async function reborn({ base }: UndoPlace): Promise<UndoPlace> {
  const next = new UndoPlace({ base, ops: disk });
  next.shell(`rm -rf ${JSON.stringify(`${base}/home/journal/commit.lock`)}`);
  await next.journal.recover();
  return next;
}

/** How many system calls the act takes, on a disk that works. */
async function count(
  act: (place: UndoPlace) => Promise<unknown>,
  before: (place: UndoPlace) => Promise<unknown>,
): Promise<number> {
  const place = laidOut();
  await before(place);
  const { ops, steps } = hookedOps(() => undefined, disk);
  await act(new UndoPlace({ base: place.base, ops }));
  return steps();
}

const edit = (place: UndoPlace) => place.edit(NEW);
const undo = (place: UndoPlace) => place.manager.restore({ sessionId: 's1', messageId: 'm1' });

describe('checkpoints when the disk fails', { timeout: 240_000 }, () => {
  it.each(['ENOSPC', 'EIO'])(
    'IDE-48 an edit that meets %s at any system call happens with its checkpoint, or not at all',
    async (code) => {
      const total = await count(edit, async () => undefined);
      for (let at = FIRST; at <= total; at += EVERY) {
        const place = laidOut();
        const { ops } = hookedOps((step) => {
          if (step === at) throw systemError(code);
        }, disk);
        const failing = new UndoPlace({ base: place.base, ops });
        const result = await edit(failing).catch((cause: Error) => ({ ok: false as const, error: cause }));
        const after = await reborn(place);
        const now = await picture(after);
        const where = `${code} at ${at} of ${total}: ${result.ok}`;
        expect([OLD, NEW], where).toContainEqual(now);
        const isNew = 'sub/c.txt' in now;
        if (result.ok) expect(isNew, where).toBe(true);
        expect(after.manager.list('s1').length, where).toBe(isNew ? 1 : 0);
        if (isNew) expect(await undo(after), where).toMatchObject({ ok: true });
        expect(await picture(after), where).toEqual(OLD);
      }
    },
  );

  it.each(['ENOSPC', 'EIO'])(
    'IDE-50 a restore that meets %s at any system call happens, or can be done again',
    async (code) => {
      const total = await count(undo, edit);
      for (let at = FIRST; at <= total; at += EVERY) {
        const place = laidOut();
        await edit(place);
        const { ops } = hookedOps((step) => {
          if (step === at) throw systemError(code);
        }, disk);
        const result = await undo(new UndoPlace({ base: place.base, ops })).catch((cause: Error) => ({
          ok: false as const,
          error: cause,
        }));
        const after = await reborn(place);
        const where = `${code} at ${at} of ${total}: ${result.ok}`;
        const now = await picture(after);
        expect([OLD, NEW], where).toContainEqual(now);
        const isDone = !('sub/c.txt' in now);
        if (result.ok) expect(isDone, where).toBe(true);
        const states = after.manager.list('s1')[0]?.files.map(({ state }) => state);
        expect(new Set(states), where).toEqual(new Set([isDone ? 'restored' : 'pending']));
        if (isDone) expect(await after.manager.redo('s1'), where).toMatchObject({ ok: true });
        expect(await picture(after), where).toEqual(NEW);
        expect(await undo(after), where).toMatchObject({ ok: true });
      }
    },
  );

  it('IDE-48 an edit and a restore that are killed before any change of the disk are whole, and their checkpoints are true', async () => {
    for (const [act, before] of [
      [edit, async () => undefined],
      [undo, edit],
    ] as const) {
      const total = await count(act, before);
      for (let at = FIRST; at <= total; at += EVERY) {
        const place = laidOut();
        await before(place);
        await act(new UndoPlace({ base: place.base, ops: dyingOps(at, disk) })).catch(() => undefined);
        const after = await reborn(place);
        const now = await picture(after);
        expect([OLD, NEW], `killed at ${at}`).toContainEqual(now);
        const states = after.manager.list('s1').flatMap(({ files }) => files.map(({ state }) => state));
        const isNew = 'sub/c.txt' in now;
        const expected = isNew ? ['pending'] : act === edit ? [] : ['restored'];
        expect([...new Set(states)], `killed at ${at}`).toEqual(expected);
        if (isNew) await undo(after);
        expect(await picture(after), `killed at ${at}`).toEqual(OLD);
      }
    }
  });

  it('IDE-48 a manifest that was cut off anywhere loses at most what was not yet told as done', async () => {
    const place = laidOut();
    await edit(place);
    const path = `${place.store}/manifest.ndjson`;
    const size = Number(place.shell(`stat -c %s ${path}`));
    for (let cut = size - 1; cut > 0; cut -= 7) {
      const copy = laidOut();
      copy.shell(`mkdir -p ${copy.store}; head -c ${cut} ${path} > ${copy.store}/manifest.ndjson`);
      expect(copy.manager.list('s1')).toEqual([]);
      await copy.edit({ 'a.txt': 'again\n' });
      expect(copy.manager.list('s1')).toHaveLength(1);
    }
  });
});
