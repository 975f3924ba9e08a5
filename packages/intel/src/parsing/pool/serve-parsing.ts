import type { MessagePort } from 'node:worker_threads';
import { BlackError } from '@black-ide/protocol';
import { SourceReader } from '@black-ide/workspace';
import type { ChunkFacts } from '../../index/chunk-facts.ts';
import { noChunks } from '../../index/chunk-facts.ts';
import type { FileFacts } from '../file-facts.ts';
import { packFacts } from '../pack-facts.ts';
import { SourceParser } from '../source-parser.ts';
import { withoutSymbols } from '../without-symbols.ts';
import { type FileResult, joinResults } from './join-results.ts';
import type { FileToParse, ParseBatch, WorkerReady, WorkerSetup } from './messages.ts';

/** Cuts a file into chunks. @param source its text as UTF-8 */
export type ChunkSource = (source: Uint8Array, facts: FileFacts, path: string) => ChunkFacts;

/** The part of the pool that runs in a worker: reads files, parses them, sends what was found. */
export function serveParsing(port: MessagePort, setup: WorkerSetup, chunk: ChunkSource): void {
  const files = new FileParser(setup, chunk);
  let work = Promise.resolve();
  port.on('message', (batch: ParseBatch) => {
    work = work.then(async () => {
      const results: FileResult[] = [];
      for (const file of batch) {
        Atomics.add(setup.begun, 0, 1);
        const result = await files.parse(file);
        results.push(result);
        if (result.isBroken) break;
      }
      const joined = joinResults(results);
      port.postMessage(joined, [joined.buffer]);
    });
  });
  port.postMessage({ ready: true } satisfies WorkerReady);
}

class FileParser {
  readonly #setup: WorkerSetup;
  readonly #chunk: ChunkSource;
  readonly #reader: SourceReader;
  readonly #parser: SourceParser;

  constructor(setup: WorkerSetup, chunk: ChunkSource) {
    this.#setup = setup;
    this.#chunk = chunk;
    this.#reader = new SourceReader(setup.maxBytes);
    this.#parser = new SourceParser(setup.limits);
  }

  async parse({ path, keep = false }: FileToParse): Promise<FileResult> {
    const file = this.#reader.read(`${this.#setup.root}/${path}`);
    if (file instanceof BlackError) return unparsed('unreadable', file.message, NO_TIME);
    if (!file.bytes) return unparsed('skipped', `larger than ${this.#setup.maxBytes / 1024 / 1024} MB`, file);
    const { size, mtimeMs } = file;
    try {
      const { facts, text } = await this.#parser.parse(path, file.bytes, { keep });
      const chunks = facts.state === 'binary' ? noChunks() : this.#chunk(text, facts, path);
      return { packed: packFacts(facts), chunks, size, mtimeMs, isBroken: false };
    } catch (error) {
      const why = `cannot be parsed: ${error instanceof Error ? error.message : String(error)}`;
      return { ...unparsed('skipped', why, file), isBroken: isTrap(error) };
    }
  }
}

const NO_TIME = { size: 0, mtimeMs: 0 };

function unparsed(
  state: 'skipped' | 'unreadable',
  why: string,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): FileResult {
  const facts = withoutSymbols(state, 0, undefined, why);
  return { packed: packFacts(facts), chunks: noChunks(), size, mtimeMs, isBroken: false };
}

/** After a trap nobody knows what is in the memory of the WebAssembly module. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}
