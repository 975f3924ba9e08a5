import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '../../stores/errno.ts';
import { type IndexEntry, parseGitIndex } from './git-index.ts';

/** Git is asked for its settings and for blobs, nothing else; a repository that keeps it waiting is not asked again. */
const PATIENCE_MS = 10_000;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** Attributes by which the bytes in the working tree are others than those of the blob. */
const CONVERTING = /(?:^|\s)(?:text|crlf|eol|filter|ident|working-tree-encoding)(?:\s|=|$)/m;

/** How git is run: nothing of the repository's own is run, nothing is written, nothing is fetched. */
export interface GitProgram {
  path: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A repository's index as it lies on the disk, for its working tree at `top`. Only reads. */
export class GitRepository {
  readonly top: string;
  /** The files that git tracks, by their path from `top`. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Milliseconds since the epoch: an entry that is not older may have changed after it was taken in. */
  readonly writtenMs: number;
  readonly #gitDir: string;
  readonly #program: GitProgram;
  readonly #stamp: string;
  #folders: Set<string> | undefined;

  private constructor(top: string, gitDir: string, program: GitProgram, bytes: Buffer, stats: Stats) {
    this.top = top;
    this.#gitDir = gitDir;
    this.#program = program;
    this.#stamp = stampOf(stats);
    this.writtenMs = stats.mtimeMs;
    this.entries = parseGitIndex(bytes, idBytesOf(gitDir)) ?? new Map();
  }

  /**
   * The repository whose working tree begins at this folder; undefined where there is none that can be read.
   * @param known from an earlier look: taken again where its index is still the same file
   */
  static at(top: string, program: GitProgram, known?: GitRepository): GitRepository | undefined {
    try {
      const gitDir = gitDirOf(top);
      const path = join(gitDir, 'index');
      const stats = statSync(path);
      if (!stats.isFile() || stats.size > MAX_INDEX_BYTES) return undefined;
      const isKnown = known?.top === top && known.#gitDir === gitDir && known.#stamp === stampOf(stats);
      return isKnown ? known : new GitRepository(top, gitDir, program, readFileSync(path), stats);
    } catch (cause) {
      if (errnoOf(cause) === undefined) throw cause;
      return undefined;
    }
  }

  /** Whether git tracks anything below this folder, given from `top`. */
  tracksIn(folder: string): boolean {
    this.#folders ??= foldersOf(this.entries.keys());
    return this.#folders.has(folder);
  }

  /**
   * Whether a file whose stat data are those of the index holds the bytes of its blob: nothing converts line ends, no
   * filter is in force. Otherwise each file has to be read once.
   */
  async isPlain(attributeFiles: readonly string[]): Promise<boolean> {
    const settings = await readSettings(this.#program, this.#gitDir, this.top);
    if (!settings) return false;
    const autocrlf = settings.get('core.autocrlf');
    if (autocrlf !== undefined && !/^(false|no|off|0)$/i.test(autocrlf)) return false;
    const { HOME = '', XDG_CONFIG_HOME } = this.#program.env;
    const configured = settings.get('core.attributesfile')?.replace(/^~(?=\/)/, HOME);
    const common = join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'attributes');
    const own = [join(this.#gitDir, 'info', 'attributes'), configured ?? common, '/etc/gitattributes'];
    return ![...own, ...attributeFiles].some((path) => CONVERTING.test(textOf(path)));
  }

  /** The id that git gives to these bytes. */
  idOf(bytes: Uint8Array, like: string): string {
    const header = Buffer.from(`blob ${bytes.length}\0`);
    return hash(like.length === 64 ? 'sha256' : 'sha1', Buffer.concat([header, bytes]), 'hex');
  }

  /** The bytes of blobs; what is missing or not what its id says is left out. */
  async blobs(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    if (ids.length === 0) return found;
    const output = await run(this.#program, this.#gitDir, this.top, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
    let at = 0;
    while (output && at < output.length) {
      const line = output.indexOf(10, at);
      if (line < 0) break;
      const [id = '', type, size] = output.toString('latin1', at, line).split(' ');
      at = line + 1;
      if (type !== 'blob') {
        if (size === undefined) continue;
        at += Number(size) + 1;
        continue;
      }
      const bytes = Buffer.from(output.subarray(at, at + Number(size)));
      if (this.idOf(bytes, id) === id) found.set(id, bytes);
      at += Number(size) + 1;
    }
    return found;
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':');
}

function gitDirOf(top: string): string {
  const path = join(top, '.git');
  const stats = statSync(path);
  if (stats.isDirectory()) return path;
  // Whoever opens a pipe waits for its other end.
  if (!stats.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'EINVAL' });
  const match = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(path, 'utf8'));
  return resolve(dirname(path), match?.[1] ?? '');
}

/** What git itself says is known only later; a repository with SHA-256 says so in its own file. */
function idBytesOf(gitDir: string): number {
  return /^\s*objectformat\s*=\s*sha256/im.test(textOf(join(gitDir, 'config'))) ? 32 : 20;
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : '';
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return '';
  }
}

/** All settings that are in force, the last of each; undefined where git does not tell. */
async function readSettings(
  program: GitProgram,
  gitDir: string,
  top: string,
): Promise<Map<string, string> | undefined> {
  const output = await run(program, gitDir, top, ['config', '-z', '--list'], '');
  if (!output) return undefined;
  const settings = new Map<string, string>();
  for (const item of output.toString('utf8').split('\0')) {
    const [key = '', value = 'true'] = item.split(/\n(.*)/s);
    settings.set(key.toLowerCase(), value);
  }
  return settings;
}

/** Undefined where git is not there, fails, or does not come to an end. */
function run(
  { path, env }: GitProgram,
  gitDir: string,
  top: string,
  args: readonly string[],
  input: string,
): Promise<Buffer | undefined> {
  const { PATH, HOME, XDG_CONFIG_HOME, SYSTEMROOT, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = env;
  return new Promise((done) => {
    const child = spawn(
      path,
      ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', `--git-dir=${gitDir}`, ...args],
      {
        cwd: top,
        env: {
          ...{ PATH, HOME, XDG_CONFIG_HOME, SYSTEMROOT, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM },
          GIT_OPTIONAL_LOCKS: '0',
          GIT_NO_REPLACE_OBJECTS: '1',
          GIT_NO_LAZY_FETCH: '1',
          GIT_TERMINAL_PROMPT: '0',
        },
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
      },
    );
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', () => done(undefined));
    // Whoever ends before it has read everything is told apart by its exit code.
    child.stdin.on('error', () => undefined);
    child.on('close', (code) => done(code === 0 ? Buffer.concat(chunks) : undefined));
    child.stdin.end(input);
  });
}
