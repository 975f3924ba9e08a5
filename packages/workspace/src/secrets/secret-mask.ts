import { hash } from 'node:crypto';
import { SHORTEST_SECRET, secretForms } from './secret-forms.ts';
import { SECRET_SHAPES } from './secret-shapes.ts';

/** What stands in place of a secret; the same secret has the same mark. */
const MARK = /\[redacted:[0-9a-f]{6}\]/g;

export interface MaskOptions {
  /** Also what is a secret by its look; otherwise only the values that are known. */
  shapes?: boolean;
}

/** A text that comes in pieces, masked on its way: a secret may begin in one piece and end in the next. */
export interface MaskedStream {
  /** What of the text so far can be shown. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

/**
 * Keeps secrets out of what is stored and shown while the agent works (IDE-66). Known values go in every form that
 * `secretForms` knows. Each leaves a mark that tells secrets apart, so that text with marks can be written back: see
 * `restored`.
 */
export class SecretMask {
  readonly #known = new Set<string>();
  #forms: readonly string[] = [];

  constructor(values: readonly string[] = []) {
    for (const value of values) this.learn(value);
  }

  /** The values that are known. */
  get known(): readonly string[] {
    return [...this.#known];
  }

  /** Masks this value from now on. What is too short to be told from other words is left alone. */
  learn(value: string): void {
    const trimmed = value.trim();
    if (trimmed.length < SHORTEST_SECRET || this.#known.has(trimmed)) return;
    this.#known.add(trimmed);
    const forms = [...this.#known].flatMap(secretForms);
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  /** The text without its secrets; the very same string where there are none. */
  text(text: string, { shapes = false }: MaskOptions = {}): string {
    let clean = text;
    for (const form of this.#forms) if (clean.includes(form)) clean = clean.replaceAll(form, () => markOf(form));
    if (!shapes || clean.length < SHORTEST_SECRET) return clean;
    for (const shape of SECRET_SHAPES) {
      clean = clean.replace(shape, (...match) => {
        const whole = String(match[0]);
        const groups = match.at(-1) as { secret?: string } | undefined;
        const secret = typeof groups === 'object' ? groups.secret : undefined;
        if (whole.includes('[redacted:')) return whole;
        return secret === undefined ? markOf(whole) : whole.replace(secret, () => markOf(secret));
      });
    }
    return clean;
  }

  /**
   * The same for every string inside a value; what has none comes back as the very same object.
   * @param skip says of a key, and the object it is in, that its value is left as it is
   */
  value<T>(value: T, options: MaskOptions = {}, skip: (key: string, within: object) => boolean = () => false): T {
    const visit = (each: unknown): unknown => {
      if (typeof each === 'string') return this.text(each, options);
      if (typeof each !== 'object' || each === null) return each;
      if (Array.isArray(each)) {
        const items = each.map(visit);
        return items.some((item, index) => item !== each[index]) ? items : each;
      }
      let changed = false;
      const fields = Object.entries(each).map(([key, field]) => {
        const clean = skip(key, each) ? field : visit(field);
        changed ||= clean !== field;
        return [key, clean] as const;
      });
      return changed ? Object.fromEntries(fields) : each;
    };
    return visit(value) as T;
  }

  /** A text that comes in pieces. Only known values are looked for: what they may begin with is held back. */
  stream(): MaskedStream {
    let held = '';
    return {
      push: (text) => {
        const clean = this.text(held + text);
        const from = this.#beginning(clean);
        held = clean.slice(from);
        return clean.slice(0, from);
      },
      end: () => {
        const rest = held;
        held = '';
        return rest;
      },
    };
  }

  /** The same for bytes on their way to a file; what is a secret by its look goes as well, line by line. */
  byteStream(): { push(bytes: Uint8Array): Uint8Array; end(): Uint8Array } {
    // One character a byte: what is not masked stays the same to the byte. Known forms and shapes are ASCII.
    let held = '';
    const take = (text: string, isLast: boolean): Uint8Array => {
      const from = isLast ? text.length : lineStart(text);
      held = text.slice(from);
      return Buffer.from(this.text(text.slice(0, from), { shapes: true }), 'latin1');
    };
    return {
      push: (bytes) => take(held + Buffer.from(bytes).toString('latin1'), false),
      end: () => take(held, true),
    };
  }

  /**
   * Puts back what marks stand for, from a text in which the secrets are: a model that was shown a file with marks
   * writes them back with it.
   * @returns the text, and the marks that stand for nothing in the source
   */
  restored(text: string, source: string): { text: string; missing: string[] } {
    const secrets = new Map<string, string>();
    this.#collect(source, secrets);
    const missing = new Set<string>();
    const whole = text.replace(MARK, (mark) => {
      const secret = secrets.get(mark);
      // A mark that the file itself has is a text like any other.
      if (secret === undefined && !source.includes(mark)) missing.add(mark);
      return secret ?? mark;
    });
    return { text: whole, missing: [...missing] };
  }

  #collect(source: string, secrets: Map<string, string>): void {
    for (const form of this.#forms) if (source.includes(form)) secrets.set(markOf(form), form);
    for (const shape of SECRET_SHAPES) {
      for (const match of source.matchAll(shape)) {
        const secret = match.groups?.secret ?? match[0];
        secrets.set(markOf(secret), secret);
      }
    }
  }

  /** Where the text's end begins that may be the beginning of a known value. */
  #beginning(text: string): number {
    const longest = this.#forms[0]?.length ?? 0;
    for (let from = Math.max(0, text.length - longest + 1); from < text.length; from += 1) {
      const end = text.slice(from);
      if (this.#forms.some((form) => form.length > end.length && form.startsWith(end))) return from;
    }
    return text.length;
  }
}

/** Whether a text has marks. */
export function hasMarks(text: string): boolean {
  return text.search(MARK) >= 0;
}

/** So few characters that nobody finds a secret by its mark, enough to tell those of one file apart. */
function markOf(secret: string): string {
  return `[redacted:${hash('sha256', secret, 'hex').slice(0, 6)}]`;
}

/** Lines are not held for longer than this, nor are private keys. */
const MAX_HELD = 24_000;

/** Where the last line begins, or the private key that is not whole yet. */
function lineStart(text: string): number {
  if (text.length > MAX_HELD * 2) return text.length - MAX_HELD;
  const key = text.lastIndexOf('-----BEGIN ');
  const isOpen =
    key >= 0 &&
    text.length - key < MAX_HELD &&
    !/-----BEGIN [^-]{1,90}-----[^-]{1,20000}-----END/.test(text.slice(key));
  if (isOpen && /^-----BEGIN [A-Z0-9 ]{0,80}(PRIVATE|$)/.test(text.slice(key))) return key;
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return text.length - line < MAX_HELD ? line : text.length;
}
