import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts, FileTable } from '../../packages/intel/src/index.ts';
import { fileChunker, HybridIndex, SourceParser } from '../../packages/intel/src/index.ts';
import { median } from '../lib/measure.ts';
import type { Bench } from '../lib/row.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const MB = 1e6;
const ENDINGS = ['.py'];

interface Source {
  path: string;
  text: Uint8Array;
  facts: FileFacts;
}

/** The index of words alone, of files that are parsed: cutting them, counting their words, merging all of it for the disk. */
export const words: Bench = async ({ rounds }) => {
  const what = 'index of words: MB of source for a second of processor time';
  const folder = findTree('python-stdlib', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder, { endings: ENDINGS });
  const sources = await parse(copy);
  // The first one warms up.
  const runs = Array.from({ length: Math.min(rounds, 5) + 1 }, () => build(sources)).slice(1);
  const seconds = median(runs.map((run) => run.cpuMs)) / 1000;
  const bytes = runs[0]!.bytes / copy.bytes;
  const speed = copy.bytes / MB / seconds;
  const note = `python-stdlib, ${(copy.bytes / MB).toFixed(1)} MB, ${runs[0]!.chunks} chunks`;
  return [
    { what, ours: `${speed.toFixed(1)} MB`, reference: '', value: speed, limit: 40, atLeast: true, unit: 'MB', note },
    {
      what: 'index of words: bytes on the disk for each byte of source',
      ours: bytes.toFixed(2),
      reference: '',
      value: bytes,
      limit: 0.5,
      unit: '',
      note,
    },
  ];
};

async function parse(copy: TreeCopy): Promise<Source[]> {
  const parser = new SourceParser();
  try {
    const sources: Source[] = [];
    for (const path of copy.files) {
      const { facts, text } = await parser.parse(path, readFileSync(join(copy.root, path)));
      sources.push({ path, text, facts });
    }
    return sources;
  } finally {
    await parser.dispose();
  }
}

function build(sources: readonly Source[]): { cpuMs: number; bytes: number; chunks: number } {
  const before = process.cpuUsage();
  const files: Pick<FileTable, 'path'> = { path: (id) => sources[id]!.path };
  const index = new HybridIndex({ files: files as FileTable });
  const chunk = fileChunker();
  for (const [id, { path, text, facts }] of sources.entries()) index.put(id, { chunks: chunk(text, facts, path) });
  Array.from(index.settle());
  let bytes = 0;
  index.save({
    array: (_name, data) => {
      bytes += data.byteLength;
    },
    value: (_name, value) => {
      bytes += JSON.stringify(value).length;
    },
  });
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, bytes, chunks: index.chunkCount };
}
