import type { LanguageModelV4 } from '@ai-sdk/provider';

/** US dollars for a million tokens. */
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What is known of a model. */
export interface ModelInfo {
  /** Tokens of prompt and answer together. */
  contextWindow: number;
  maxOutput: number;
  images: boolean;
  /** Absent: nobody knows them, and no budget can hold. */
  prices?: Prices;
}

/** A model that the loop can ask: the AI SDK's provider interface is the one border to every wire. */
export interface ResolvedModel {
  /** As in `provider/model`. */
  provider: string;
  modelId: string;
  /** The wire, as it is logged with each answer, e.g. `anthropic-messages`. */
  api: string;
  info: ModelInfo;
  language: LanguageModelV4;
}
