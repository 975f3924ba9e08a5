import { type Entry, isEntry, isHeader, isRecord, SESSION_VERSION, type SessionHeader } from '@black-ide/protocol';
import { migrateSession } from './migrate-session.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** A session as its file tells it. */
export interface ParsedSession {
  /** Of the current version, or a later one where `tooNew`; undefined where the file has none. */
  header: SessionHeader | undefined;
  /** In the file's order; ids are unique. */
  entries: Entry[];
  /** What was skipped or mended, for a person. */
  problems: string[];
  /** The file is of an older version than `entries` are. */
  migrated: boolean;
  /** The file is of a version that we do not know. */
  tooNew: boolean;
  /** Nothing in the file speaks against its being a session, e.g. it is empty or its header was cut off. */
  plausible: boolean;
}

const MOST_PROBLEMS = 50;
const HEADER_BEGINS = '{"type":"session"';

/** Reads the lines of a session one by one. Never throws: what cannot be read is skipped and reported (SES-6). */
export class SessionParser {
  readonly #lines: { value: Record<string, unknown>; number: number }[] = [];
  readonly #problems: string[] = [];
  #untold = 0;
  /** The first line that is no entry. */
  #broken: string | undefined;

  line(text: string, number: number, complete: boolean): void {
    const value = parse(number === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (isRecord(value) && typeof value.type === 'string') {
      this.#lines.push({ value, number });
    } else if (text.trim() === '') {
      this.#report(number, 'is blank');
    } else {
      this.#broken ??= text;
      const why = complete ? 'is no entry' : 'was cut off in the middle of a write';
      this.#report(number, `${why} and was skipped`);
    }
  }

  /** What the lines amount to. To be called once, after the last line. */
  finish(): ParsedSession {
    const found = this.#lines.find(({ value }) => isHeader(value))?.value;
    // A file without a header is not migrated: that would rewrite what may be no session at all.
    const version = found ? versionOf(found) : SESSION_VERSION;
    const migrated = version < SESSION_VERSION && this.#lines.length > 0;
    const values = this.#lines.map(({ value }) => value);
    const current = migrated ? migrateSession(values, version) : values;
    const entries = this.#entries(current, found);
    if (this.#untold > 0) this.#problems.push(`… and ${this.#untold} more.`);
    return {
      header: found && headerOf(found, Math.max(version, SESSION_VERSION)),
      entries,
      problems: this.#problems,
      migrated,
      tooNew: version > SESSION_VERSION,
      plausible: found !== undefined || this.#isPlausible(),
    };
  }

  /** Without a header: whether there are entries all the same, or nothing but the beginning of a header. */
  #isPlausible(): boolean {
    const broken = this.#broken;
    if (this.#lines.length > 0) return this.#lines.some(({ value }) => isEntry(value));
    return broken === undefined || broken.startsWith(HEADER_BEGINS) || HEADER_BEGINS.startsWith(broken);
  }

  #entries(lines: readonly Record<string, unknown>[], header: Record<string, unknown> | undefined): Entry[] {
    const entries: Entry[] = [];
    const ids = new Set<string>();
    lines.forEach((line, i) => {
      const { number, value } = this.#lines[i]!;
      if (value === header) return;
      const { id, parentId } = line;
      if (line.type === 'session') this.#report(number, 'is another header and was skipped');
      else if (typeof id !== 'string' || id === '') this.#report(number, 'has no id and was skipped');
      else if (ids.has(id)) this.#report(number, `has the id ${id} of another entry and was skipped`);
      else {
        ids.add(id);
        const placed = parentId === null || typeof parentId === 'string';
        if (!placed) this.#report(number, 'has no parent and became a root');
        entries.push((placed ? line : { ...line, parentId: null }) as unknown as Entry);
      }
    });
    return entries;
  }

  #report(number: number, what: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(`Line ${number} ${what}.`);
    else this.#untold += 1;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(wellFormedJson(text));
  } catch {
    // Cut off or garbage: the caller reports it.
    return undefined;
  }
}

/** Version 1 had no number; one that is no number at all is of a format that we do not know. */
function versionOf(header: Record<string, unknown>): number {
  if (header.version === undefined) return 1;
  return typeof header.version === 'number' ? header.version : Number.POSITIVE_INFINITY;
}

function headerOf(line: Record<string, unknown>, version: number): SessionHeader {
  const { id, timestamp, cwd, title, parentSession, ...rest } = line;
  return {
    ...rest,
    type: 'session',
    version,
    id: String(id),
    timestamp: typeof timestamp === 'string' ? timestamp : '',
    cwd: typeof cwd === 'string' ? cwd : '',
    ...(typeof parentSession === 'string' ? { parentSession } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  };
}
