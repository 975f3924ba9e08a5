import { z } from 'zod';
import { type ModelRequest, WIRES } from './model-request.ts';

/**
 * Scripts of the mock model server: what "the model" answers, as plain data (JSON in the shell, values in a test).
 *
 * A script is a list of turns, or an object that adds server settings to one. Every field of a turn is optional; a turn
 * without any is an empty answer that stops normally.
 */

/** Tokens in the session format's words: `input` excludes both cache figures, `output` includes `reasoning`. */
const usageSchema = z.strictObject({
  input: z.int().nonnegative().optional(),
  output: z.int().nonnegative().optional(),
  cacheRead: z.int().nonnegative().optional(),
  cacheWrite: z.int().nonnegative().optional(),
  reasoning: z.int().nonnegative().optional(),
});

const toolCallSchema = z
  .strictObject({
    /** Generated when absent. */
    id: z.string().optional(),
    name: z.string(),
    /** Any JSON value; real models send an object. */
    args: z.json().optional(),
    /** Sent verbatim instead of `args`, so that broken JSON can be scripted. */
    rawArgs: z.string().optional(),
  })
  .refine((call) => call.args === undefined || call.rawArgs === undefined, 'give args or rawArgs, not both');

const blockSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    /** Where the wire has such a thing (Responses: sealed content); made and later checked by the server when absent. */
    signature: z.string().optional(),
  }),
  /** Anthropic, and sealed reasoning on Responses; other wires leave it out. */
  z.strictObject({ type: z.literal('redactedThinking'), data: z.string() }),
  z.strictObject({ type: z.literal('toolCall'), ...toolCallSchema.shape }),
]);

const errorSchema = z.strictObject({
  /** HTTP status; ignored once the stream has begun (see `afterEvents`). */
  status: z.int().min(400).max(599),
  /** A string is sent verbatim, any other value as JSON; by default the wire's own body for that status. */
  body: z.json().optional(),
  message: z.string().optional(),
  /** For example `{"retry-after": "2"}` or `{"retry-after-ms": "150"}`. */
  headers: z.record(z.string(), z.string()).optional(),
  /** Send this many events of the turn with status 200 first, then the wire's error event, then end. */
  afterEvents: z.int().nonnegative().optional(),
});

const whenSchema = z.strictObject({
  /** Text within the newest user message that has text, or a pattern for it. */
  lastUserText: z.union([z.string(), z.strictObject({ pattern: z.string(), flags: z.string().optional() })]).optional(),
  /** Text within any tool result that the request ends with. */
  lastToolResult: z.string().optional(),
  system: z.string().optional(),
  model: z.string().optional(),
  wire: z.enum(WIRES).optional(),
  /** A tool of this name is offered. */
  tool: z.string().optional(),
});

const gateSchema = z.union([
  z.string(),
  z.strictObject({ name: z.string(), afterEvents: z.int().nonnegative().optional() }),
]);

const turnSchema = z.strictObject({
  text: z.string().optional(),
  thinking: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  /** Blocks in an order of your own, instead of thinking, then text, then tool calls. */
  content: z.array(blockSchema).optional(),
  usage: usageSchema.optional(),
  /** Tell no usage at all, as some servers do. */
  noUsage: z.boolean().optional(),
  /** `stop`, `length`, `toolUse`, `refusal` are put into the wire's words; any other is sent as it is. */
  stopReason: z.string().optional(),
  /**
   * How text and arguments are cut into deltas: `whole`, `chars` (one code point each), a number of code points, or
   * `awkward`: seeded lengths from 0 up, and the bytes on the socket cut within characters, events and line ends.
   */
  split: z.union([z.enum(['whole', 'chars', 'awkward']), z.int().positive()]).optional(),
  /** Bytes of one write to the socket, whatever `split` says. `awkward` picks 1 to 23. */
  chunkBytes: z.union([z.literal('awkward'), z.int().positive()]).optional(),
  /** For everything that `awkward` draws; the same seed gives the same bytes. */
  seed: z.int().optional(),
  /** Deltas of parallel calls alternate (Chat wire). */
  interleave: z.boolean().optional(),
  /** Pause before every event but the first, in milliseconds. */
  dripMs: z.number().nonnegative().optional(),
  /** Wait here until the gate is released. By default before the first event, with the headers already sent. */
  gate: gateSchema.optional(),
  /** Do not even send headers until the gate of this name (`true`: "hang") is released. */
  hang: z.union([z.boolean(), z.string()]).optional(),
  error: errorSchema.optional(),
  /** Break the connection after so many body bytes or events. */
  cutAfterBytes: z.int().nonnegative().optional(),
  cutAfterEvents: z.int().nonnegative().optional(),
  /** `close` (default) ends the socket in mid-body, `reset` resets it, `end` finishes the body as if all were well. */
  cutHow: z.enum(['close', 'reset', 'end']).optional(),
  /** Raw lines put into the stream before event `at` (default 1). */
  garbage: z.array(z.union([z.string(), z.strictObject({ at: z.int().nonnegative(), line: z.string() })])).optional(),
  when: whenSchema.optional(),
  /** How many requests the turn may answer when turns are matched by index; default 1. */
  times: z.union([z.int().positive(), z.literal('always')]).optional(),
});

/** What becomes of requests for embeddings: one answer each, in their order, then the usual ones. */
const embeddingsSchema = z.strictObject({
  /** Numbers in a vector; default 32. */
  width: z.int().positive().optional(),
  /** Characters that a text may have: OpenAI's wire refuses longer ones, Ollama's only when it may not cut them. */
  maxLength: z.int().positive().optional(),
  answers: z
    .array(
      z.strictObject({
        error: errorSchema.omit({ afterEvents: true }).optional(),
        /** Answer nothing until the gate of this name (`true`: "hang") is released. */
        hang: z.union([z.boolean(), z.string()]).optional(),
        /** Send so many vectors too few. */
        leaveOut: z.int().positive().optional(),
        width: z.int().positive().optional(),
        /** Sent instead: a string verbatim, any other value as JSON. */
        body: z.json().optional(),
      }),
    )
    .optional(),
});

const modelSchema = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  contextWindow: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  /** What it can do; true unless said otherwise. */
  tools: z.boolean().optional(),
  thinking: z.boolean().optional(),
  images: z.boolean().optional(),
  /** US dollars for a million tokens, where lists tell prices. */
  price: z
    .strictObject({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cacheRead: z.number().nonnegative().optional(),
      cacheWrite: z.number().nonnegative().optional(),
    })
    .optional(),
});

const scriptObjectSchema = z.strictObject({
  turns: z.array(turnSchema),
  match: z.enum(['index', 'conversation', 'last-user-text']).optional(),
  /** Answers what no turn answers; without it such a request is refused with status 400. */
  fallback: turnSchema.optional(),
  models: z.array(modelSchema).optional(),
  embeddings: embeddingsSchema.optional(),
  /** Refuse every other key with 401. By default any non-empty key passes. */
  apiKey: z.string().optional(),
});

export type ScriptUsage = z.infer<typeof usageSchema>;
export type ScriptToolCall = z.infer<typeof toolCallSchema>;
export type ScriptBlock = z.infer<typeof blockSchema>;
export type ScriptError = z.infer<typeof errorSchema>;
export type ScriptWhen = z.infer<typeof whenSchema>;
export type ScriptEmbeddings = z.infer<typeof embeddingsSchema>;
export type ScriptModel = z.infer<typeof modelSchema>;
export type Turn = z.infer<typeof turnSchema>;
export type ScriptObject = z.infer<typeof scriptObjectSchema>;
export type SplitMode = NonNullable<Turn['split']>;

/**
 * How a list of turns is matched to requests:
 * - `index`: in the order of arrival; each turn answers once (`times`). A request refused as invalid uses up no turn.
 * - `conversation`: by the number of assistant messages in the request. Stateless, so that a client that was killed and
 *   resumed gets the answer that belongs to where it stands.
 * - `last-user-text`: among the turns whose `when.lastUserText` fits, by the number of assistant messages since that
 *   user message. Stateless too.
 */
export type MatchMode = NonNullable<ScriptObject['match']>;

/** Chooses the turn in code. `index` counts the valid requests from 0. */
export type TurnFunction = (request: ModelRequest, index: number) => Turn | Promise<Turn>;

export type Script = Turn[] | ScriptObject | TurnFunction;

/** Reads a script from parsed JSON. Throws an `Error` that names every place that is wrong. */
export function parseScript(value: unknown): Turn[] | ScriptObject {
  const result = Array.isArray(value) ? z.array(turnSchema).safeParse(value) : scriptObjectSchema.safeParse(value);
  if (!result.success) throw new Error(`Not a script of the mock model server:\n${z.prettifyError(result.error)}`);
  return result.data;
}

/** The blocks of a turn in sending order. */
export function blocksOf(turn: Turn): ScriptBlock[] {
  if (turn.content) return turn.content;
  const blocks: ScriptBlock[] = [];
  if (turn.thinking !== undefined) blocks.push({ type: 'thinking', thinking: turn.thinking });
  if (turn.text !== undefined) blocks.push({ type: 'text', text: turn.text });
  for (const call of turn.toolCalls ?? []) blocks.push({ type: 'toolCall', ...call });
  return blocks;
}

/** The argument text of a call as the model would have written it. */
export function argumentText(call: ScriptToolCall): string {
  return call.rawArgs ?? JSON.stringify(call.args ?? {});
}

/** The neutral stop reason of a turn. */
export function stopReasonOf(turn: Turn): string {
  if (turn.stopReason !== undefined) return turn.stopReason;
  return blocksOf(turn).some((block) => block.type === 'toolCall') ? 'toolUse' : 'stop';
}
