import { BlackError, type ModelDescription } from '@black-ide/protocol';
import { knownModels, modelInfo } from './catalogue.ts';
import { APIS, DEFAULT_MODELS, PROVIDERS, type ProviderId } from './constants.ts';
import type { ResolvedModel } from './model.ts';
import { NodeFetch } from './node-fetch.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Resolves `provider/model` to a model that can be asked. A provider's library is imported on its first use; keys come
 * from the person's own environment only.
 */
export class ProviderRegistry {
  readonly #env: Env;
  readonly #wire = new NodeFetch();

  constructor(env: Env) {
    this.#env = env;
  }

  /** The model of a run that names none: of the first provider with a key, else `offline`. */
  defaultModel(): string {
    const provider = this.#env.ANTHROPIC_API_KEY
      ? PROVIDERS.anthropic
      : this.#env.OPENAI_API_KEY
        ? PROVIDERS.openai
        : PROVIDERS.offline;
    return `${provider}/${DEFAULT_MODELS[provider]}`;
  }

  /**
   * @param name `provider/model`, or a provider alone for its default model.
   * @throws BlackError `unknown_provider` or `missing_key`.
   */
  async resolve(name: string): Promise<ResolvedModel> {
    const [provider, modelId] = this.parse(name);
    return {
      provider,
      modelId,
      api: APIS[provider],
      info: modelInfo(provider, modelId),
      language: await this.#language(provider, modelId),
    };
  }

  /** @throws BlackError `unknown_provider`. */
  parse(name: string): [provider: ProviderId, modelId: string] {
    const slash = name.indexOf('/');
    const provider = slash < 0 ? name : name.slice(0, slash);
    const modelId = slash < 0 ? '' : name.slice(slash + 1);
    if (!Object.hasOwn(PROVIDERS, provider)) {
      throw new BlackError(
        'unknown_provider',
        `There is no provider \`${provider}\`.`,
        `Name a model as provider/model, with one of: ${Object.values(PROVIDERS).join(', ')}.`,
      );
    }
    const id = provider as ProviderId;
    return [id, modelId || DEFAULT_MODELS[id]];
  }

  /** What is known of a model, without asking anyone. @throws BlackError `unknown_provider`. */
  describe(name: string): ModelDescription {
    const [provider, modelId] = this.parse(name);
    const { contextWindow, images } = modelInfo(provider, modelId);
    return { model: `${provider}/${modelId}`, contextWindow, images };
  }

  /** The known models of the providers that have a key here, as `provider/model`. */
  usable(): string[] {
    const { ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL } = this.#env;
    const ready: Record<ProviderId, boolean> = {
      anthropic: Boolean(ANTHROPIC_API_KEY),
      openai: Boolean(OPENAI_API_KEY || OPENAI_BASE_URL),
      offline: true,
    };
    return Object.values(PROVIDERS)
      .filter((provider) => ready[provider])
      .flatMap((provider) => [...new Set([`${provider}/${DEFAULT_MODELS[provider]}`, ...knownModels(provider)])]);
  }

  dispose(): void {
    this.#wire.dispose();
  }

  async #language(provider: ProviderId, modelId: string): Promise<ResolvedModel['language']> {
    const { fetch } = this.#wire;
    switch (provider) {
      case 'offline': {
        const { createOfflineModel } = await import('./offline/index.ts');
        return createOfflineModel();
      }
      case 'anthropic': {
        const apiKey = this.#key('ANTHROPIC_API_KEY', provider);
        const { createAnthropic } = await import('@ai-sdk/anthropic');
        const base = this.#env.ANTHROPIC_BASE_URL;
        return createAnthropic({ apiKey, fetch, ...(base ? { baseURL: versioned(base) } : {}) }).languageModel(modelId);
      }
      case 'openai': {
        const apiKey = this.#key('OPENAI_API_KEY', provider);
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        return createOpenAICompatible({
          name: 'openai',
          apiKey,
          baseURL: this.#env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
          fetch,
          includeUsage: true,
        }).languageModel(modelId);
      }
    }
  }

  /** A compatible server at home often needs no key at all, but its client library wants one. */
  #key(name: 'ANTHROPIC_API_KEY' | 'OPENAI_API_KEY', provider: ProviderId): string {
    const key = this.#env[name];
    if (key) return key;
    if (provider === 'openai' && this.#env.OPENAI_BASE_URL) return 'none';
    throw new BlackError(
      'missing_key',
      `There is no key for ${provider}.`,
      `Set ${name}, or use --model offline to go on without a model.`,
    );
  }
}

/** The variable's convention is the host alone; the library wants the version in the path. */
function versioned(base: string): string {
  const trimmed = base.replace(/\/+$/, '');
  return /\/v\d+$/.test(trimmed) ? trimmed : `${trimmed}/v1`;
}
