import { hash } from 'node:crypto';
import { decodeFile } from '../text/encodings.ts';
import { type LineEndings, lineEndings } from '../text/line-endings.ts';
import type { TextCodec } from '../text/text-codec.ts';

/** What a document is made of, beside its bytes. */
export interface DocumentFacts {
  /** The real path. */
  path: string;
  mtimeMs: number;
  /** Permission bits, e.g. 0o644. */
  mode: number;
  /** Number of names (hard links) that the file has. */
  links: number;
  /** Whether this is an editor's text that is not on disk yet. */
  unsaved: boolean;
}

/** One version of a file, as it was read. */
export class Document {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hex: two versions are the same if, and only if, their bytes are. */
  readonly version: string;
  /** Without a byte order mark; null for a binary file. May hold stray bytes: show it through `showStrayBytes`. */
  readonly text: string | null;
  readonly codec: TextCodec | null;
  /** Why there is no text, as a phrase for people. */
  readonly binary: string | null;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly links: number;
  readonly unsaved: boolean;
  #eol: LineEndings | undefined;

  private constructor(bytes: Uint8Array, facts: DocumentFacts, content: Pick<Document, 'text' | 'codec' | 'binary'>) {
    this.path = facts.path;
    this.bytes = bytes;
    this.version = versionOf(bytes);
    this.text = content.text;
    this.codec = content.codec;
    this.binary = content.binary;
    this.mtimeMs = facts.mtimeMs;
    this.mode = facts.mode;
    this.links = facts.links;
    this.unsaved = facts.unsaved;
  }

  /** Recognises the encoding of the bytes. */
  static async of(bytes: Uint8Array, facts: DocumentFacts): Promise<Document> {
    const decoded = await decodeFile(bytes);
    const content =
      decoded.kind === 'text'
        ? { text: decoded.text, codec: decoded.codec, binary: null }
        : { text: null, codec: null, binary: decoded.why };
    return new Document(bytes, facts, content);
  }

  /** Length in bytes. */
  get size(): number {
    return this.bytes.length;
  }

  /** The encoding's name; null for a binary file. */
  get encoding(): string | null {
    return this.codec?.encoding ?? null;
  }

  /** How the lines end, counted on first use; null for a binary file. */
  get eol(): LineEndings | null {
    if (this.text === null) return null;
    this.#eol ??= lineEndings(this.text);
    return this.#eol;
  }
}

/** The version of a file with these bytes. */
export function versionOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
