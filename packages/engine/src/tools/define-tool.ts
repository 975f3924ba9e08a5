import type { ImageContent, Request, Response, TextContent } from '@black-ide/protocol';
import type * as z from 'zod';

/** The class of a tool's side effects. Only `read` runs in parallel and without write-ahead. */
export type Access = 'read' | 'write' | 'execute' | 'network' | 'control';

export interface ToolResult {
  /** What the model reads. */
  content: (TextContent | ImageContent)[];
  /** What a face draws; plain JSON. */
  details?: unknown;
  isError?: boolean;
  /** Nobody can answer now: the call stays open, and so does the question that it asked. */
  waiting?: boolean;
}

/** What a running tool may reach. */
export interface ToolContext<Services> {
  callId: string;
  signal: AbortSignal;
  services: Services;
  /** Whether the model that asked can look at images. */
  images: boolean;
  /** The policy proved that the command only reads. */
  onlyReads: boolean;
  /** The arguments of a tool of this mode as JSON Schema, with its description; undefined where there is none. */
  describe(name: string): string | undefined;
  /** Asks a person, about this call. Undefined: nobody can answer now; the result is then `waiting`. */
  ask(question: Pick<Request, 'title' | 'options' | 'payload'>): Promise<Response | undefined>;
  /** Shows output while the tool runs; never part of the log. */
  onOutput(text: string): void;
}

/** A question about what a call would do; the first option is its yes. */
export type ToolQuestion = Pick<Request, 'kind' | 'title' | 'options' | 'payload' | 'default'>;

/** A tool is one value (architecture: rules of the house). */
export interface Tool<Services = unknown, Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  /** One paragraph, for the model. */
  description: string;
  access: Access;
  parameters: Schema;
  /** Offered as one line in the description of `call_tool`, not with its schema; or so unless a mode names it. */
  rare?: boolean | 'unless-named';
  /** Its description goes on with one line for each rare tool of the mode. */
  listsRare?: boolean;
  /** It steers the loop, or what the session itself has started, and touches nothing else: nobody is asked. */
  steers?: boolean | ((args: z.infer<Schema>) => boolean);
  /** The call ends the task: `message` of its arguments is the final answer, or why it was given up. */
  ends?: 'completed' | 'cancelled';
  /** Path arguments, for the path guard: each a value or nothing. */
  paths?(args: z.infer<Schema>): string[];
  /** The files that a call changes beside those that its arguments name: for the path guard, too. */
  touches?(args: z.infer<Schema>, services: Services): string[];
  /**
   * What a person is asked before a call, in place of whether it may run.
   * @throws BlackError where there is nothing to ask about: the call has failed then
   */
  question?(args: z.infer<Schema>, services: Services): Promise<ToolQuestion>;
  /** The web address it would fetch: refused before anyone is asked where it may not be. */
  url?(args: z.infer<Schema>): string;
  /** The command line it would run, for the command policy; undefined: this call runs none. */
  command?(args: z.infer<Schema>): string | undefined;
  /** What its command is known to do says nothing of what it can be made to do: it never counts as one that only reads. */
  provesNothing?: true;
  /** The call goes on with a program that the session was allowed to start, and cannot start another: nobody is asked. */
  continues?(args: z.infer<Schema>): boolean;
  run(args: z.infer<Schema>, context: ToolContext<Services>): Promise<ToolResult>;
}

/** Types a tool's functions after its schema, then forgets it: a registry holds tools of many schemas. */
export function defineTool<Services, Schema extends z.ZodObject>(tool: Tool<Services, Schema>): Tool<Services> {
  return tool as unknown as Tool<Services>;
}

/** A result of one text block. */
export function textResult(text: string, details?: unknown): ToolResult {
  return { content: [{ type: 'text', text }], ...(details === undefined ? {} : { details }) };
}

/** A failure that the model reads and can act on. */
export function errorResult(text: string, details?: unknown): ToolResult {
  return { ...textResult(text, details), isError: true };
}
