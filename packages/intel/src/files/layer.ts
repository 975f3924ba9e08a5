import type { ChunkFacts } from '../index/chunk-facts.ts';
import type { FileFacts } from '../parsing/file-facts.ts';
import type { FileId } from './file-table.ts';
import type { SectionReader, SectionWriter } from './sections.ts';

/** What a parse of a file hands to the layers above it. */
export interface ParsedFile {
  facts: FileFacts;
  chunks: ChunkFacts;
}

/**
 * Something that is kept up to date with the files: the graph, the index. `put` and `remove` are cheap and may be followed
 * by a query at once; the answer is exact, if slower than after `settle`.
 */
export interface Layer {
  /** A new or changed file, in place of what was known of it. */
  put(id: FileId, parsed: ParsedFile): void;
  remove(id: FileId): void;
  /**
   * Merges what was put since the last time into the compact form, in slices: after each `yield` the caller may let others
   * ask questions, but puts and removes nothing before it has run to its end. Must have done so before `save`.
   */
  settle(): Generator<void, void, void>;
  /** How many files lie outside the compact form. */
  readonly unsettled: number;
  save(writer: SectionWriter): void;
  /** Takes the place of everything known. @throws when the sections make no sense: the caller rebuilds. */
  load(reader: SectionReader): void;
}
