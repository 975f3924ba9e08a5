/** Provider ids (IDE-25); the only place where they are spelled. */
export const PROVIDERS = { anthropic: 'anthropic', openai: 'openai', offline: 'offline' } as const;

export type ProviderId = (typeof PROVIDERS)[keyof typeof PROVIDERS];

/** The model of each provider when only its key is there. */
export const DEFAULT_MODELS: Record<ProviderId, string> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5',
  offline: 'offline',
};

/** The wire's name as it is logged with each answer; the pi family uses the same ones. */
export const APIS: Record<ProviderId, string> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-completions',
  offline: 'offline',
};
