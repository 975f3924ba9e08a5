import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** A file's bytes, or text (written as UTF-8). */
export type FileContent = string | Uint8Array;

export interface TempWorkspaceOptions {
  /** Relative path → content; folders are made as needed. */
  files?: Record<string, FileContent>;
  /** Make it a git repository with all files in one commit, independent of the machine's git settings. */
  git?: boolean;
  /** Start of the folder's name. */
  prefix?: string;
}

/** One entry of a snapshot; `mode` is the permission bits. */
export type SnapshotEntry =
  | { kind: 'file'; bytes: Buffer; mode: number }
  | { kind: 'directory'; mode: number }
  | { kind: 'symlink'; target: string }
  | { kind: 'other' };

/** Relative path (with `/`) → entry, sorted by path. Two equal snapshots mean equal trees, byte for byte. */
export type Snapshot = Record<string, SnapshotEntry>;

export interface TempWorkspace {
  /** Real path of the folder; readable by its owner alone. */
  path: string;
  /** Absolute path of something inside. */
  at(...parts: string[]): string;
  write(file: string, content: FileContent): Promise<void>;
  read(file: string): Promise<string>;
  readBytes(file: string): Promise<Buffer>;
  /** The whole tree, without `.git` unless asked for. Does not follow symlinks. */
  snapshot(options?: { git?: boolean }): Promise<Snapshot>;
  /** Runs git inside and returns its stdout. Rejects with git's message when it fails. */
  git(...args: string[]): Promise<string>;
  /** Removes the folder, also where permissions were taken away inside. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
  GIT_TERMINAL_PROMPT: '0',
};

const run = promisify(execFile);

/** Makes a real folder under the system's temporary folder, filled with `files`. The caller disposes it. */
export async function createTempWorkspace(options: TempWorkspaceOptions = {}): Promise<TempWorkspace> {
  const made = await mkdtemp(join(tmpdir(), options.prefix ?? 'black-test-'));
  const path = await realpath(made);
  await chmod(path, 0o700);
  const at = (...parts: string[]) => join(path, ...parts);

  const write = async (file: string, content: FileContent): Promise<void> => {
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), content);
  };
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: path, env: { ...process.env, ...GIT_ENVIRONMENT } });
    return stdout;
  };
  const dispose = async (): Promise<void> => {
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  };

  for (const [file, content] of Object.entries(options.files ?? {})) await write(file, content);
  if (options.git === true) {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'Start');
  }
  return {
    path,
    at,
    write,
    read: async (file) => await readFile(at(file), 'utf8'),
    readBytes: async (file) => await readFile(at(file)),
    snapshot: async (wanted) => await snapshotTree(path, wanted?.git === true ? [] : ['.git']),
    git,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Reads a tree: bytes and permissions of files, targets of symlinks, kinds of all else. `skip` names top entries. */
export async function snapshotTree(root: string, skip: readonly string[] = []): Promise<Snapshot> {
  const found: [string, SnapshotEntry][] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const name of await readdir(folder)) {
      if (folder === root && skip.includes(name)) continue;
      const path = join(folder, name);
      const stat = await lstat(path);
      const key = relative(root, path).replaceAll('\\', '/');
      const mode = stat.mode & 0o7777;
      if (stat.isSymbolicLink()) found.push([key, { kind: 'symlink', target: await readlink(path) }]);
      else if (stat.isFile()) found.push([key, { kind: 'file', bytes: await readFile(path), mode }]);
      else if (stat.isDirectory()) {
        found.push([key, { kind: 'directory', mode }]);
        await visit(path);
      } else found.push([key, { kind: 'other' }]);
    }
  };
  await visit(root);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Gives the owner back the right to empty every folder; a test may have taken it away. */
async function unlock(folder: string): Promise<void> {
  const stat = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!stat?.isDirectory()) return;
  if ((stat.mode & 0o700) !== 0o700) await chmod(folder, 0o700);
  for (const name of await readdir(folder, { withFileTypes: true })) {
    if (name.isDirectory()) await unlock(join(folder, name.name));
  }
}
