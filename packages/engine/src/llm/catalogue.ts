import type { ModelInfo } from './model.ts';

const LARGE: ModelInfo = {
  contextWindow: 200_000,
  maxOutput: 32_000,
  images: true,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** Models whose name begins so; the longest beginning wins. Prices: US dollars for a million tokens. */
const FAMILIES: Record<string, Partial<ModelInfo>> = {
  'anthropic/claude-': {},
  'openai/gpt-4o': { contextWindow: 128_000, maxOutput: 16_384 },
  'openai/gpt-4.1': { contextWindow: 1_047_576, maxOutput: 32_768 },
  'openai/gpt-5': { contextWindow: 400_000, maxOutput: 128_000 },
  'offline/': { contextWindow: 1_000_000, maxOutput: 32_000, images: false },
};

/** What is shipped about a model; one that nobody knows gets a careful default window. */
export function modelInfo(provider: string, modelId: string): ModelInfo {
  const name = `${provider}/${modelId}`;
  const family = Object.keys(FAMILIES)
    .filter((beginning) => name.startsWith(beginning))
    .sort((a, b) => b.length - a.length)[0];
  return family ? { ...LARGE, ...FAMILIES[family] } : { ...LARGE, contextWindow: 128_000, maxOutput: 16_000 };
}
