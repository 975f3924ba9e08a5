import { type FSWatcher, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { readFileEnds } from '../stores/read-file-ends.ts';

export interface MailboxOptions {
  /** Absolute; made here, for its owner alone, and removed with all in it when the mailbox is closed. */
  folder: string;
  /** What the processes find in it: name → content. */
  files?: Readonly<Record<string, string>>;
  /** Receives each letter once: the content of a file `*.letter`, which comes under that name when it is whole. */
  onLetter: (text: string) => void;
}

/** Bytes: a letter is a line or two; more is nobody's whom we expect. */
const MAX_LETTER = 64 * 1024;
const LETTER = '.letter';

/**
 * A folder in which processes that we start, and theirs, leave short letters for us: they need neither a descriptor of
 * ours nor a network, and can do it before their first line of code has run. Whoever writes one renames it into place.
 */
export class Mailbox {
  readonly folder: string;
  readonly #onLetter: (text: string) => void;
  readonly #read = new Set<string>();
  readonly #watcher: FSWatcher;

  /** @throws BlackError `mailbox_failed` where the folder cannot be made or watched */
  constructor({ folder, files = {}, onLetter }: MailboxOptions) {
    this.folder = folder;
    this.#onLetter = onLetter;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 });
      this.#watcher = watch(folder, () => this.#look());
    } catch (cause) {
      rmSync(folder, { recursive: true, force: true });
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new BlackError('mailbox_failed', `Processes cannot be heard of: ${reason}`, `Make ${folder} writable.`);
    }
    // A folder that goes away ends the watch, and there is nothing to read any more.
    this.#watcher.on('error', () => this.#watcher.close());
  }

  close(): void {
    this.#watcher.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #look(): void {
    for (const name of namesIn(this.folder)) {
      if (!name.endsWith(LETTER) || this.#read.has(name)) continue;
      this.#read.add(name);
      const text = letterAt(join(this.folder, name));
      if (text !== undefined) this.#onLetter(text);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It was closed between a change and the news of it.
    return [];
  }
}

/** What is no short file is no letter: whoever may write here must not hold us up. */
function letterAt(path: string): string | undefined {
  try {
    const { size, head } = readFileEnds(path, MAX_LETTER, 0);
    return size <= MAX_LETTER ? head : undefined;
  } catch {
    return undefined;
  }
}
