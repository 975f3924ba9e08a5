import { BlackError } from '@black-ide/protocol';

/** Short numbers for things of a session's adapters, each of which counts for itself. */
export class Handles<Owner extends object> {
  readonly #what: string;
  readonly #things = new Map<number, { owner: Owner; id: number }>();
  readonly #known = new Map<Owner, Map<number, number>>();
  #last = 0;

  /** @param what e.g. `frame`, for people */
  constructor(what: string) {
    this.#what = what;
  }

  of(owner: Owner, id: number): number {
    let known = this.#known.get(owner);
    if (!known) {
      known = new Map();
      this.#known.set(owner, known);
    }
    let handle = known.get(id);
    if (handle === undefined) {
      handle = ++this.#last;
      known.set(id, handle);
      this.#things.set(handle, { owner, id });
    }
    return handle;
  }

  /** @throws BlackError `unknown_handle` */
  get(handle: number): { owner: Owner; id: number } {
    const thing = this.#things.get(handle);
    if (thing) return thing;
    throw new BlackError(
      'unknown_handle',
      `There is no ${this.#what} ${handle} (any more).`,
      'Numbers hold until the program goes on; look at it again.',
    );
  }

  /** What belongs to an owner means nothing any more. */
  forget(owner: Owner): void {
    for (const handle of this.#known.get(owner)?.values() ?? []) this.#things.delete(handle);
    this.#known.delete(owner);
  }
}
