import { isAbsolute, resolve } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { realPathOf } from '@black-ide/workspace';

/** A breakpoint as a person or model asks for it. */
export interface BreakpointRequest {
  /** `FILE:LINE`, or the name of a function. */
  place: string;
  /** It stops only where this expression is true. */
  condition?: string;
  /** It does not stop but prints this; expressions in braces are evaluated. */
  log?: string;
}

/** A breakpoint with its place understood. Lines count from 1. */
export interface WantedBreakpoint extends BreakpointRequest {
  at: { path: string; line: number } | { function: string };
}

const FUNCTION = /^[\p{L}_$~<](?:[\p{L}\d_$.<>~*()&, -]|::)*$/u;
/** A file whose line was forgotten. */
const FILE = /\.([cm]?[jt]sx?|py|go|rs|c|cc|cpp|cxx|h|hpp|zig)$/;

/** The breakpoints that a session wants, whatever has become of them. A second one at a place takes the first one's. */
export class WantedBreakpoints {
  readonly #cwd: string;
  readonly #all = new Map<string, WantedBreakpoint>();
  /** Files whose breakpoints were all taken away: adapters have to be told. */
  readonly #emptied = new Set<string>();

  /** @param cwd what relative files are relative to */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get all(): WantedBreakpoint[] {
    return [...this.#all.values()];
  }

  get functions(): WantedBreakpoint[] {
    return this.all.filter(({ at }) => 'function' in at);
  }

  /** The breakpoints of each file, and files that have none any more. */
  get files(): Map<string, (WantedBreakpoint & { at: { path: string; line: number } })[]> {
    const files = new Map([...this.#emptied].map((path) => [path, [] as ReturnType<typeof inFile>]));
    for (const each of this.all) if ('path' in each.at) files.set(each.at.path, []);
    for (const path of files.keys()) files.set(path, inFile(this.all, path));
    return files;
  }

  /** @throws BlackError `bad_breakpoint` */
  add(requests: readonly BreakpointRequest[]): void {
    const understood = requests.map((request) => ({ ...request, at: this.#placeOf(request.place) }));
    for (const each of understood) this.#all.set(keyOf(each.at), each);
  }

  /** @returns how many there were; all are taken away where no place is named. @throws BlackError `bad_breakpoint` */
  remove(places: readonly string[]): number {
    const keys = places.length === 0 ? [...this.#all.keys()] : places.map((place) => keyOf(this.#placeOf(place)));
    let removed = 0;
    for (const key of keys) {
      const at = this.#all.get(key)?.at;
      if (!at) continue;
      if ('path' in at) this.#emptied.add(at.path);
      this.#all.delete(key);
      removed += 1;
    }
    return removed;
  }

  #placeOf(place: string): WantedBreakpoint['at'] {
    const [, file, line] = /^(.+):(\d+)$/.exec(place.trim()) ?? [];
    if (file !== undefined && Number(line) >= 1 && Number(line) < 10_000_000) {
      const path = isAbsolute(file) ? file : resolve(this.#cwd, file);
      return { path: realPathOf(path), line: Number(line) };
    }
    if (FUNCTION.test(place) && !FILE.test(place)) return { function: place };
    throw new BlackError(
      'bad_breakpoint',
      `${JSON.stringify(place)} is no place for a breakpoint.`,
      'Give FILE:LINE, such as src/store.ts:12, or the name of a function.',
    );
  }
}

function inFile(all: readonly WantedBreakpoint[], path: string) {
  type InFile = WantedBreakpoint & { at: { path: string; line: number } };
  return all.filter((each): each is InFile => 'path' in each.at && each.at.path === path);
}

function keyOf(at: WantedBreakpoint['at']): string {
  return 'path' in at ? `${at.path}:${at.line}` : at.function;
}
