import { basename, join, resolve } from 'node:path';
import type { SessionHeader, SessionSummary } from '@black-ide/protocol';
import { type FileEnds, listStoreFolder, readFileEnds, readLogLines, realPathOf } from '@black-ide/workspace';
import { type OpenedSession, openSessionFile } from './open-session-file.ts';
import { type ReadSession, readSessionFile } from './read-session-file.ts';
import type { SessionBackend } from './session-backend.ts';
import { SessionFile, sessionFolder } from './session-file.ts';
import { idInFileName, type RandomHex } from './session-ids.ts';
import { SessionTrash } from './session-trash.ts';
import { summariseSession } from './summarise-session.ts';

const HEAD = 16 * 1024;
/** Until the last message is found; a single tool result may be larger than the smaller ones. */
const TAILS = [32 * 1024, 512 * 1024, 8 * 1024 * 1024];
const LONGEST_HEADER = 1024 * 1024;
/** Files between two pauses, in which the rest of the program gets its turn. */
const AT_ONCE = 50;

export interface DiskSessionsOptions {
  /** The state folder, normally `~/.blackide`. */
  home: string;
  now: () => number;
  randomHex: RandomHex;
}

/** Sessions as files below `<home>/sessions`. A file that cannot be read is listed with its problem and left alone. */
export class DiskSessions implements SessionBackend {
  readonly #options: DiskSessionsOptions;
  readonly #trash: SessionTrash;

  constructor(options: DiskSessionsOptions) {
    this.#options = options;
    this.#trash = new SessionTrash(options.home);
  }

  create(header: SessionHeader): SessionFile {
    return SessionFile.create(this.#options.home, header);
  }

  open(reference: string, cwd: string): OpenedSession {
    return openSessionFile(reference, { ...this.#options, cwd });
  }

  read(reference: string): ReadSession {
    return readSessionFile(reference);
  }

  readLines(reference: string, visit: (line: string) => boolean): void {
    readLogLines(reference, visit);
  }

  putAway(reference: string): string {
    return this.#trash.put(reference);
  }

  findPutAway(name: string): string[] {
    return this.#trash.find(name);
  }

  takeBack(reference: string): string {
    return this.#trash.takeBack(reference);
  }

  find(name: string, cwd: string): string[] {
    if (/[/\\]|\.jsonl$/.test(name)) return [resolve(cwd, name)];
    const found = this.#folders()
      .flatMap(sessionFiles)
      .filter((path) => idInFileName(basename(path))?.startsWith(name));
    const exact = found.filter((path) => idInFileName(basename(path)) === name);
    return exact.length > 0 ? exact : found;
  }

  async list(cwd?: string): Promise<SessionSummary[]> {
    const real = cwd === undefined ? undefined : realPathOf(cwd);
    const summaries: SessionSummary[] = [];
    const isHere = realPathMatcher(real);
    const folders = cwd === undefined ? this.#folders() : [sessionFolder(this.#options.home, cwd)];
    for (const [i, path] of folders.flatMap(sessionFiles).entries()) {
      if (i % AT_ONCE === AT_ONCE - 1) await new Promise((next) => setImmediate(next));
      const summary = summaryOf(path);
      if (isHere(summary)) summaries.push(summary);
    }
    return summaries;
  }

  #folders(): string[] {
    const sessions = join(this.#options.home, 'sessions');
    return listStoreFolder(sessions)
      .filter(({ folder }) => folder)
      .map(({ name }) => join(sessions, name));
  }
}

function sessionFiles(folder: string): string[] {
  return listStoreFolder(folder)
    .filter((item) => !item.folder && item.name.endsWith('.jsonl'))
    .map(({ name }) => join(folder, name));
}

/**
 * Whether a session belongs to a folder: by the real path of the folder that its header names, since two folders may
 * share a key. What has lost its header is shown where it lies, so that it is not lost from sight.
 */
function realPathMatcher(real: string | undefined): (summary: SessionSummary) => boolean {
  const known = new Map<string, string>();
  return ({ cwd, problem }) => {
    if (real === undefined) return true;
    if (cwd === '') return problem !== undefined;
    const path = known.get(cwd) ?? realPathOf(cwd);
    known.set(cwd, path);
    return path === real;
  };
}

function summaryOf(path: string): SessionSummary {
  try {
    let ends = readFileEnds(path, HEAD, TAILS[0]!);
    if (!ends.head.includes('\n')) ends = readFileEnds(path, LONGEST_HEADER, TAILS[0]!);
    let summarised = summariseSession(path, ends);
    for (const tail of TAILS.slice(1)) {
      if (summarised.complete) break;
      summarised = summariseSession(path, readFileEnds(path, HEAD, tail));
    }
    return summarised.summary;
  } catch (cause) {
    const nothing: FileEnds = { size: 0, modified: 0, head: '', tail: '' };
    const problem = `It cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    return { ...summariseSession(path, nothing).summary, problem };
  }
}
