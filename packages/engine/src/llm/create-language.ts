import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Endpoint } from './endpoint.ts';

/** The wire of a provider, over its library. A library is imported on its first use. */
export async function createLanguage(
  { provider, kind, baseURL, headers }: Endpoint,
  modelId: string,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const common = { baseURL, headers: { ...headers }, fetch };
  // The libraries want a key where the server may not; without one no authorization is sent.
  const apiKey = key ?? 'none';
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...common, apiKey }).languageModel(modelId);
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ ...common, apiKey }).responses(modelId);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ ...common, apiKey }).languageModel(modelId);
    }
    case 'openrouter': {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider');
      // It tells of signatures it leaves out on the console, where a terminal draws.
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
      const openrouter = createOpenRouter({ ...common, apiKey, appName: 'Black IDE', compatibility: 'strict' });
      return openrouter.chat(modelId, { usage: { include: true } });
    }
    case 'openai-compatible':
    case 'ollama': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = { ...common, name: provider, includeUsage: true, ...(key ? { apiKey: key } : {}) };
      return createOpenAICompatible(options).languageModel(modelId);
    }
  }
}
