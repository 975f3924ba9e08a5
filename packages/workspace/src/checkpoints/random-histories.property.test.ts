import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UndoPlace, unhurriedDisk } from './fixtures/undo-place.ts';

/** Of the thousand histories of a deep run, a twentieth in others. */
const RUNS = Math.min(Math.max(Math.round(Number(process.env.BLACK_TEST_RUNS) / 2), 1), 1_000);
const ALONE = Math.ceil(RUNS * 0.6);
const WITH_USER = RUNS - ALONE;

/** `swap` is a file at one time, and a folder at another. */
const NAMES = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.bin', 'tool.sh', 'swap', 'swap/in.txt'];
/** Files that nobody's history touches, and that no undo may: one is ignored, one belongs to a person. */
const FOREIGN = ['ignored.log', 'foreign/keep.txt'];

const line = fc.constantFrom('one', 'two', 'drei', 'vier ä', '', 'x'.repeat(60), '\tindented');
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, eol, ends]) => Buffer.from(lines.join(eol) + (ends && lines.length > 0 ? eol : '')));
const bytes = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from([0, ...some])) },
  { weight: 1, arbitrary: text.map((some) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), some])) },
  { weight: 1, arbitrary: text.map((some) => Buffer.from(some.toString('latin1').replaceAll('Ã¤', 'ä'), 'latin1')) },
  { weight: 1, arbitrary: text.map((some) => Buffer.from(some.toString(), 'utf16le')) },
);
const name = fc.constantFrom(...NAMES);

/** What may happen to one file: written to, removed, given a mode, replaced by a link, or moved. */
const touch = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), name, bytes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), name, to: name }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('mode' as const), name, mode: fc.constantFrom(0o755, 0o644, 0o600, 0o444) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      name,
      to: fc.constantFrom('a.txt', 'nowhere', '../b.txt'),
    }),
  },
);
type Touch = typeof touch extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      by: fc.constant('tool' as const),
      touches: fc.array(touch, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('command' as const),
      touches: fc.array(touch, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant('killed' as const),
      touches: fc.array(touch, { minLength: 1, maxLength: 2 }),
      at: fc.nat(40),
    }),
  },
);

function gitState(root: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const index = createHash('sha256')
    .update(readFileSync(join(root, '.git/index')))
    .digest('hex');
  return [git('for-each-ref'), git('stash', 'list'), readFileSync(join(root, '.git/HEAD'), 'utf8'), index].join('\n');
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file stands where one of its folders would.
    return undefined;
  }
}

/** Whether a link stands where a folder of the path would: the guard has something to say then. */
function isDiverted(root: string, name: string): boolean {
  return statsOf(dirname(join(root, name)))?.isSymbolicLink() === true;
}

/** Has the folders of a path be folders, and nothing but a file be in its place. */
function makeWay(path: string): void {
  const folder = dirname(path);
  if (statsOf(folder)?.isDirectory() !== true) {
    rmSync(folder, { force: true });
    mkdirSync(folder, { recursive: true });
  }
  if (statsOf(path)?.isDirectory()) rmSync(path, { recursive: true });
}

/** Does to the disk what a shell would. */
function byShell(root: string, touches: readonly Touch[]): void {
  for (const each of touches) {
    const path = join(root, each.name);
    if (each.do === 'write' || each.do === 'link') makeWay(path);
    const stats = statsOf(path);
    switch (each.do) {
      case 'write':
        if (stats?.isSymbolicLink() || (stats && (stats.mode & 0o200) === 0)) rmSync(path);
        writeFileSync(path, each.bytes);
        break;
      case 'remove':
        if (stats) rmSync(path, { recursive: true });
        break;
      case 'move':
        if (!stats || each.to.startsWith(each.name) || each.name.startsWith(each.to)) break;
        makeWay(join(root, each.to));
        rmSync(join(root, each.to), { force: true });
        renameSync(path, join(root, each.to));
        break;
      case 'mode':
        if (stats?.isFile()) chmodSync(path, each.mode);
        break;
      case 'link':
        rmSync(path, { force: true });
        symlinkSync(each.to, path);
    }
  }
}

/** A person saves a file: as a whole, or with something written at its end. */
function byPerson(root: string, name: string, content: Buffer, append: boolean): void {
  const path = join(root, name);
  const stats = statsOf(path);
  if (isDiverted(root, name)) return;
  if (stats && (!stats.isFile() || (stats.mode & 0o200) === 0)) return;
  makeWay(path);
  writeFileSync(path, append && stats ? Buffer.concat([readFileSync(path), content]) : content);
}

/** Does the same as a tool does it, where a tool can. */
async function byTool(place: UndoPlace, touches: readonly Touch[]): Promise<void> {
  for (const each of touches) {
    const stats = statsOf(join(place.root, each.name));
    const isPlain = !stats || (stats.isFile() && (stats.mode & 0o200) !== 0);
    if (!isPlain || isDiverted(place.root, each.name) || (each.do === 'move' && isDiverted(place.root, each.to)))
      continue;
    if (each.do === 'write') await place.edit({ [each.name]: each.bytes });
    if (each.do === 'remove' && stats) await place.edit({ [each.name]: null });
    const isFree = each.do === 'move' && !statsOf(join(place.root, each.to));
    if (each.do === 'move' && stats && isFree) await place.rename(each.name, each.to);
  }
}

async function layOut(start: readonly Touch[]): Promise<UndoPlace> {
  const place = new UndoPlace({ ops: unhurriedDisk });
  place.put('.gitignore', '*.log\n');
  for (const path of FOREIGN) place.put(path, `${path}\n`);
  byShell(place.root, start);
  place.shell(
    'git init -q -b main; git add -A; git commit -qm start; git stash list; echo stashed > .stash; git add .stash; git stash -q',
  );
  return place;
}

/** One step of a history; one that is killed is settled by the next process, as it would be at its start. */
async function play(place: UndoPlace, one: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<UndoPlace> {
  if (one.by === 'tool') {
    await byTool(place, one.touches);
    return place;
  }
  if (one.by === 'command') {
    const watch = await place.manager.beforeCommand({ ...place.origin(), callId: 'c' });
    byShell(place.root, one.touches);
    expect((await watch.settle()).uncovered).toEqual([]);
    watch.end();
    return place;
  }
  await byTool(place.dying(one.at), one.touches).catch(() => undefined);
  return place.reborn();
}

async function undoAll(place: UndoPlace): Promise<boolean> {
  if (!place.manager.list('s1').some(({ files }) => files.some(({ state }) => state === 'pending'))) return false;
  const undone = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
  expect(undone, JSON.stringify(undone)).toMatchObject({ ok: true, skipped: [] });
  return true;
}

describe('random histories', { timeout: 1_800_000 }, () => {
  it('IDE-47 … IDE-51 property: whatever tools and commands did, and wherever they were killed, undo brings every byte back', async () => {
    const history = fc.array(step, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(touch, { maxLength: 6 }), history, fc.nat(60), async (start, steps, killAt) => {
        let place = await layOut(start);
        try {
          const before = place.picture();
          const git = gitState(place.root);
          for (const one of steps) place = await play(place, one);
          const after = place.picture();
          // The restore itself is killed somewhere, and settled by whoever comes next: all of it, or nothing.
          await undoAll(place.dying(killAt)).catch(() => undefined);
          place = await place.reborn();
          expect([before, after]).toContainEqual(place.picture());
          const undone = await undoAll(place);
          expect(place.picture()).toEqual(before);
          expect(gitState(place.root)).toBe(git);
          if (undone || place.manager.canRedo('s1')) {
            const redone = await place.manager.redo('s1');
            expect(redone, JSON.stringify(redone)).toMatchObject({ ok: true });
            expect(place.picture()).toEqual(after);
            await undoAll(place);
            expect(place.picture()).toEqual(before);
          }
          expect(gitState(place.root)).toBe(git);
        } finally {
          place.dispose();
        }
      }),
      { numRuns: ALONE },
    );
  });

  it('IDE-50 property: with a person writing in between, undo merges or refuses, and nothing they wrote is lost', async () => {
    const own = fc.record({ name, bytes, append: fc.boolean() });
    const turn = fc.tuple(step, fc.array(own, { maxLength: 1 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(touch, { maxLength: 6 }),
        fc.array(turn, { minLength: 1, maxLength: 5 }),
        async (start, turns) => {
          let place = await layOut(start);
          try {
            const git = gitState(place.root);
            for (const [one, edits] of turns) {
              place = await play(place, one);
              for (const { name: path, bytes: content, append } of edits) byPerson(place.root, path, content, append);
            }
            const after = place.picture();
            const touched = new Set(
              place.manager.list('s1').flatMap(({ files }) => files.flatMap(({ path, from }) => [path, from])),
            );
            if (touched.size === 0) return;
            const asked = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
            const undone = asked.ok
              ? asked
              : await place.manager.restore({ sessionId: 's1', messageId: 'm1' }, { merge: true });
            const now = place.picture();
            if (!asked.ok && asked.foreign) expect(asked.foreign.length).toBeGreaterThan(0);
            // What the history never touched is as the person left it.
            for (const path of new Set([...Object.keys(after), ...Object.keys(now)])) {
              if (!touched.has(path.slice(2))) expect(now[path], path).toBe(after[path]);
            }
            if (!undone.ok) {
              expect(now).toEqual(after);
              expect(undone.error.code).toMatch(/^(conflict|all_skipped|not_a_folder)$/);
              for (const { path, message } of undone.conflicts ?? []) expect(message).toContain(path);
            } else {
              const redone = await place.manager.redo('s1');
              expect(redone, JSON.stringify(redone)).toMatchObject({ ok: true });
              expect(place.picture()).toEqual(after);
            }
            expect(gitState(place.root)).toBe(git);
          } finally {
            place.dispose();
          }
        },
      ),
      { numRuns: WITH_USER },
    );
  });
});
