import type { ThinkingLevel } from '@black-ide/protocol';

/** Provider ids (IDE-25); the only place where they are spelled. */
export const PROVIDERS = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  openrouter: 'openrouter',
  ollama: 'ollama',
  offline: 'offline',
} as const;

export type ProviderId = (typeof PROVIDERS)[keyof typeof PROVIDERS];

/** What a provider speaks; a provider of the user's own names one in the settings. */
export const PROVIDER_KINDS = [
  'anthropic',
  'openai-responses',
  'openai-compatible',
  'google',
  'openrouter',
  'ollama',
] as const;

export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface BuiltInProvider {
  kind: ProviderKind;
  /** Where its key is looked for in the environment, in this order. None: it needs no key. */
  keys: readonly string[];
  /** The variable that names another address. */
  address: string;
  /** Its own address, with the version in the path. */
  baseURL: string;
  /** The model when only its key is there. */
  model?: string;
  /** Its model for embeddings, where one is named without a model. */
  embeddings?: string;
}

/** In the order in which a key chooses the model of a run that names none. */
export const BUILT_IN: Readonly<Record<Exclude<ProviderId, 'offline'>, BuiltInProvider>> = {
  anthropic: {
    kind: 'anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
    baseURL: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-5-5',
  },
  openai: {
    kind: 'openai-responses',
    keys: ['OPENAI_API_KEY'],
    address: 'OPENAI_BASE_URL',
    baseURL: 'https://api.openai.com/v1',
    model: 'gpt-5',
    embeddings: 'text-embedding-3-small',
  },
  google: {
    kind: 'google',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-pro-latest',
  },
  openrouter: {
    kind: 'openrouter',
    keys: ['OPENROUTER_API_KEY'],
    address: 'OPENROUTER_BASE_URL',
    baseURL: 'https://openrouter.ai/api/v1',
    model: 'anthropic/claude-sonnet-5.5',
  },
  ollama: {
    kind: 'ollama',
    keys: [],
    address: 'OLLAMA_HOST',
    baseURL: 'http://127.0.0.1:11434/v1',
    embeddings: 'nomic-embed-text',
  },
};

/** The wire's name as it is logged with each answer; the pi family uses the same ones. */
export const APIS: Readonly<Record<ProviderKind | 'offline', string>> = {
  anthropic: 'anthropic-messages',
  'openai-responses': 'openai-responses',
  'openai-compatible': 'openai-completions',
  google: 'google-generative-ai',
  openrouter: 'openai-completions',
  ollama: 'openai-completions',
  offline: 'offline',
};

/** How much a model thinks before it answers; absent: as its provider has it. */
export const THINKING_LEVELS: readonly ThinkingLevel[] = ['off', 'low', 'medium', 'high'];
