import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { killAnywhere, startProcess } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { UndoPlace } from './fixtures/undo-place.ts';

const CHILD = join(import.meta.dirname, 'fixtures', 'busy-child.ts');
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 17;
const places: UndoPlace[] = [];

afterEach(() => {
  for (const place of places.splice(0)) place.dispose();
});

function laidOut(): UndoPlace {
  const place = new UndoPlace();
  places.push(place);
  return place;
}

describe('a store that several processes use', { timeout: 600_000 }, () => {
  it('IDE-49 loses nothing pending while others write, keep and make room', async () => {
    const place = laidOut();
    const names = ['a', 'b', 'c'];
    await Promise.all(
      names.map((name) => promisify(execFile)(process.execPath, [CHILD, place.base, name, '12', '100000'])),
    );
    for (const name of names) {
      const pending = place.manager.list(name).filter(({ files }) => files[0]?.state === 'pending');
      expect(pending.map(({ messageId }) => messageId)).toEqual([1, 3, 5, 7, 9, 11].map((n) => `${name}-${n}`));
      const last = await place.manager.restore({ sessionId: name, messageId: `${name}-11` });
      expect(last).toMatchObject({ ok: true });
      expect((await place.read(`${name}-11.bin`)).length).toBe(20_002);
    }
    expect(readdirSync(place.store).sort()).toEqual(['blobs', 'manifest.ndjson', 'over-cap']);
  });

  it('IDE-49 making room may be killed anywhere: what is pending stays, and can be taken back', async () => {
    const { kills } = await killAnywhere<UndoPlace>({
      points: { by: 'fs-steps', roots: ({ base }) => [base] },
      setUp: async () => laidOut(),
      start: (place, env) =>
        startProcess({
          command: process.execPath,
          args: [CHILD, place.base, 'k', '6', '40000'],
          env: { PATH: process.env.PATH ?? '', ...env },
        }),
      check: async (place) => {
        await place.journal.recover();
        const pending = place.manager.list('k').filter(({ files }) => files[0]?.state === 'pending');
        const [newest] = pending.slice(-1);
        if (!newest) return;
        expect(await place.manager.restore({ sessionId: 'k', messageId: newest.messageId })).toMatchObject({
          ok: true,
        });
        await place.manager.enforceCap();
        expect(await place.manager.redo('k')).toMatchObject({ ok: true });
      },
      tearDown: async (place) => place.dispose(),
      every: EVERY,
      from: 1 + (Number(process.env.BLACK_TEST_SEED) % EVERY),
    });
    expect(kills).toBeGreaterThan(2);
  });
});
