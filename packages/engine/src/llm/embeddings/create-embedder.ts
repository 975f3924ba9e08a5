import type { Embedder } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import { ollamaEmbedder } from './ollama-embedder.ts';
import { type EmbedderOptions, openAiEmbedder } from './openai-embedder.ts';

/** The embedder of a provider. @throws BlackError `no_embeddings` for one whose wire has none. */
export function createEmbedder(options: EmbedderOptions): Embedder {
  const { kind, provider } = options.endpoint;
  switch (kind) {
    case 'ollama':
      return ollamaEmbedder(options);
    case 'openai-responses':
    case 'openai-compatible':
    case 'openrouter':
      return openAiEmbedder(options);
    case 'anthropic':
    case 'google':
      throw new BlackError(
        'no_embeddings',
        `Embeddings of ${provider} are not supported.`,
        'Choose openai/text-embedding-3-small or ollama/nomic-embed-text.',
      );
  }
}
