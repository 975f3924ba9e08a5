/** Gives each different name a number, in the order in which they come. */
export class NameTable {
  readonly names: string[] = [];
  readonly #ids = new Map<string, number>();

  id(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.names.length;
      this.names.push(name);
      this.#ids.set(name, id);
    }
    return id;
  }

  /** Undefined for a name that has no number. */
  find(name: string): number | undefined {
    return this.#ids.get(name);
  }
}
