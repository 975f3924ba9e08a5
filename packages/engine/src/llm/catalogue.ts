import { readAsset } from '@black-ide/workspace';
import type { ModelInfo, Prices } from './model.ts';

/** A model as the shipped catalogue has it; `scripts/update-catalogue.ts` writes it. */
interface CatalogueModel {
  name: string;
  context: number;
  output: number;
  images?: boolean;
  thinking?: boolean;
  prices?: Prices;
}

/** What is known of a listed model. */
export interface KnownModel {
  id: string;
  name: string;
  info: ModelInfo;
}

const FILES: Readonly<Record<string, URL>> = {
  anthropic: new URL('../../catalogue/anthropic.json', import.meta.url),
  openai: new URL('../../catalogue/openai.json', import.meta.url),
  google: new URL('../../catalogue/google.json', import.meta.url),
  openrouter: new URL('../../catalogue/openrouter.json', import.meta.url),
};

/** A careful window for a model that nobody knows. */
const UNKNOWN: ModelInfo = { contextWindow: 128_000, maxOutput: 16_000, images: true };
const UNKNOWN_CLAUDE: ModelInfo = { contextWindow: 200_000, maxOutput: 32_000, images: true };

const OFFLINE: ModelInfo = {
  contextWindow: 1_000_000,
  maxOutput: 32_000,
  images: false,
  thinking: false,
  prices: { input: 0, output: 0 },
};

/** The shipped snapshot of a provider's models: contexts, limits, prices (IDE-26). Empty for one that has none. */
export function shippedModels(provider: string): KnownModel[] {
  return Object.entries(read(provider)).map(([id, model]) => ({ id, name: model.name, info: infoOf(model) }));
}

/** What is shipped about a model; undefined where it is not in the catalogue. */
export function shippedInfo(provider: string, modelId: string): ModelInfo | undefined {
  if (provider === 'offline') return OFFLINE;
  const models = read(provider);
  const exact = own(models, modelId);
  if (exact) return infoOf(exact);
  // `…-20250929` and `…-2025-09-29` are a model at a date.
  const undated = own(models, modelId.replace(/-\d{4}-?\d{2}-?\d{2}$/, ''));
  if (undated) return infoOf(undated);
  // `…:nitro` is another offer of the same model: its price is not known.
  const { prices: _unknown, ...variant } = infoOf(own(models, modelId.replace(/:[a-z-]+$/, '')) ?? NOTHING);
  return variant.contextWindow > 0 ? variant : undefined;
}

/** The same, with a careful default for a model that nobody knows. */
export function modelInfo(provider: string, modelId: string): ModelInfo {
  return shippedInfo(provider, modelId) ?? (modelId.includes('claude-') ? UNKNOWN_CLAUDE : UNKNOWN);
}

const NOTHING: CatalogueModel = { name: '', context: 0, output: 0 };

function read(provider: string): Record<string, CatalogueModel> {
  const file = own(FILES, provider);
  if (!file) return {};
  return (JSON.parse(readAsset(file)) as { models: Record<string, CatalogueModel> }).models;
}

function infoOf({ context, output, images, thinking, prices }: CatalogueModel): ModelInfo {
  return {
    contextWindow: context,
    maxOutput: output,
    images: images === true,
    thinking: thinking === true,
    ...(prices ? { prices } : {}),
  };
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
