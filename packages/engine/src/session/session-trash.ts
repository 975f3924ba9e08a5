import { basename, dirname, join, relative, sep } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { listStoreFolder, moveInStore, ProcessLock } from '@black-ide/workspace';
import { heldMessage, lockPath } from './session-file.ts';
import { idInFileName } from './session-ids.ts';

/**
 * Where sessions go instead of being deleted: `<home>/trash/sessions`, in folders of the same names as theirs. Nothing
 * is ever removed from there but by the person.
 */
export class SessionTrash {
  readonly #sessions: string;
  readonly #trash: string;

  /** @param home the state folder. */
  constructor(home: string) {
    this.#sessions = join(home, 'sessions');
    this.#trash = join(home, 'trash', 'sessions');
  }

  /**
   * Moves a session's file, and what lies beside it, to the trash.
   * @returns where the file lies now.
   * @throws BlackError `not_ours`, `session_held`, `in_the_way`, `session_not_moved`.
   */
  put(path: string): string {
    const place = relative(this.#sessions, path);
    if (place.startsWith('..') || place === '' || place.split(sep).length !== 2) {
      const next = 'Delete the file yourself if you do not want it any more.';
      throw new BlackError('not_ours', `${path} does not lie in the state folder.`, next);
    }
    const lock = ProcessLock.acquire(lockPath(path));
    if (!lock.ok) throw new BlackError('session_held', heldMessage(lock.heldBy), 'Close it there first.');
    try {
      move(dirname(path), basename(path), dirname(join(this.#trash, place)));
      return join(this.#trash, place);
    } finally {
      lock.lock.release();
    }
  }

  /** The files in the trash that a person may mean by an id or the beginning of one. */
  find(name: string): string[] {
    const found = listStoreFolder(this.#trash)
      .filter(({ folder }) => folder)
      .flatMap((folder) => listStoreFolder(join(this.#trash, folder.name)).map((item) => join(folder.name, item.name)))
      .filter((place) => idInFileName(basename(place))?.startsWith(name))
      .map((place) => join(this.#trash, place));
    const exact = found.filter((path) => idInFileName(basename(path)) === name);
    return exact.length > 0 ? exact : found;
  }

  /** Moves a session back to where it lay. @returns where it lies now. @throws BlackError as `put`. */
  takeBack(path: string): string {
    const place = relative(this.#trash, path);
    move(dirname(path), basename(path), dirname(join(this.#sessions, place)));
    return join(this.#sessions, place);
  }
}

/** The file itself first: while it is not there, there is no session. */
function move(from: string, file: string, to: string): void {
  const stem = file.replace(/\.jsonl$/, '');
  const beside = listStoreFolder(from)
    .map(({ name }) => name)
    .filter((name) => name === `${stem}.d` || (name.startsWith(`${file}.`) && !name.endsWith('.tmp')));
  try {
    for (const name of [file, ...beside]) moveInStore(join(from, name), join(to, name));
  } catch (cause) {
    if (cause instanceof BlackError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BlackError('session_not_moved', `The session cannot be moved: ${reason}`, '`black doctor` tells more.');
  }
}
