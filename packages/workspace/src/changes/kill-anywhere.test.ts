import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChangeJournal, recoverChanges } from './change-journal.ts';
import { type FileOps, nodeFileOps } from './file-ops.ts';
import { changesDisk, dyingOps, hookedOps, linklessOps, systemError } from './fixtures/faulty-ops.ts';
import { layOut, snapshot, stageAll } from './fixtures/scenario.ts';
import type { RecoveredChange } from './recover-changes.ts';

/** The disk, but for waiting until it has written: to a killed process's files that makes no difference. */
const disk: FileOps = { ...nodeFileOps, fsync: async () => undefined };
const linklessDisk: FileOps = { ...linklessOps, fsync: async () => undefined };

let bundle: string;
let base: string;
let old: Record<string, string>;
let fresh: Record<string, string>;
let steps: number;
let changes: number;

/** As one file the child starts several times faster, and it is started very often. */
beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'kill-child-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'fixtures', 'kill-child.ts')],
    outfile: join(bundle, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

afterAll(() => rmSync(bundle, { recursive: true, force: true }));

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'kill-'));
  const count = async (counts?: typeof changesDisk): Promise<number> => {
    const { root, journal } = lay('count');
    old = snapshot(root);
    const { ops, steps: counted } = hookedOps(() => undefined, nodeFileOps, counts);
    expect(await (await stageAll(root, journal, ops)).commit()).toMatchObject({ ok: true });
    fresh = snapshot(root);
    return counted();
  };
  [steps, changes] = [await count(), await count(changesDisk)];
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A fresh copy of the scenario in a folder of its own. */
function lay(name: string): { root: string; journal: string } {
  const folder = join(base, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return layOut(folder);
}

function run(...args: string[]): Promise<{ signal: NodeJS.Signals | null; code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(bundle, 'child.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

/** All files are old or all are new, nothing is left over, and recovery said which. */
function expectWhole(root: string, journal: string, recovered: RecoveredChange[], where: string): void {
  const now = snapshot(root);
  const isNew = 'new/deep/made.txt' in now;
  expect(now, where).toEqual(isNew ? fresh : old);
  expect(existsSync(journal) ? readdirSync(journal) : [], where).toEqual([]);
  for (const { outcome, conflicts } of recovered) {
    expect([outcome, conflicts], where).toEqual([isNew ? 'completed' : 'undone', []]);
  }
}

describe('a change set whose process dies', { timeout: 240_000 }, () => {
  it('IDE-52 is all old or all new after SIGKILL before every change that a real process makes to the disk', async () => {
    const seen = { old: 0, new: 0 };
    const killAt = async (at: number): Promise<void> => {
      const { root, journal } = lay(`real-${at}`);
      const { signal } = await run('commit', root, journal, String(at));
      expect(signal).toBe('SIGKILL');
      const recovered = await recoverChanges({ folder: journal });
      expectWhole(root, journal, recovered, `killed at ${at}`);
      seen['new/deep/made.txt' in snapshot(root) ? 'new' : 'old'] += 1;
    };
    const numbers = Array.from({ length: changes }, (_, n) => n + 1);
    const worker = async () => {
      for (let at = numbers.shift(); at !== undefined; at = numbers.shift()) await killAt(at);
    };
    await Promise.all([worker(), worker()]);
    expect(seen.old + seen.new).toBe(changes);
    expect(Math.min(seen.old, seen.new)).toBeGreaterThan(5);
    const { root, journal } = lay('alive');
    expect(await run('commit', root, journal, '0')).toMatchObject({ code: 0, output: String(changes) });
    expectWhole(root, journal, [], 'not killed');
  });

  it.each([
    ['with', disk],
    ['without', linklessDisk],
  ])('IDE-52 is so too when the recovery itself is killed, again and again, %s hard links', async (_, on) => {
    for (let at = 1; at <= changes + 5; at += 1) {
      for (const again of [1, 3, 8, 15]) {
        const { root, journal } = lay('twice');
        const recover = (ops: FileOps) => recoverChanges({ folder: journal, ops }).catch(() => []);
        await (await stageAll(root, journal, dyingOps(at, on))).commit().catch(() => undefined);
        const killed = [...(await recover(dyingOps(again, on))), ...(await recover(dyingOps(again + 1, on)))];
        const settled = killed.filter(({ outcome }) => outcome !== 'stuck');
        const recovered = await recoverChanges({ folder: journal, ops: on });
        expectWhole(root, journal, [...settled, ...recovered], `killed at ${at}, then at ${again}`);
      }
    }
  });

  it('IDE-52 leaves alone what a person changed before the recovery, and says so', async () => {
    const users = 'by the user\n';
    const edits = [
      (file: string) => writeFileSync(file, users),
      (file: string) => {
        writeFileSync(`${file}.new`, users);
        renameSync(`${file}.new`, file);
      },
    ];
    for (const edit of edits) {
      for (let at = 1; at <= changes; at += 1) {
        const { root, journal } = lay('user');
        await (await stageAll(root, journal, dyingOps(at, disk))).commit().catch(() => undefined);
        const wasNew = snapshot(root)['text.txt'] === fresh['text.txt'];
        edit(join(root, 'text.txt'));
        const [recovered] = await recoverChanges({ folder: journal });
        const { 'text.txt': text, ...others } = snapshot(root);
        const { 'text.txt': _, ...expected } = 'new/deep/made.txt' in others ? fresh : old;
        expect(text, `killed at ${at}`).toBe(`644 ${users}`);
        expect(others, `killed at ${at}`).toEqual(expected);
        const isOpen = recovered?.outcome === 'completed' && !wasNew;
        expect(recovered?.conflicts ?? [], `killed at ${at}`).toEqual(isOpen ? [join(root, 'text.txt')] : []);
      }
    }
  });

  it('IDE-52 is settled as far as it can be when the workspace is gone', async () => {
    for (const at of [10, changes - 8]) {
      const { root, journal } = lay('removed');
      await (await stageAll(root, journal, dyingOps(at, disk))).commit().catch(() => undefined);
      rmSync(root, { recursive: true });
      expect(await recoverChanges({ folder: journal })).toHaveLength(1);
      expect(readdirSync(journal)).toEqual([]);
    }
  });

  it('IDE-52 is settled by the next commit, and its label told', async () => {
    const { root, journal } = lay('next');
    await (await stageAll(root, journal, dyingOps(changes - 5, disk)))
      .commit(undefined, { label: 'call-7' })
      .catch(() => undefined);
    const told: RecoveredChange[] = [];
    const next = new ChangeJournal({ folder: journal, onRecovered: (changes) => told.push(...changes) });
    await next.exclusive(undefined, async () => undefined);
    expect(told).toMatchObject([{ label: 'call-7' }]);
    expectWhole(root, journal, told, 'next commit');
  });
});

describe('a change set that meets an error', { timeout: 240_000 }, () => {
  it.each([
    ['ENOSPC', disk],
    ['EACCES', disk],
    ['EROFS', disk],
    ['EIO', linklessDisk],
  ])('IDE-52 changes nothing, or everything, with %s at any system call', async (code, on) => {
    for (let at = 1; at <= steps + 10; at += 1) {
      const { root, journal } = lay('fault');
      const { ops } = hookedOps((step) => {
        if (step === at) throw systemError(code);
      }, on);
      const result = await (await stageAll(root, journal, ops)).commit();
      const where = `${code} at ${at}: ${result.ok ? 'ok' : result.error.code}`;
      if (result.ok || result.error.code === 'rollback_failed') {
        expectWhole(root, journal, await recoverChanges({ folder: journal }), where);
        if (result.ok) expect(snapshot(root), where).toEqual(fresh);
      } else {
        expect(snapshot(root), where).toEqual(old);
        expect(readdirSync(journal), where).toEqual([]);
        expect(result.error.next, where).toBeTruthy();
        expect(result.error.code, where).not.toBe('internal');
      }
    }
  });

  it('IDE-52 property: is whole again after a recovery, however the disk fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 30 })), async (chances) => {
        const { root, journal } = lay('random');
        const { ops } = hookedOps(() => {
          if (chances.next().value === 0) throw systemError('EIO');
        }, disk);
        await (await stageAll(root, journal, ops)).commit();
        await recoverChanges({ folder: journal, ops }).catch(() => []);
        await recoverChanges({ folder: journal });
        const now = snapshot(root);
        expect(now).toEqual('new/deep/made.txt' in now ? fresh : old);
        expect(readdirSync(journal)).toEqual([]);
      }),
    );
  });
});
