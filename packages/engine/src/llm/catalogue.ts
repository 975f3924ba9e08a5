import type { ModelInfo, Prices } from './model.ts';

const LARGE: ModelInfo = { contextWindow: 200_000, maxOutput: 32_000, images: true };

/** Models whose name begins so; the longest beginning wins. A model that is not listed has no known price. */
const FAMILIES: Record<string, Partial<ModelInfo>> = {
  'anthropic/claude-': {},
  'anthropic/claude-haiku-4-5': { prices: anthropic(1, 5) },
  'anthropic/claude-opus-4-0': { prices: anthropic(15, 75) },
  'anthropic/claude-opus-4-1': { prices: anthropic(15, 75) },
  'anthropic/claude-opus-4-5': { prices: anthropic(5, 25) },
  'anthropic/claude-sonnet-4-0': { prices: anthropic(3, 15) },
  'anthropic/claude-sonnet-4-5': { prices: anthropic(3, 15) },
  'openai/gpt-4o': { contextWindow: 128_000, maxOutput: 16_384, prices: openai(2.5, 1.25, 10) },
  'openai/gpt-4o-mini': { contextWindow: 128_000, maxOutput: 16_384, prices: openai(0.15, 0.075, 0.6) },
  'openai/gpt-4.1': { contextWindow: 1_047_576, maxOutput: 32_768, prices: openai(2, 0.5, 8) },
  'openai/gpt-4.1-mini': { contextWindow: 1_047_576, maxOutput: 32_768, prices: openai(0.4, 0.1, 1.6) },
  'openai/gpt-5': { contextWindow: 400_000, maxOutput: 128_000, prices: openai(1.25, 0.125, 10) },
  'openai/gpt-5-mini': { contextWindow: 400_000, maxOutput: 128_000, prices: openai(0.25, 0.025, 2) },
  'openai/gpt-5-nano': { contextWindow: 400_000, maxOutput: 128_000, prices: openai(0.05, 0.005, 0.4) },
  'openai/gpt-5.': { contextWindow: 400_000, maxOutput: 128_000 },
  'offline/': { contextWindow: 1_000_000, maxOutput: 32_000, images: false, prices: openai(0, 0, 0) },
};

/** What is shipped about a model; one that nobody knows gets a careful default window. */
export function modelInfo(provider: string, modelId: string): ModelInfo {
  const name = `${provider}/${modelId}`;
  const family = Object.keys(FAMILIES)
    .filter((beginning) => name.startsWith(beginning))
    .sort((a, b) => b.length - a.length)[0];
  return family ? { ...LARGE, ...FAMILIES[family] } : { ...LARGE, contextWindow: 128_000, maxOutput: 16_000 };
}

/** The models of a provider that are listed by their whole name, as `provider/model`. */
export function knownModels(provider: string): string[] {
  return Object.keys(FAMILIES).filter((name) => name.startsWith(`${provider}/`) && /[^/.-]$/.test(name));
}

/** Anthropic bills a cache read with a tenth, and a cache write of five minutes with five quarters, of the input. */
function anthropic(input: number, output: number): Prices {
  return { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 };
}

function openai(input: number, cacheRead: number, output: number): Prices {
  return { input, output, cacheRead, cacheWrite: 0 };
}
