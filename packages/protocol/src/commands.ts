/**
 * Engine commands (IDE-11): the second union, from a face down to the engine. Parsing never throws: what is unknown or
 * malformed becomes a typed error.
 */
import * as z from 'zod';
import { type ChangeCommandResults, changeCommandSchemas } from './changes.ts';
import { type ConfigurationCommandResults, configurationCommandSchemas } from './configuration.ts';
import { isRecord } from './content.ts';
import type { SessionHeader } from './entries.ts';
import type { EngineError } from './errors.ts';
import type { BackgroundCommand } from './events.ts';
import { type LanguageCommandResults, languageCommandSchemas } from './languages.ts';
import { type SessionCommandResults, sessionCommandSchemas } from './session-commands.ts';
import { type StagedCommandResults, stagedCommandSchemas } from './staged.ts';
import type { Snapshot } from './view/view.ts';

const sessionId = z.string().min(1);
const image = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() });

const thinkingLevel = z.enum(['off', 'low', 'medium', 'high']);

export const engineCommandSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    build: z.string().optional(),
    /** What this face can do, e.g. `secrets`, `documents` of the host port. */
    capabilities: z.array(z.string()).default([]),
  }),
  z.object({ type: z.literal('newSession') }),
  z.object({
    type: z.literal('openSession'),
    /** An id, an unambiguous beginning of one, a file's path, or `latest` for this folder's newest. */
    session: z.string().min(1),
  }),
  /** The same as `openSession` with an id; a reload restores, another thread's pending plan is discarded. */
  z.object({ type: z.literal('switchThread'), threadId: sessionId }),
  z.object({ type: z.literal('closeSession'), sessionId }),
  /** Answers a snapshot, or only the missing events where they are still held. */
  z.object({ type: z.literal('subscribe'), sessionId, sinceSeq: z.number().int().nonnegative().optional() }),
  z.object({
    type: z.literal('startAgentTask'),
    sessionId,
    text: z.string().min(1),
    /** What of the text the person said themselves, where the rest was piped in: it decides about planning. */
    said: z.string().optional(),
    /** Plan first whatever the text is, or never; by default the text and the setting `planning` decide. */
    plan: z.boolean().optional(),
    images: z.array(image).optional(),
    mode: z.string().optional(),
    /** `provider/model`. */
    model: z.string().optional(),
    /** How much the model thinks first; the session keeps it. */
    thinking: thinkingLevel.optional(),
    maxIterations: z.number().int().min(1).max(500).optional(),
    /** US dollars. */
    maxCost: z.number().positive().optional(),
    /** Tokens of all calls together, in and out, cached ones too. */
    maxTokens: z.number().int().positive().optional(),
    /** Milliseconds of work; waiting for a person's answer does not count. */
    maxTimeMs: z.number().int().positive().max(1_800_000_000).optional(),
  }),
  /** Condenses the conversation (SES-17): at once, or before the next turn of a task that runs. */
  z.object({ type: z.literal('compact'), sessionId, instructions: z.string().optional() }),
  /** Goes on where the log stands: answers that arrived while no engine ran are acted on. */
  z.object({ type: z.literal('resumeTask'), sessionId }),
  z.object({ type: z.literal('cancelTask'), sessionId }),
  /** Takes the newest message that waits for its turn out of the queue, so that it can be changed. */
  z.object({ type: z.literal('takeBackQueued'), sessionId }),
  /** The commands that run beside the conversation, and ended ones that are still known. */
  z.object({ type: z.literal('listCommands'), sessionId }),
  /** Ends one of them, e.g. `bg1`, with everything it started. */
  z.object({ type: z.literal('stopCommand'), sessionId, id: z.string().min(1) }),
  z.object({
    type: z.literal('respond'),
    sessionId,
    requestId: z.string().min(1),
    value: z.string(),
    text: z.string().optional(),
    by: z.string().default('face'),
  }),
  z.object({ type: z.literal('approvePlan'), sessionId, requestId: z.string().optional() }),
  z.object({
    type: z.literal('rejectPlan'),
    sessionId,
    requestId: z.string().optional(),
    feedback: z.string().optional(),
  }),
  z.object({
    type: z.literal('continueLoop'),
    sessionId,
    requestId: z.string().optional(),
    /** How many more iterations; 0 ends the task. */
    more: z.number().int().min(0).max(500).optional(),
  }),
  z.object({ type: z.literal('setMode'), sessionId, mode: z.string().min(1) }),
  z.object({ type: z.literal('setModel'), sessionId, model: z.string().min(1) }),
  /** What is known of a model (`provider/model`); without one, of the model that a session without its own gets. */
  z.object({ type: z.literal('describeModel'), model: z.string().optional() }),
  /** The models and modes that a person can choose from. */
  z.object({ type: z.literal('listChoices') }),
  z.object({ type: z.literal('setThinking'), sessionId, level: thinkingLevel }),
  z.object({ type: z.literal('listProviders') }),
  /** The models of one provider, or of every one that can be asked now; `refresh` asks the provider anew. */
  z.object({ type: z.literal('listModels'), provider: z.string().min(1).optional(), refresh: z.boolean().optional() }),
  z.object({ type: z.literal('listSessions'), everywhere: z.boolean().optional() }),
  ...changeCommandSchemas,
  ...sessionCommandSchemas,
  ...configurationCommandSchemas,
  ...languageCommandSchemas,
  ...stagedCommandSchemas,
]);

export type EngineCommand = z.infer<typeof engineCommandSchema>;
/** A command as a face writes it: defaults may be left out. */
export type EngineCommandInput = z.input<typeof engineCommandSchema>;
export type ThinkingLevel = z.infer<typeof thinkingLevel>;
export type CommandType = EngineCommand['type'];

export interface SessionSummary {
  id: string;
  /** Absent in memory. */
  path?: string;
  cwd: string;
  title: string;
  /** ISO 8601. */
  created: string;
  /** ISO 8601: the last user or assistant message, not the file's own time. */
  modified: string;
  /** User and assistant messages; of a large file those in its head and tail alone, which are read. */
  messages: number;
  /** There may be more than `messages`. */
  atLeast?: boolean;
  /** What is wrong with the file, where something is; it is listed all the same. */
  problem?: string;
}

export interface ModelDescription {
  /** `provider/model`. */
  model: string;
  /** Tokens of prompt and answer together. */
  contextWindow: number;
  /** Whether it takes images. */
  images: boolean;
  /** US dollars for a million tokens; absent: nobody knows. */
  prices?: { input: number; output: number };
}

export interface Choices {
  /** Those that can be used here, as `provider/model`; others may be named all the same. */
  models: string[];
  modes: { name: string; description: string }[];
}

/** A model that a provider offers. What nobody knows of it is left out. */
export interface ModelSummary {
  id: string;
  name: string;
  info?: {
    /** Tokens of prompt and answer together. */
    contextWindow?: number;
    maxOutput?: number;
    images?: boolean;
    thinking?: boolean;
    /** US dollars for a million tokens. */
    prices?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  };
}

/** A provider, and where its key would come from; never the key. */
export interface ProviderSummary {
  id: string;
  /** The wire it speaks. */
  kind: string;
  /** Without user, password and query. */
  address: string;
  /** Variables of the environment that may hold its key. */
  variables: string[];
  /** `environment`: one of the variables is set. Absent: there is none. */
  key?: 'environment' | 'keyring' | 'file';
  needsKey: boolean;
}

/** The models of one provider. */
export interface ProviderModels {
  provider: string;
  /** From the provider just now, from it within the last day, or as shipped. */
  source: 'live' | 'kept' | 'catalogue';
  /** Why the provider itself was not heard. */
  problem?: EngineError;
  models: ModelSummary[];
}

/** What each command answers when it succeeds. */
export interface CommandResults
  extends SessionCommandResults,
    ConfigurationCommandResults,
    ChangeCommandResults,
    LanguageCommandResults,
    StagedCommandResults {
  hello: { protocol: number; build: string; capabilities: string[] };
  newSession: { sessionId: string; path?: string };
  openSession: { sessionId: string; path?: string; header: SessionHeader; readOnly?: string; problems: string[] };
  switchThread: CommandResults['openSession'];
  closeSession: Record<string, never>;
  subscribe: Snapshot;
  startAgentTask: { messageId?: string; queued: boolean };
  /** `queued`: a task runs and does it before its next turn. The token counts are estimates. */
  compact: { queued: true } | { queued: false; entryId: string; tokensBefore: number; tokensAfter: number };
  resumeTask: { resumed: boolean };
  cancelTask: { cancelled: boolean };
  /** Without `text` nothing waits. */
  takeBackQueued: { text?: string };
  listCommands: {
    commands: (BackgroundCommand & {
      /** The last line that it has printed, without escape sequences. */
      lastLine: string;
    })[];
  };
  stopCommand: { command: BackgroundCommand };
  respond: Record<string, never>;
  approvePlan: Record<string, never>;
  rejectPlan: Record<string, never>;
  continueLoop: Record<string, never>;
  setMode: { mode: string };
  setModel: { model: string };
  describeModel: ModelDescription;
  listChoices: Choices;
  setThinking: { level: ThinkingLevel };
  listProviders: { providers: ProviderSummary[] };
  listModels: { providers: ProviderModels[] };
  listSessions: { sessions: SessionSummary[] };
}

export type CommandResult<T extends CommandType = CommandType> =
  | { ok: true; value: CommandResults[T] }
  | { ok: false; error: EngineError };

/** Parses anything into a command, or says what is wrong with it. Never throws. */
export function parseCommand(input: unknown): { ok: true; command: EngineCommand } | { ok: false; error: EngineError } {
  const type = typeOf(input);
  if (type === undefined) {
    const message = 'A command is an object with a string `type`.';
    return {
      ok: false,
      error: { code: 'malformed_command', message, next: 'See the list of commands in the protocol.' },
    };
  }
  if (!engineCommandSchema.options.some((option) => option.shape.type.value === type)) {
    return {
      ok: false,
      error: {
        code: 'unknown_command',
        message: `There is no command \`${type.slice(0, 80)}\`.`,
        next: 'Update the engine or the face so that both speak the same protocol.',
      },
    };
  }
  const parsed = engineCommandSchema.safeParse(input);
  if (parsed.success) return { ok: true, command: parsed.data };
  const problems = z.prettifyError(parsed.error).replaceAll('\n', ' ').slice(0, 500);
  return {
    ok: false,
    error: { code: 'malformed_command', message: `The command \`${type}\` is malformed: ${problems}` },
  };
}

function typeOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input.type === 'string' ? input.type : undefined;
}
