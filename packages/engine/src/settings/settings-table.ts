import * as z from 'zod';

/** What a trusted workspace may do to a setting. Where nothing is said it may not touch it. */
type WorkspaceRule<T> =
  /** Its list is added to the person's: for lists that forbid. */
  | { adds: true }
  /** Its value counts where the person has set none, and only where it is stricter than the default. */
  | { ranks: readonly T[] };

interface Setting<T> {
  schema: z.ZodType<T>;
  /** Counts where nothing is set, and where the settings cannot be read. */
  default: T;
  workspace?: WorkspaceRule<T>;
  /** A variable of the person's environment that goes before the files. */
  env?: string;
  /** One line for the documentation and for who edits the file. */
  about: string;
}

const patterns = z.array(z.string());
/** From the loosest to the strictest. */
const PLANNING = ['off', 'standard', 'strict'] as const;
const SANDBOX = ['off', 'auto'] as const;
const LSP = ['auto', 'off'] as const;

/**
 * Every setting but the providers': its type, its default, and whether a workspace may tighten it. A key with a dot is
 * written so, or nested: `{"commandPolicy": {"deny": []}}`. New settings are one entry here.
 */
export const SETTINGS = {
  'commandPolicy.allow': setting({
    schema: patterns,
    default: [],
    about: 'regular expressions of commands that run unasked',
  }),
  'commandPolicy.deny': setting({
    schema: patterns,
    default: [],
    workspace: { adds: true },
    about: 'regular expressions of commands that never run',
  }),
  autoApproveTerminal: setting({
    schema: z.boolean(),
    default: false,
    workspace: { ranks: [true, false] },
    about: 'in the interactive chat, run commands without asking; what is denied stays denied',
  }),
  planning: setting({
    schema: z.enum(PLANNING),
    default: 'standard',
    workspace: { ranks: PLANNING },
    env: 'BLACK_PLANNING',
    about: 'whether larger tasks begin with a plan that you approve: standard, strict or off',
  }),
  sandbox: setting({
    schema: z.enum(SANDBOX),
    default: 'auto',
    workspace: { ranks: SANDBOX },
    env: 'BLACK_SANDBOX',
    about: 'auto: commands run in a sandbox where there is one; off: never',
  }),
  'sandbox.allowedHosts': setting({
    schema: z.array(z.string()),
    default: [],
    about: 'hosts that commands in the sandbox may reach, e.g. registry.npmjs.org or *.example.com',
  }),
  model: setting({
    schema: z.string().min(1),
    default: 'auto',
    env: 'BLACK_MODEL',
    about: 'the model where none is named, as provider/model; auto: the first provider with a key',
  }),
  'search.embeddings': setting({
    schema: z.string().min(1),
    default: 'off',
    env: 'BLACK_EMBEDDINGS',
    about: 'a model, as provider/model, that code is found by its meaning with; your code is sent to it; off: none',
  }),
  lsp: setting({
    schema: z.enum(LSP),
    default: 'auto',
    workspace: { ranks: LSP },
    env: 'BLACK_LSP',
    about: 'auto: language servers that are found are used, and new problems told after each write; off: none',
  }),
  'lsp.waitMs': setting({
    schema: z.number().int().min(0).max(60_000),
    default: 2_000,
    about: 'how long a write may wait for its diagnostics, in milliseconds',
  }),
  'lsp.idleMinutes': setting({
    schema: z.number().positive().max(1_440),
    default: 10,
    about: 'a language server that nobody has needed for so long is ended',
  }),
  'checkpoints.maxBytes': setting({
    schema: z.number().int().min(1_000_000),
    default: 1_000_000_000,
    about: 'how large the store of what can be undone may grow',
  }),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { [K in SettingKey]: z.infer<(typeof SETTINGS)[K]['schema']> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** What holds where nothing is set. */
export function defaultSettings(): Settings {
  const entries = SETTING_KEYS.map((key) => [key, structuredClone(SETTINGS[key].default)]);
  return Object.fromEntries(entries) as Settings;
}

function setting<Schema extends z.ZodType>(
  spec: Setting<z.infer<Schema>> & { schema: Schema },
): Setting<z.infer<Schema>> {
  return spec;
}
