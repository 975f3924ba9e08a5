import type { Embedder } from '@black-ide/intel';
import { isRecord } from '@black-ide/protocol';
import { type EmbedderOptions, noVectors } from './openai-embedder.ts';
import { type Purpose, WireEmbedder } from './wire-embedder.ts';

/** `nomic-embed-text` was taught with these words before each text, and is of little use without. */
const PREFIXES: Record<Purpose, string> = { query: 'search_query: ', document: 'search_document: ' };

/** Vectors by Ollama's own wire (`POST /api/embed`), which cuts texts that are too long for the model. */
export function ollamaEmbedder({ endpoint, modelId, key, ...rest }: EmbedderOptions): Embedder {
  const { provider, baseURL, headers } = endpoint;
  const isNomic = modelId.includes('nomic-embed-text');
  return new WireEmbedder({
    provider,
    modelId,
    ...rest,
    wire: {
      // The address is that of its imitation of OpenAI's wire.
      url: `${baseURL.replace(/\/v\d+$/, '')}/api/embed`,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      body: (texts, purpose) => ({
        model: modelId,
        input: isNomic ? texts.map((text) => PREFIXES[purpose] + text) : texts,
        truncate: true,
      }),
      read: (answer, count) => {
        const list = isRecord(answer) && Array.isArray(answer.embeddings) ? answer.embeddings : undefined;
        if (!list) throw noVectors(provider);
        // They have the order of the texts alone: with another number of them nobody knows which is whose.
        return list.length === count ? list : new Array(count).fill(undefined);
      },
    },
  });
}
