import type { Diagnostic } from '../wire/diagnostic.ts';

/** `perhaps`: nobody knows whether it was there before. */
export type NewsKind = 'new' | 'perhaps' | 'earlier';

/** A diagnostic that is told for the first time. */
export interface NewsLine {
  /** Absolute. */
  path: string;
  kind: NewsKind;
  diagnostic: Diagnostic;
}

/** All diagnostics of one file and source that have severity, code and message in common. */
interface Count {
  /** As they stand now; those at places where none stood before come first. */
  present: readonly Diagnostic[];
  /** So many of them were there before anything was written; the others are new. */
  earlier: number;
  toldEarlier: number;
  toldNew: number;
  /** Nothing was known of the file before, so that new ones are perhaps none. */
  unsure: boolean;
}

interface FileRecord {
  path: string;
  counts: Map<string, Count>;
  /** Its earlier errors are told, once. */
  tellsEarlier: boolean;
  /** It is known how it stands after the write that the newest baseline was for. */
  isUpdated: boolean;
}

const ERROR = 1;
/** What editors draw as dots under a word is no news. */
const HINT = 4;
/** A place that a message speaks of, e.g. `declared at a.c:12:3`: it moves as well. */
const PLACE = /(?<=:|\bline )\d+/g;
const KINDS: readonly NewsKind[] = ['new', 'perhaps', 'earlier'];

/**
 * Which diagnostics of a run are news (INT-17). They are counted by file, severity, code and message, not by place: one
 * that has moved is not told again, a second one with the same message is, and so is one that was mended and comes back.
 */
export class DiagnosticsLedger {
  readonly #files = new Map<string, FileRecord>();

  /**
   * Records how a file stands before something is written: whatever is there and was not new before is earlier.
   * @param tellsEarlier its earlier errors are told, once
   */
  base(source: string, path: string, found: readonly Diagnostic[], tellsEarlier: boolean): void {
    const file = this.#record(source, path);
    file.tellsEarlier ||= tellsEarlier;
    file.isUpdated = false;
    this.#count(file, found, (count, known) => {
      const stayedNew = Math.min(known ? newOf(known) : 0, count.present.length);
      count.earlier = count.present.length - stayedNew;
    });
  }

  /** Records how a file stands now. Where nothing is known of how it stood before, all of it is perhaps new. */
  update(source: string, path: string, found: readonly Diagnostic[]): void {
    const unsure = !this.#files.has(keyOf(source, path));
    const file = this.#record(source, path);
    file.isUpdated = true;
    this.#count(file, found, (count, known) => {
      count.earlier = Math.min(known?.earlier ?? 0, count.present.length);
      count.unsure = known?.unsure ?? unsure;
    });
  }

  /** The file is gone, whatever spoke of it. */
  forget(path: string): void {
    for (const [key, file] of this.#files) if (file.path === path) this.#files.delete(key);
  }

  /** The file has another name: what was told of it counts under that one. */
  rename(from: string, to: string): void {
    for (const [key, file] of [...this.#files]) {
      if (file.path !== from) continue;
      this.#files.delete(key);
      this.#files.set(keyOf(key.slice(0, key.lastIndexOf('\0')), to), { ...file, path: to });
    }
  }

  /**
   * The news, at most so many: new ones before earlier ones, errors before others. They count as told from now on; what
   * the limit cuts off does not.
   */
  take(limit: number): { lines: NewsLine[]; more: number } {
    const untold = [...this.#files.values()].flatMap((file) =>
      [...file.counts.values()].flatMap((count) => untoldOf(file, count)),
    );
    untold.sort(inOrder);
    const told = untold.slice(0, limit);
    for (const { kind, count } of told) {
      if (kind === 'earlier') count.toldEarlier++;
      else count.toldNew++;
    }
    const lines = told.map(({ path, kind, diagnostic }) => ({ path, kind, diagnostic }));
    return { lines, more: untold.length - told.length };
  }

  #record(source: string, path: string): FileRecord {
    const key = keyOf(source, path);
    const fresh = { path, counts: new Map<string, Count>(), tellsEarlier: false, isUpdated: false };
    const file = this.#files.get(key) ?? fresh;
    this.#files.set(key, file);
    return file;
  }

  /** Counts anew. @param settle says how many are earlier, with the count of before where there was one */
  #count(
    file: FileRecord,
    found: readonly Diagnostic[],
    settle: (count: Count, known: Count | undefined) => void,
  ): void {
    const groups = Map.groupBy(
      found.filter(({ severity }) => severity !== HINT),
      identityOf,
    );
    const counts = new Map<string, Count>();
    for (const [identity, list] of groups) {
      const known = file.counts.get(identity);
      const present = freshFirst(list, known?.present ?? []);
      const count = { present, earlier: 0, toldEarlier: 0, toldNew: 0, unsure: known?.unsure ?? false };
      settle(count, known);
      count.toldEarlier = Math.min(known?.toldEarlier ?? 0, count.earlier);
      count.toldNew = Math.min(known?.toldNew ?? 0, newOf(count));
      counts.set(identity, count);
    }
    file.counts = counts;
  }
}

function keyOf(source: string, path: string): string {
  return `${source}\0${path}`;
}

function identityOf({ severity, code, message }: Diagnostic): string {
  return `${severity}|${code ?? ''}|${message.replaceAll(PLACE, '#')}`;
}

function newOf({ present, earlier }: Count): number {
  return present.length - earlier;
}

/** Those at places where none stood before: most likely the new ones of several that read the same. */
function freshFirst(list: readonly Diagnostic[], before: readonly Diagnostic[]): Diagnostic[] {
  const place = ({ range: { start } }: Diagnostic): string => `${start.line}:${start.character}`;
  const places = new Set(before.map(place));
  return [...list.filter((each) => !places.has(place(each))), ...list.filter((each) => places.has(place(each)))];
}

interface Untold extends NewsLine {
  count: Count;
}

function untoldOf({ path, tellsEarlier, isUpdated }: FileRecord, count: Count): Untold[] {
  const { present, earlier, toldEarlier, toldNew, unsure } = count;
  const news = present.slice(0, newOf(count) - toldNew);
  // The write may have mended them.
  const isTold = tellsEarlier && isUpdated && present[0]?.severity === ERROR;
  const old = isTold ? present.slice(present.length - earlier + toldEarlier) : [];
  const line = (kind: NewsKind) => (diagnostic: Diagnostic) => ({ path, kind, diagnostic, count });
  return [...news.map(line(unsure ? 'perhaps' : 'new')), ...old.map(line('earlier'))];
}

function inOrder(one: NewsLine, other: NewsLine): number {
  const rank = ({ kind, diagnostic: { severity, range } }: NewsLine): number[] => [
    Number(kind === 'earlier'),
    severity,
    KINDS.indexOf(kind),
    range.start.line,
    range.start.character,
  ];
  const [a, b] = [rank(one), rank(other)];
  const byFile = (): number => (one.path < other.path ? -1 : Number(one.path > other.path));
  for (const at of [0, 1, 2]) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return byFile() || a[3]! - b[3]! || a[4]! - b[4]!;
}
