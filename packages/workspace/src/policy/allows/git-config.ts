export interface GitSetting {
  /** Section and name in lower case, a subsection between them: `diff.external`, `filter.lfs.clean`. */
  key: string;
  /** Quotes, escapes and comments are taken off; empty where the name stands alone. */
  value: string;
}

/**
 * The settings of a configuration's text, in order, read character by character as git itself does (config.c:
 * `git_parse_source`, `get_base_var`, `get_value`, `parse_value`), so that nothing is a comment or a value to us and a
 * setting to git.
 *
 * @returns undefined where git would call the text bad
 */
export function readGitConfig(text: string): GitSetting[] | undefined {
  return new Reader(text).read();
}

const NAME = /[A-Za-z0-9-]/;
/** What git's own `isspace` takes for white space. */
const SPACE = /[ \t\n\r]/;
const ESCAPED: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"' };
const BAD = Symbol('bad');

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  }

  read(): GitSetting[] | undefined {
    const found: GitSetting[] = [];
    let section: string | typeof BAD = '';
    while (this.#at < this.#text.length) {
      const char = this.#next();
      if (SPACE.test(char)) continue;
      if (char === '#' || char === ';') this.#skipLine();
      else if (char === '[') {
        section = this.#section();
        if (section === BAD) return undefined;
      } else {
        const setting = /[A-Za-z]/.test(char) ? this.#setting(`${section}.${char}`) : undefined;
        if (!setting) return undefined;
        found.push(setting);
      }
    }
    return found;
  }

  /** The end of the text ends its last line. */
  #next(): string {
    const char = this.#text[this.#at] ?? '\n';
    this.#at += 1;
    return char;
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** What stands between the brackets: `core`, `diff.old`, `filter "lfs"`. */
  #section(): string | typeof BAD {
    let name = '';
    let char = this.#next();
    for (; char !== ']'; char = this.#next()) {
      if (SPACE.test(char)) break;
      if (!NAME.test(char) && char !== '.') return BAD;
      name += char;
    }
    if (char === ']') return name.toLowerCase();
    while (SPACE.test(char) && char !== '\n') char = this.#next();
    if (char !== '"') return BAD;
    name += '.';
    for (char = this.#next(); char !== '"'; char = this.#next()) {
      if (char === '\\') char = this.#next();
      if (char === '\n') return BAD;
      name += char;
    }
    return this.#next() === ']' ? name.toLowerCase() : BAD;
  }

  #setting(start: string): GitSetting | undefined {
    let key = start;
    let char = this.#next();
    for (; NAME.test(char); char = this.#next()) key += char;
    while (char === ' ' || char === '\t') char = this.#next();
    key = key.toLowerCase();
    if (char === '\n') return { key, value: '' };
    const value = char === '=' ? this.#value() : BAD;
    return value === BAD ? undefined : { key, value };
  }

  #value(): string | typeof BAD {
    let value = '';
    /** White space that counts only if something follows. */
    let spaces = '';
    let quoted = false;
    for (let char = this.#next(); char !== '\n'; char = this.#next()) {
      if (!quoted && SPACE.test(char)) {
        if (value !== '') spaces += char;
        continue;
      }
      if (!quoted && (char === '#' || char === ';')) {
        this.#skipLine();
        return value;
      }
      value += spaces;
      spaces = '';
      if (char === '\\') {
        const next = this.#next();
        if (next === '\n') continue;
        const escaped = ESCAPED[next];
        if (escaped === undefined) return BAD;
        value += escaped;
      } else if (char === '"') quoted = !quoted;
      else value += char;
    }
    return quoted ? BAD : value;
  }
}
