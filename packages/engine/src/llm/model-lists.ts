import { join } from 'node:path';
import { type EngineError, isRecord, type ModelSummary, type ProviderModels } from '@black-ide/protocol';
import { makeStoreFolder, readStoreFile, writeFileAtomic } from '@black-ide/workspace';
import { type KnownModel, shippedInfo, shippedModels } from './catalogue.ts';
import type { Endpoint } from './endpoint.ts';
import type { ModelInfo } from './model.ts';
import { fetchModels, type ListedModel } from './model-fetcher.ts';

/** A list that was fetched is good for a day. */
const KEPT_MS = 24 * 3600 * 1000;

export interface ModelListsOptions {
  fetch: typeof globalThis.fetch;
  home: string | undefined;
  now: () => number;
}

/** Lists of models: live, kept below the state folder for a day, or as shipped (IDE-26). */
export class ModelLists {
  readonly #options: ModelListsOptions;

  constructor(options: ModelListsOptions) {
    this.#options = options;
  }

  async get(
    endpoint: Endpoint,
    key: string | undefined,
    { refresh = false, signal }: { refresh?: boolean; signal?: AbortSignal },
  ): Promise<ProviderModels> {
    const { provider } = endpoint;
    const kept = this.#read(endpoint);
    if (!refresh && kept && this.#options.now() - kept.at < KEPT_MS) {
      return { provider, source: 'kept', models: named(provider, kept.models) };
    }
    const fetched = await fetchModels(endpoint, key, this.#options.fetch, signal);
    if (fetched.ok) {
      this.#keep(endpoint, fetched.models);
      return { provider, source: 'live', models: named(provider, fetched.models) };
    }
    if (kept) return { provider, source: 'kept', problem: fetched.error, models: named(provider, kept.models) };
    return this.shipped(endpoint, fetched.error);
  }

  /** What is shipped of a provider; nothing where it is not the real one that is asked. */
  shipped({ provider }: Endpoint, problem: EngineError): ProviderModels {
    return { provider, source: 'catalogue', problem, models: shippedModels(provider).map(summary) };
  }

  /** What the kept list of a provider says of a model that the catalogue does not know. */
  kept(endpoint: Endpoint, modelId: string): ModelInfo | undefined {
    const info = this.#read(endpoint)?.models.find(({ id }) => id === modelId)?.info;
    return info?.contextWindow
      ? { maxOutput: Math.floor(info.contextWindow / 8), images: true, ...info, contextWindow: info.contextWindow }
      : undefined;
  }

  #read(endpoint: Endpoint): { at: number; models: ListedModel[] } | undefined {
    const path = this.#path(endpoint.provider);
    const text = path && readStoreFile(path);
    if (!text) return undefined;
    const value = parsed(text);
    if (!isRecord(value) || value.from !== endpoint.baseURL || typeof value.at !== 'number') return undefined;
    if (
      !Array.isArray(value.models) ||
      !value.models.every((model) => isRecord(model) && typeof model.id === 'string')
    ) {
      return undefined;
    }
    return { at: value.at, models: value.models as ListedModel[] };
  }

  #keep(endpoint: Endpoint, models: ListedModel[]): void {
    const path = this.#path(endpoint.provider);
    if (!path) return;
    makeStoreFolder(join(path, '..'));
    const { now } = this.#options;
    writeFileAtomic(path, `${JSON.stringify({ at: now(), from: endpoint.baseURL, models })}\n`);
  }

  #path(provider: string): string | undefined {
    const { home } = this.#options;
    return home === undefined ? undefined : join(home, 'models', `${provider}.json`);
  }
}

/** A kept list is a cache: one that cannot be read is fetched anew. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Live models with what the catalogue knows of them; a provider's own word wins. */
function named(provider: string, models: readonly ListedModel[]): ModelSummary[] {
  const shipped = new Map(shippedModels(provider).map((model) => [model.id, model]));
  return models.map(({ id, name, info }) => {
    const known = { ...(shipped.get(id)?.info ?? shippedInfo(provider, id)), ...info };
    return {
      id,
      name: name ?? shipped.get(id)?.name ?? id,
      ...(Object.keys(known).length > 0 ? { info: known } : {}),
    };
  });
}

function summary({ id, name, info }: KnownModel): ModelSummary {
  return { id, name, info };
}
