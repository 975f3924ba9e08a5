import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killAnywhere, startProcess } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SectionWriter } from './sections.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** A folder of this test alone, and the one in it that does not exist yet. */
let place: string;
let folder: string;
const stores: SnapshotStore[] = [];
/** Every how many-th step it is killed at. */
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 3;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'snapshot-store-'));
  folder = join(place, 'made', 'later');
});

afterEach(() => {
  for (const store of stores.splice(0)) store.dispose();
  rmSync(place, { recursive: true, force: true });
});

function open(options: { folder?: string; root?: string; schema?: string } = {}): SnapshotStore {
  const store = new SnapshotStore({ folder, root: '/w', schema: '1', ...options });
  stores.push(store);
  return store;
}

const value = (content: unknown) => (writer: SectionWriter) => writer.value('content', content);

function loaded(store: SnapshotStore): unknown {
  const found = store.load();
  return found && [found.files.value('content'), found.layers.value('content')];
}

async function saved(files: string, layers?: string): Promise<SnapshotStore> {
  const store = open();
  expect(store.claim()).toBe(true);
  await store.save({ files: value(files), layers: layers === undefined ? undefined : value(layers) });
  return store;
}

describe('SnapshotStore', () => {
  it('INT-12 gives back what was stored last, the layers as they were stored as a whole', async () => {
    expect(loaded(open())).toBeUndefined();
    const store = await saved('one', 'all');
    expect(loaded(open())).toEqual(['one', 'all']);
    await store.save({ files: value('two') });
    expect(loaded(open())).toEqual(['two', 'all']);
    await store.save({ files: value('three'), layers: value('more') });
    expect(loaded(open())).toEqual(['three', 'more']);
    store.dispose();
    expect(readdirSync(folder).sort()).toEqual(['files.bin', expect.stringMatching(/^layers-\w+\.bin$/)]);
  });

  it('INT-12 does not touch the disk before something is stored', () => {
    open().load();
    expect(existsSync(folder)).toBe(false);
  });

  it('INT-12 says why it cannot be used: another workspace, another schema, a part that is missing or damaged', async () => {
    (await saved('one', 'all')).dispose();
    expect(() => open({ root: '/other' }).load()).toThrow(expect.objectContaining({ reason: 'other workspace' }));
    expect(() => open({ schema: '2' }).load()).toThrow(expect.objectContaining({ reason: 'foreign version' }));
    const layers = readdirSync(folder).find((name) => name.startsWith('layers-'))!;
    writeFileSync(join(folder, layers), 'x');
    expect(() => open().load()).toThrow(expect.objectContaining({ reason: 'damaged' }));
    rmSync(join(folder, layers));
    expect(() => open().load()).toThrow(expect.objectContaining({ reason: 'damaged' }));
    const store = open();
    store.claim();
    expect(store.canAdd).toBe(false);
    await store.save({ files: value('two'), layers: value('new') });
    expect(loaded(open())).toEqual(['two', 'new']);
  });

  it('INT-12 lets one write at a time; who comes after it writes everything, once', async () => {
    const first = await saved('one', 'all');
    const second = open();
    expect(loaded(second)).toEqual(['one', 'all']);
    expect(second.claim()).toBe(false);
    await first.save({ files: value('two'), layers: value('more') });
    first.dispose();
    expect([second.claim(), second.canAdd]).toEqual([true, false]);
    await second.save({ files: value('three'), layers: value('own') });
    expect(second.canAdd).toBe(true);
    const third = open();
    expect(loaded(third)).toEqual(['three', 'own']);
    second.dispose();
    expect([third.claim(), third.canAdd]).toEqual([true, true]);
  });

  it('INT-12 may be killed anywhere: what is found is one of the snapshots as a whole', async () => {
    const child = fileURLToPath(new URL('./fixtures/save-child.ts', import.meta.url));
    const found = new Set<unknown>();
    const { kills } = await killAnywhere<string>({
      points: { by: 'fs-steps', roots: (at) => [at] },
      every: EVERY,
      setUp: async () => mkdtempSync(join(place, 'run-')),
      start: (at, env) =>
        startProcess({
          command: process.execPath,
          args: [child, at],
          env: { PATH: process.env.PATH ?? '', ...env },
        }),
      check: async (at, { killed }) => {
        const content = loaded(open({ folder: join(at, 'index') }));
        found.add(String(content));
        if (!killed) expect(content).toEqual(['3', '3']);
        expect(['undefined', '1,1', '2,1', '3,3']).toContain(String(content));
      },
    });
    expect(kills).toBeGreaterThan(10);
    expect(found.size).toBe(4);
  }, 120_000);
});
