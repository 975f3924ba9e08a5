import { readFileSync } from 'node:fs';

/** One place of a name in a SCIP index. Lines and columns count from 0. */
export interface ScipOccurrence {
  line: number;
  column: number;
  /** `local 12` is known in its document alone; every other symbol in the whole index. */
  symbol: string;
  isDefinition: boolean;
}

export interface ScipDocument {
  /** From the root that was indexed, with `/`. */
  path: string;
  occurrences: ScipOccurrence[];
}

const DEFINITION_ROLE = 1;

/**
 * Reads what the call oracle needs of a `.scip` file: protocol buffers, by the field numbers of
 * https://github.com/sourcegraph/scip/blob/main/scip.proto (Index.documents = 2; Document.relative_path = 1, .occurrences = 2;
 * Occurrence.range = 1, .symbol = 2, .symbol_roles = 3).
 */
export function readScip(file: string): ScipDocument[] {
  const documents: ScipDocument[] = [];
  const reader = new Wire(readFileSync(file));
  reader.fields({ 2: (end) => documents.push(readDocument(reader, end)) });
  return documents;
}

function readDocument(reader: Wire, end: number): ScipDocument {
  const document: ScipDocument = { path: '', occurrences: [] };
  reader.fields(
    {
      1: (until) => {
        document.path = reader.text(until);
      },
      2: (until) => document.occurrences.push(readOccurrence(reader, until)),
    },
    end,
  );
  return document;
}

function readOccurrence(reader: Wire, end: number): ScipOccurrence {
  const occurrence: ScipOccurrence = { line: 0, column: 0, symbol: '', isDefinition: false };
  reader.fields(
    {
      1: () => {
        occurrence.line = reader.varint();
        occurrence.column = reader.varint();
      },
      2: (until) => {
        occurrence.symbol = reader.text(until);
      },
      3: () => {
        occurrence.isDefinition = (reader.varint() & DEFINITION_ROLE) !== 0;
      },
    },
    end,
  );
  return occurrence;
}

/** Walks over the fields of protocol buffer messages. */
class Wire {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Calls the handler of each known field with the end of its content, and skips what the handler leaves. */
  fields(handlers: Record<number, (end: number) => void>, end = this.#bytes.length): void {
    while (this.#at < end) {
      const key = this.varint();
      const wireType = key & 7;
      const handler = handlers[key >>> 3];
      if (wireType === 0) {
        if (handler) handler(this.#at);
        else this.varint();
      } else if (wireType === 2) {
        const length = this.varint();
        const until = this.#at + length;
        handler?.(until);
        this.#at = until;
      } else {
        this.#at += wireType === 1 ? 8 : 4;
      }
    }
  }

  /** Values past 32 bits do not occur in the fields that are read. */
  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  text(end: number): string {
    return this.#bytes.toString('utf8', this.#at, end);
  }
}
