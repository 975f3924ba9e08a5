import { isRecord } from '@black-ide/protocol';
import type { FileTable } from '../../files/file-table.ts';
import type { Embedder } from '../code-index-api.ts';
import { fuse } from '../fuse.ts';
import type { IndexedFiles } from '../indexed-files.ts';
import { parseQuery } from '../query.ts';
import { WordSearch } from '../word-search.ts';
import type { ReadLines } from './chunk-text.ts';
import { EMBED_BATCH } from './embed-chunks.ts';
import { type HeldOut, type HeldOutSet, holdOut } from './held-out.ts';
import { rankByMeaning } from './meaning-search.ts';
import type { VectorStore } from './vector-store.ts';

/** What the self-test found. It is stored, and holds until the embedder or the size of the index is another. */
export interface FusionVerdict {
  embedder: string;
  /** Weight of the second list; 0: it does not help, and is not asked. */
  weight: number;
  samples: number;
  /** Mean reciprocal rank, of the first ten, by words alone and with the weight. */
  byWords: number;
  fused: number;
  /** How many chunks there were. */
  chunks: number;
}

export function isFusionVerdict(value: unknown): value is FusionVerdict {
  if (!isRecord(value) || typeof value.embedder !== 'string') return false;
  return [value.weight, value.samples, value.byWords, value.fused, value.chunks].every(Number.isFinite);
}

/** Hits of each list that are fused. */
export const FUSED_DEPTH = 50;
const RANKED = 10;
const SAMPLES = 150;
/** Fewer prove nothing. */
const FEWEST_SAMPLES = 40;
/** The functions are looked for among those of so many chunks: that bounds the work. */
const CHUNKS = 5_000;
const WEIGHTS = [0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5];
/** What the score must rise by, in either half of the samples. */
const LEAST_GAIN = 0.01;

export interface FusionTestOptions {
  embedder: Embedder;
  files: IndexedFiles;
  table: FileTable;
  store: VectorStore;
  readLines: ReadLines;
  signal?: AbortSignal | undefined;
}

/**
 * Finds out whether ranking by meaning helps in this repository, and how much it should count (INT-10): doc comments
 * are the questions, their functions without them the answers. The weight is chosen by one half of them, and must
 * prove itself by the other. Undefined: it could not be tried, since requests failed.
 * @throws the signal's reason.
 */
export async function testFusion(options: FusionTestOptions): Promise<FusionVerdict | undefined> {
  const { embedder, files } = options;
  const heldOut = await holdOut({ ...options, count: SAMPLES, chunks: CHUNKS });
  const { samples } = heldOut;
  const unproved = { embedder: embedder.id, weight: 0, byWords: 0, fused: 0, chunks: files.chunkCount };
  if (samples.length < FEWEST_SAMPLES) return { ...unproved, samples: samples.length };
  const questions = await embedSamples(samples, options);
  if (!questions) return undefined;
  const trials = await tryWeights(heldOut, questions, options);
  if (trials.length < FEWEST_SAMPLES) return { ...unproved, samples: trials.length };
  return { ...unproved, samples: trials.length, ...judge(trials) };
}

/** Vectors of the questions; those of the answers go into the store. Undefined when a request failed. */
async function embedSamples(
  samples: readonly HeldOut[],
  { embedder, store, signal }: FusionTestOptions,
): Promise<(Float32Array | undefined)[] | undefined> {
  try {
    const answers = await embedAll(
      embedder,
      samples.map(({ text }) => text),
      'document',
      signal,
    );
    const questions = await embedAll(
      embedder,
      samples.map(({ question }) => question),
      'query',
      signal,
    );
    return questions.map((question, i) =>
      answers[i] && store.add(samples[i]!.key, answers[i]) ? question : undefined,
    );
  } catch {
    // Whatever the model's server has: the test is for another time.
    signal?.throwIfAborted();
    return undefined;
  }
}

/** For each sample the reciprocal rank of its function by words alone, then with each of the weights. */
async function tryWeights(
  { samples, fork, table, scope }: HeldOutSet,
  questions: readonly (Float32Array | undefined)[],
  { store, signal }: FusionTestOptions,
): Promise<number[][]> {
  const search = new WordSearch(fork, table);
  const limits = { limit: FUSED_DEPTH, inScope: (path: string) => scope.has(path) };
  const trials: number[][] = [];
  for (const [i, { file, row, question }] of samples.entries()) {
    const vector = questions[i];
    if (!vector) continue;
    const words = search.rank(parseQuery(question), limits).found;
    const meaning = await rankByMeaning(vector, fork, table, store, { ...limits, signal });
    const rankWith = (weight: number) => {
      const fused = fuse(words, meaning, { weight, limit: RANKED });
      return fused.findIndex((found) => found.file === file && found.row === row) + 1;
    };
    trials.push([0, ...WEIGHTS].map((weight) => (rankWith(weight) > 0 ? 1 / rankWith(weight) : 0)));
  }
  return trials;
}

/** The weight that is best for every second trial, if it is better by enough for them and for the others. */
function judge(trials: readonly number[][]): Pick<FusionVerdict, 'weight' | 'byWords' | 'fused'> {
  const mean = (half: readonly number[][], column: number) =>
    half.reduce((sum, trial) => sum + trial[column]!, 0) / half.length;
  const [chooses, proves] = [0, 1].map((rest) => trials.filter((_, i) => i % 2 === rest)) as [number[][], number[][]];
  const columns = WEIGHTS.map((_, i) => i + 1);
  const best = columns.reduce((x, y) => (mean(chooses, y) > mean(chooses, x) ? y : x));
  const helps = [chooses, proves].every((half) => mean(half, best) - mean(half, 0) >= LEAST_GAIN);
  const weight = helps ? WEIGHTS[best - 1]! : 0;
  return { weight, byWords: mean(trials, 0), fused: mean(trials, helps ? best : 0) };
}

async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  purpose: 'query' | 'document',
  signal: AbortSignal | undefined,
): Promise<(Float32Array | undefined)[]> {
  const vectors: (Float32Array | undefined)[] = [];
  for (let at = 0; at < texts.length; at += EMBED_BATCH) {
    vectors.push(...(await embedder.embed(texts.slice(at, at + EMBED_BATCH), purpose, signal)));
  }
  return vectors;
}
