import type { Embedder } from '@black-ide/intel';
import { BlackError, type ModelDescription, type ProviderModels, type ProviderSummary } from '@black-ide/protocol';
import { canonicalProvider, type KeyStore } from '@black-ide/workspace';
import { modelInfo, shippedInfo, shippedModels } from './catalogue.ts';
import { APIS, BUILT_IN, PROVIDERS } from './constants.ts';
import { createLanguage } from './create-language.ts';
import { createEmbedder } from './embeddings/create-embedder.ts';
import type { EmbedderOptions } from './embeddings/openai-embedder.ts';
import { type Endpoint, type Env, endpointOf } from './endpoint.ts';
import type { ModelInfo, ResolvedModel } from './model.ts';
import { ModelLists } from './model-lists.ts';
import { NodeFetch } from './node-fetch.ts';
import { type ProviderSetting, providerSettings } from './provider-settings.ts';

/** How long a person who wants to choose waits for lists of models, in milliseconds. */
const CHOICES_MS = 1_500;
const SHORTEST_SECRET = 8;

export interface RegistryOptions {
  /** The state folder: settings and lists of models. None: neither is read. */
  home?: string;
  keys?: Pick<KeyStore, 'get' | 'has' | 'list'>;
  now?: () => number;
  /** The setting `model`; `auto`: none. */
  usual?: () => string;
}

/**
 * Resolves `provider/model` to a model that can be asked. A provider's library is imported on its first use. A key comes
 * from the person's own environment, else from the key store.
 */
export class ProviderRegistry {
  readonly #env: Env;
  readonly #home: string | undefined;
  readonly #keys: RegistryOptions['keys'];
  readonly #wire = new NodeFetch();
  readonly #lists: ModelLists;
  readonly #usual: () => string;

  constructor(env: Env, { home, keys, now = Date.now, usual = () => 'auto' }: RegistryOptions = {}) {
    this.#env = env;
    this.#home = home;
    this.#keys = keys;
    this.#usual = usual;
    this.#lists = new ModelLists({ fetch: this.#wire.fetch, home, now });
  }

  /**
   * The model of a run that names none: that of the settings, else of the first provider with a key, else `offline`.
   * @throws BlackError `bad_settings`, `unknown_provider`, `no_model`.
   */
  defaultModel(): string {
    const usual = this.#usual();
    if (usual !== 'auto') return this.parse(usual).join('/');
    const settings = this.#settings();
    const order = Object.entries(BUILT_IN).filter(([, { model }]) => model !== undefined);
    const chosen =
      order.find(([id]) => this.#environmentKey(endpointOf(id, this.#env, settings.get(id))!) !== undefined) ??
      order.find(([id]) => this.#keys?.has(id));
    return chosen ? `${chosen[0]}/${chosen[1].model}` : `${PROVIDERS.offline}/${PROVIDERS.offline}`;
  }

  /**
   * @param name `provider/model`, or a provider alone for its default model.
   * @throws BlackError `unknown_provider`, `no_model`, `missing_key`, `bad_settings`.
   */
  async resolve(name: string): Promise<ResolvedModel> {
    const [provider, modelId] = this.parse(name);
    if (provider === PROVIDERS.offline) return await offline(modelId);
    const endpoint = this.#endpoint(provider);
    const { kind } = endpoint;
    const key = await this.#key(endpoint);
    return {
      provider,
      modelId,
      kind,
      api: APIS[kind],
      info: this.#info(provider, modelId),
      language: await createLanguage(endpoint, modelId, key, this.#wire.fetch),
      // A shorter one, as servers of one's own are given, is no secret, and would cut words out of messages.
      ...(key && key.length >= SHORTEST_SECRET ? { hide: (text: string) => text.replaceAll(key, '…') } : {}),
    };
  }

  /**
   * Whoever turns texts into vectors (INT-9).
   * @param name `provider/model`, or a provider alone for its usual model for embeddings.
   * @throws BlackError `unknown_provider`, `no_model`, `no_embeddings`, `missing_key`, `bad_settings`.
   */
  async embedder(name: string, { clock, random }: Pick<EmbedderOptions, 'clock' | 'random'>): Promise<Embedder> {
    const slash = name.indexOf('/');
    const provider = canonicalProvider(slash < 0 ? name : name.slice(0, slash));
    const endpoint = this.#endpoint(provider);
    const usual = Object.hasOwn(BUILT_IN, provider)
      ? BUILT_IN[provider as keyof typeof BUILT_IN].embeddings
      : undefined;
    const modelId = slash < 0 ? usual : name.slice(slash + 1);
    if (!modelId) {
      const next = `Name one as ${provider}/MODEL.`;
      throw new BlackError('no_model', `\`${provider}\` has no usual model for embeddings.`, next);
    }
    const key = await this.#key(endpoint);
    return createEmbedder({ endpoint, modelId, key, fetch: this.#wire.fetch, clock, random });
  }

  /** @throws BlackError `unknown_provider`, `no_model`, `bad_settings`. */
  parse(name: string): [provider: string, modelId: string] {
    const slash = name.indexOf('/');
    const provider = canonicalProvider(slash < 0 ? name : name.slice(0, slash));
    const modelId = slash < 0 ? '' : name.slice(slash + 1);
    if (provider === PROVIDERS.offline) return [provider, modelId || PROVIDERS.offline];
    this.#endpoint(provider);
    const usual = Object.hasOwn(BUILT_IN, provider) ? BUILT_IN[provider as keyof typeof BUILT_IN].model : undefined;
    if (modelId || usual) return [provider, modelId || usual!];
    throw new BlackError(
      'no_model',
      `\`${provider}\` has no usual model.`,
      `Name one as ${provider}/MODEL; black models --provider ${provider} lists them.`,
    );
  }

  /** Every provider that there is: the built-in ones, then the user's own. */
  providers(): string[] {
    return [...new Set([...Object.keys(BUILT_IN), ...this.#settings().keys()])];
  }

  /** Whether a model of this provider could be asked now. */
  usable(provider: string): boolean {
    const endpoint = this.#endpoint(provider);
    return this.#environmentKey(endpoint) !== undefined || this.#keys?.has(provider) || !endpoint.needsKey;
  }

  /** What is known of a model, without asking anyone. @throws BlackError `unknown_provider`, `no_model`, `bad_settings`. */
  describe(name: string): ModelDescription {
    const [provider, modelId] = this.parse(name);
    const { contextWindow, images, prices } = this.#info(provider, modelId);
    const priced = prices ? { prices: { input: prices.input, output: prices.output } } : {};
    return { model: `${provider}/${modelId}`, contextWindow, images, ...priced };
  }

  /**
   * The models of the providers that could be asked now, as `provider/model`. Of providers that the catalogue does not
   * know, e.g. Ollama or a server of one's own, only their own list tells: one that does not answer soon is left out.
   */
  async choices(): Promise<string[]> {
    const providers = this.providers().filter((provider) => this.usable(provider));
    const signal = AbortSignal.timeout(CHOICES_MS);
    const listed = await Promise.all(
      providers.map(async (provider) => {
        const shipped = shippedModels(provider);
        const models = shipped.length > 0 ? shipped : (await this.models(provider, { signal })).models;
        return models.map(({ id }) => `${provider}/${id}`);
      }),
    );
    return [...new Set([this.defaultModel(), ...listed.flat(), `${PROVIDERS.offline}/${PROVIDERS.offline}`])];
  }

  /** Every provider with where its key would come from. @throws BlackError `bad_settings`, `bad_key_file`. */
  summaries(): ProviderSummary[] {
    const stored = new Map(this.#keys?.list().map(({ provider, where }) => [provider, where]));
    return this.providers().map((id) => {
      const endpoint = this.#endpoint(id);
      const { origin, pathname } = new URL(endpoint.baseURL);
      const key = this.#environmentKey(endpoint) !== undefined ? 'environment' : stored.get(id);
      const { kind, keys, needsKey } = endpoint;
      return { id, kind, address: origin + pathname, variables: [...keys], needsKey, ...(key ? { key } : {}) };
    });
  }

  /**
   * The models of a provider: from the provider itself where it answers in time, else what is known of it. Never throws
   * for a provider that does not answer: the list says so.
   */
  async models(provider: string, options: { refresh?: boolean; signal?: AbortSignal } = {}): Promise<ProviderModels> {
    const endpoint = this.#endpoint(canonicalProvider(provider));
    let key: string | undefined;
    try {
      key = await this.#key(endpoint);
    } catch (cause) {
      if (!(cause instanceof BlackError)) throw cause;
      return this.#lists.shipped(endpoint, BlackError.toValue(cause));
    }
    return await this.#lists.get(endpoint, key, options);
  }

  dispose(): void {
    this.#wire.dispose();
  }

  #info(provider: string, modelId: string): ModelInfo {
    const shipped = shippedInfo(provider, modelId);
    return shipped ?? this.#lists.kept(this.#endpoint(provider), modelId) ?? modelInfo(provider, modelId);
  }

  #settings(): ReadonlyMap<string, ProviderSetting> {
    return providerSettings(this.#home);
  }

  #endpoint(provider: string): Endpoint {
    const endpoint = endpointOf(provider, this.#env, this.#settings().get(provider));
    if (endpoint) return endpoint;
    throw new BlackError(
      'unknown_provider',
      `There is no provider \`${provider}\`.`,
      `Name a model as provider/model, with one of: ${[...this.providers(), PROVIDERS.offline].join(', ')}.`,
    );
  }

  #environmentKey({ keys }: Endpoint): string | undefined {
    for (const name of keys) {
      const value = this.#env[name]?.trim();
      if (value) return value;
    }
    return undefined;
  }

  async #key(endpoint: Endpoint): Promise<string | undefined> {
    const { provider, keys, needsKey } = endpoint;
    const key = this.#environmentKey(endpoint) ?? (await this.#keys?.get(provider));
    if (key !== undefined || !needsKey) return key;
    const set = keys[0] ? `Set ${keys[0]}, or store a key` : 'Store a key';
    throw new BlackError(
      'missing_key',
      `There is no key for ${provider}.`,
      `${set} with black auth set ${provider}, or use --model offline to go on without a model.`,
    );
  }
}

async function offline(modelId: string): Promise<ResolvedModel> {
  const { createOfflineModel } = await import('./offline/index.ts');
  const provider = PROVIDERS.offline;
  const info = modelInfo(provider, modelId);
  return { provider, modelId, kind: provider, api: APIS.offline, info, language: createOfflineModel() };
}
