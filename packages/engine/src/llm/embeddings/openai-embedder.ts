import type { Embedder } from '@black-ide/intel';
import { BlackError, isRecord } from '@black-ide/protocol';
import type { Clock } from '../../engine-api.ts';
import type { Endpoint } from '../endpoint.ts';
import { WireEmbedder } from './wire-embedder.ts';

export interface EmbedderOptions {
  endpoint: Endpoint;
  modelId: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  random: () => number;
}

/** Vectors by OpenAI's wire (`POST /embeddings`), as compatible servers have it, too. */
export function openAiEmbedder({ endpoint, modelId, key, ...rest }: EmbedderOptions): Embedder {
  const { provider, baseURL, headers } = endpoint;
  return new WireEmbedder({
    provider,
    modelId,
    ...rest,
    wire: {
      url: `${baseURL}/embeddings`,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      body: (texts) => ({ model: modelId, input: texts, encoding_format: 'float' }),
      read: (answer, count) => {
        const list = isRecord(answer) && Array.isArray(answer.data) ? answer.data : undefined;
        if (!list) throw noVectors(provider);
        const vectors: unknown[] = new Array(count).fill(undefined);
        // Each says by itself which text it belongs to.
        for (const item of list.filter(isRecord)) {
          if (Number.isInteger(item.index) && Number(item.index) < count) vectors[Number(item.index)] = item.embedding;
        }
        return vectors;
      },
    },
  });
}

export function noVectors(provider: string): BlackError {
  return new BlackError(
    'unreadable_answer',
    `The answer of ${provider} holds no embeddings.`,
    'Is the base URL right, and is it a model for embeddings?',
  );
}
