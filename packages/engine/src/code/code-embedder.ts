import type { Embedder } from '@black-ide/intel';
import { DiskDocuments, type Keyring, KeyStore } from '@black-ide/workspace';
import type { Clock } from '../engine-api.ts';
import { ProviderRegistry } from '../llm/provider-registry.ts';
import { EngineSettings } from '../settings/engine-settings.ts';

export interface CodeEmbedderOptions {
  /** The state folder, with the person's settings and keys. */
  home: string;
  /** The workspace; its own settings cannot name an embedder. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Left out: this machine's own. */
  keyring?: Keyring | undefined;
}

/**
 * The embedder that the setting `search.embeddings` names (INT-9); undefined for `off`. One that cannot be had fails when
 * it is asked: the report of the index then says why, and code is found by its words.
 */
export async function codeEmbedder(
  name: string,
  providers: Pick<ProviderRegistry, 'embedder'>,
  clock: Clock,
): Promise<Embedder | undefined> {
  if (name === 'off') return undefined;
  try {
    return await providers.embedder(name, { clock, random: Math.random });
  } catch (cause) {
    return { id: name, embed: () => Promise.reject(cause) };
  }
}

/** The same for a program that has no engine. */
export async function openCodeEmbedder(
  options: CodeEmbedderOptions,
): Promise<{ embedder: Embedder | undefined; dispose(): void }> {
  const { home, root, env, clock, keyring } = options;
  const isTrusted = (): boolean => false;
  const settings = new EngineSettings({ home, root, env, documents: new DiskDocuments(), isTrusted });
  const { values } = await settings.load();
  const providers = new ProviderRegistry(env, { home, keys: new KeyStore({ home, ...(keyring ? { keyring } : {}) }) });
  const embedder = await codeEmbedder(values['search.embeddings'], providers, clock);
  return { embedder, dispose: () => providers.dispose() };
}
