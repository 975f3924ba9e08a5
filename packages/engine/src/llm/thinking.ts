import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ThinkingLevel } from '@black-ide/protocol';
import type { ResolvedModel } from './model.ts';

type TurnOptions = Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;

export interface TurnWishes {
  thinking?: ThinkingLevel;
  /** The same for all requests of a session: servers that route by it find their cache again. */
  cacheKey?: string;
}

/**
 * What a request says beside its conversation: how much to think, and what to cache. The same for every turn of a
 * session as long as model and level stay, so that the beginnings of its requests are the same bytes.
 */
export function turnOptions(model: Pick<ResolvedModel, 'kind' | 'modelId' | 'info'>, wishes: TurnWishes): TurnOptions {
  // A model that is known not to think refuses to be told how much.
  const level = model.info.thinking === false ? undefined : wishes.thinking;
  const reasoning = level && { reasoning: level === 'off' ? ('none' as const) : level };
  switch (model.kind) {
    case 'anthropic':
      return { ...reasoning, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
    case 'openai-responses':
      return {
        ...reasoning,
        providerOptions: {
          openai: {
            // Nothing is kept at the provider: the log is the truth, and encrypted thinking goes along in it.
            store: false,
            ...(model.info.thinking ? { forceReasoning: true } : {}),
            ...(level && level !== 'off' ? { reasoningSummary: 'auto' } : {}),
            ...(wishes.cacheKey ? { promptCacheKey: wishes.cacheKey } : {}),
          },
        },
      };
    case 'google':
      return level && level !== 'off'
        ? { ...reasoning, providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
        : { ...reasoning };
    case 'openrouter':
      return { providerOptions: { openrouter: openRouterOptions(model.modelId, level) } };
    default:
      return { ...reasoning };
  }
}

function openRouterOptions(modelId: string, level: ThinkingLevel | undefined) {
  return {
    ...(level ? { reasoning: level === 'off' ? { enabled: false } : { effort: level } } : {}),
    // Of the models behind it only Anthropic's cache on demand.
    ...(/^~?anthropic\//.test(modelId) ? { cache_control: { type: 'ephemeral' } } : {}),
  };
}
