import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A place in a text, both counted from 1; columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** One fault brings others with it; nobody reads all of them. */
const MOST_FAULTS = 10;

/** What is wrong with a text that should be JSON, and where. */
export interface JsonFault extends Position {
  message: string;
}

/**
 * A configuration file in JSON with comments and trailing commas, as VS Code's: its value, and where each part of it
 * stands. Keys that come twice are a fault: which of them counts would be anybody's guess.
 */
export class JsonDocument {
  /** Undefined where there is any fault. */
  readonly value: unknown;
  readonly faults: readonly JsonFault[];
  readonly #text: string;
  readonly #root: Node | undefined;

  constructor(text: string) {
    this.#text = text;
    const faults: JsonFault[] = [];
    let value: unknown;
    try {
      const errors: ParseError[] = [];
      this.#root = parseTree(text, errors, { allowTrailingComma: true });
      for (const { error, offset } of errors.slice(0, MOST_FAULTS)) {
        faults.push(this.#fault(offset, words(printParseErrorCode(error))));
      }
      if (this.#root && faults.length === 0) value = this.#valueOf(this.#root, faults);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      faults.push(this.#fault(0, 'this is nested too deeply'));
    }
    if (value === undefined && faults.length === 0) faults.push(this.#fault(0, 'this is no JSON'));
    this.value = faults.length === 0 ? value : undefined;
    this.faults = faults;
  }

  /** Where the key or element at this path stands; the nearest parent's place where there is none. */
  positionOf(path: readonly PropertyKey[]): Position {
    for (let length = path.length; length > 0 && this.#root; length--) {
      const segments = path.slice(0, length).map((part) => (typeof part === 'symbol' ? String(part) : part));
      const node = findNodeAtLocation(this.#root, segments);
      if (node) return this.#at(node.parent?.type === 'property' ? node.parent.offset : node.offset);
    }
    return this.#at(this.#root?.offset ?? 0);
  }

  /** Built here, as own properties: a key called `__proto__` is a key like any other. */
  #valueOf(node: Node, faults: JsonFault[]): unknown {
    const children = node.children ?? [];
    if (node.type === 'array') return children.map((child) => this.#valueOf(child, faults));
    if (node.type !== 'object') return node.value;
    const entries = new Map<string, unknown>();
    for (const { children: [key, value] = [], offset } of children) {
      if (!key || !value) continue;
      const name = String(key.value);
      if (entries.has(name)) faults.push(this.#fault(offset, `\`${name}\` is there twice`));
      entries.set(name, this.#valueOf(value, faults));
    }
    return Object.fromEntries(entries);
  }

  #fault(offset: number, message: string): JsonFault {
    return { ...this.#at(offset), message };
  }

  #at(offset: number): Position {
    const before = this.#text.slice(0, offset);
    const line = before.split('\n').length;
    return { line, column: offset - before.lastIndexOf('\n') };
  }
}

/** `CommaExpected` → `this is no JSON: comma expected`. */
function words(code: string): string {
  return `this is no JSON: ${code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}`;
}
