import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeJournal,
  ChangeSet,
  type CheckpointManager,
  DiskDocuments,
  openCheckpoints,
  PathGuard,
  type ResolvedPath,
  retractCheckpoint,
} from '../packages/workspace/src/index.ts';
import { median } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

const FILES = 10_000;
const FOLDERS = 200;
const MB = 1024 * 1024;

/** What undo costs: of an edit in time and in room, and of a command in looking before it runs. */
export const checkpoints: Bench = async ({ rounds }) => [
  ...(await anEdit(rounds)),
  await room(),
  ...(await beforeCommands(rounds)),
];

/** What an edit's checkpoint adds to the edit, against writing the same file and waiting for the disk. */
async function anEdit(rounds: number): ReturnType<Bench> {
  using place = new Place();
  const text = sourceText(100 * 1024);
  place.put('a.ts', text);
  await edit(place, text.replace('line 5 ', 'Line 5 '));
  const [plain, checkpointed]: number[][] = [[], []];
  for (let n = 0; n < rounds * 4; n += 1) {
    plain!.push(writeAndSync(join(place.base, `plain-${n}`), Buffer.from(text)));
    const at = 100 + n;
    const { ms, alone } = await edit(place, text.replace(`line ${at} `, `Line ${at} `), `m${n}`);
    checkpointed!.push(ms - alone);
  }
  return [ratioRow('checkpoint of an edit in 100 KB / write + fsync', median(checkpointed!), median(plain!), 3, 'ms')];
}

/** What 100 edits of 1 % of a file of 1 MB leave in the store. */
async function room(): Promise<Awaited<ReturnType<Bench>>[number]> {
  using place = new Place();
  const lines = sourceText(MB).split('\n');
  const share = Math.floor(lines.length / 100);
  place.put('a.ts', lines.join('\n'));
  for (let n = 0; n < 100; n += 1) {
    for (let at = n * share; at < (n + 1) * share; at += 1)
      lines[at] = lines[at]!.replace('const', 'let').replace(/(\d)/, '9$1');
    await edit(place, lines.join('\n'), `m${n}`);
  }
  const stored = sizeOf(place.store) / MB;
  const value = Number(stored.toFixed(2));
  return { what: '100 edits of 1 % of a 1 MB file', ours: `${value} MB`, reference: '-', value, limit: 2, unit: 'MB' };
}

/** A snapshot of a clean repository against reading its folders and asking for each file's stat. */
async function beforeCommands(rounds: number): ReturnType<Bench> {
  using place = new Place();
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    for (let n = 0; n < FILES / FOLDERS; n += 1)
      place.put(`src/d${folder}/f${n}.ts`, `export const f${n} = ${folder};\n`);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.root, env: { ...process.env, ...GIT } });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'start');
  // As in a repository that was not written a moment ago: git's index is to be trusted.
  const later = Date.now() / 1000 + 60;
  utimesSync(join(place.root, '.git', 'index'), later, later);
  const first = await timed(() => snapshot(place.manager));
  const [walks, snapshots]: number[][] = [[], []];
  for (let n = 0; n < Math.max(rounds, 3); n += 1) {
    walks!.push((await timed(async () => statWalk(place.root))).ms);
    snapshots!.push((await timed(() => snapshot(place.manager))).ms);
  }
  const walk = median(walks!);
  return [
    ratioRow(`snapshot of ${FILES} clean files / stat walk`, median(snapshots!), walk, 1.5, 'ms'),
    ratioRow('the first snapshot of a workspace / stat walk', first.ms, walk, 10, 'ms'),
  ];
}

const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.invalid',
};

class Place implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'black-bench-')));
  readonly root = join(this.base, 'work');
  readonly store = join(this.base, 'home', 'checkpoints');
  readonly guard: PathGuard;
  readonly journal: ChangeJournal;
  #manager: Promise<CheckpointManager> | undefined;

  constructor() {
    mkdirSync(this.root);
    this.guard = new PathGuard({ root: this.root });
    const folder = join(this.base, 'home', 'journal');
    this.journal = new ChangeJournal({ folder, onUndone: (label) => retractCheckpoint(this.store, label) });
  }

  get manager(): Promise<CheckpointManager> {
    const { store: folder, guard, journal } = this;
    const env = { PATH: process.env.PATH, HOME: join(this.base, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
    this.#manager ??= openCheckpoints({ folder, guard, journal, env, exclude: [] });
    return this.#manager;
  }

  put(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Edits the file with its checkpoint. `alone`: what the same edit took just before without one, elsewhere. */
async function edit(place: Place, text: string, messageId = 'm'): Promise<{ ms: number; alone: number }> {
  const { manager, guard, journal } = place;
  const opened = await manager;
  const set = async (name: string): Promise<ChangeSet> => {
    const path = guard.resolve(name, 'write') as ResolvedPath;
    const read = await new DiskDocuments().read(path.real);
    const base = read.ok ? read.document : ('absent' as const);
    return new ChangeSet({ guard, journal }).write(path, Buffer.from(text), { base });
  };
  const bare = await set('bare.ts');
  const alone = await timed(() => bare.commit());
  const full = await set('a.ts');
  const { ms } = await timed(() => opened.commit(full, { sessionId: 's', messageId }));
  return { ms, alone: alone.ms };
}

async function snapshot(manager: Promise<CheckpointManager>): Promise<void> {
  const watch = await (await manager).beforeCommand({ sessionId: 's', messageId: 'm', callId: 'c' });
  watch.end();
}

function statWalk(folder: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += statWalk(path);
    else count += lstatSync(path).isFile() ? 1 : 0;
  }
  return count;
}

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await run();
  return { ms: performance.now() - started, value };
}

function writeAndSync(path: string, bytes: Uint8Array): number {
  const started = performance.now();
  const fd = openSync(path, 'w');
  writeSync(fd, bytes);
  fsyncSync(fd);
  closeSync(fd);
  return performance.now() - started;
}

/** Text that looks like code and compresses like it. */
function sourceText(size: number): string {
  const lines: string[] = [];
  for (let n = 0, length = 0; length < size; n += 1) {
    const line = `const value${(n * 7919) % 10_007} = compute(${(n * 104_729) % 65_537}, '${((n * 48_271) % 2_147_483_647).toString(36)}'); // line ${n} `;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
