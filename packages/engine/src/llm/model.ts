import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderKind } from './constants.ts';

/** US dollars for a million tokens. An unknown cache price counts as the input's: never less than is billed. */
export interface Rates {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

export interface Prices extends Rates {
  /** Dearer rates for a request whose whole input is longer than so many tokens; ascending. */
  tiers?: readonly (Rates & { above: number })[];
}

/** What is known of a model. */
export interface ModelInfo {
  /** Tokens of prompt and answer together. */
  contextWindow: number;
  maxOutput: number;
  /** False only where it is known to take none. */
  images: boolean;
  /** Absent: nobody knows. */
  thinking?: boolean;
  /** Absent: nobody knows them, and no budget can hold. */
  prices?: Prices;
}

/** A model that the loop can ask: the AI SDK's provider interface is the one border to every wire. */
export interface ResolvedModel {
  /** As in `provider/model`. */
  provider: string;
  modelId: string;
  kind: ProviderKind | 'offline';
  /** The wire, as it is logged with each answer, e.g. `anthropic-messages`. */
  api: string;
  info: ModelInfo;
  language: LanguageModelV4;
  /** Takes the key out of a text that a server sent back: none must reach the log or a screen. */
  hide?: (text: string) => string;
}

/** Tokens that an answer may take: a quarter of the window at most, so that the rest is the conversation's. */
export function answerTokens({ contextWindow, maxOutput }: ModelInfo): number {
  return Math.min(maxOutput, Math.floor(contextWindow / 4));
}
