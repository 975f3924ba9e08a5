import type { ToolCall } from '@black-ide/protocol';
import type { PrefixRule } from '@black-ide/workspace';
import * as z from 'zod';
import type { BrokenToolCall } from '../llm/stream-turn.ts';
import type { Mode } from '../modes/mode.ts';
import { isRefusedBeforeHooks } from '../permissions/decide.ts';
import type { CallFacts, CommandFact, PathFact } from '../permissions/facts.ts';
import { askHooks, type BeforeToolCall } from '../permissions/tool-hooks.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ToolRegistry } from '../tools/registry.ts';

/** The judges whose answers are facts for the gate. */
export interface Judges {
  path(path: string, access: 'read' | 'write'): PathFact;
  url(url: string): PathFact;
  /** `folder`: where it would run, as the call names it. `unsandboxed`: the call asks for it. */
  command(
    command: string,
    folder?: string,
    grants?: readonly PrefixRule[],
    unsandboxed?: boolean,
  ): Promise<CommandFact>;
  /** For a model that was refused a command: which run unasked. */
  commandHint?(grants: readonly PrefixRule[]): string | undefined;
  /** Whether questions about commands are answered with yes where a person sits at a chat. */
  readonly autoApprovesCommands: boolean;
  /** Whether the folder is trusted. */
  readonly trusted: boolean;
  /** Why nothing may run unasked now; undefined: configuration is in order. */
  readonly closed: string | undefined;
  /** Which files a command could change without a way back, for the card; undefined where there are none. */
  notCovered?(): Promise<unknown>;
}

/** A call with its tool looked up, `call_tool` taken off, and its arguments checked. */
export interface PreparedCall<Services> {
  callId: string;
  /** The inner name: what policy, face and log see. */
  name: string;
  args: Record<string, unknown>;
  tool: Tool<Services> | undefined;
  facts: CallFacts;
}

/** What stands around a call. */
export interface CallSurroundings {
  /** A person's answer to the question about this very call. */
  answer?: CallFacts['answer'];
  /** Questions are answered with yes in this run. */
  autoApprove: boolean;
  /** A person sits at an interactive chat. */
  interactive?: boolean;
  /** What the person allowed for the session; asked for where a command is judged. */
  grants?: () => readonly PrefixRule[];
  /** The files that a call changes beside those that its arguments name. */
  touches?: (name: string, args: Record<string, unknown>) => string[];
  beforeToolCall?: BeforeToolCall;
  signal?: AbortSignal;
}

/** So often hooks may rewrite one call; those that never agree are stopped there. */
const MAX_REWRITES = 4;

/** Gathers everything `decide()` will look at. What a hook rewrites is gathered anew, from the schema on. */
export async function prepareCall<Services>(
  call: ToolCall,
  registry: ToolRegistry<Services>,
  mode: Mode,
  judges: Judges,
  around: CallSurroundings,
): Promise<PreparedCall<Services>> {
  const inner = unwrap(call);
  const { beforeToolCall, signal } = around;
  let prepared = await gather(call.id, inner, registry, mode, judges, around);
  for (let rewrites = 0; beforeToolCall && !isRefusedBeforeHooks(prepared.facts); rewrites += 1) {
    const { callId, name, args } = prepared;
    const { fact, args: rewritten } = await askHooks(beforeToolCall, { callId, name, args }, signal);
    const hook = rewritten && rewrites >= MAX_REWRITES ? { block: 'Hooks kept on rewriting its arguments.' } : fact;
    if (!rewritten || hook.block !== undefined) return { ...prepared, facts: { ...prepared.facts, hook } };
    prepared = await gather(call.id, { name, raw: rewritten }, registry, mode, judges, around);
  }
  return prepared;
}

async function gather<Services>(
  callId: string,
  { name, raw, broken }: { name: string; raw: Record<string, unknown>; broken?: string },
  registry: ToolRegistry<Services>,
  mode: Mode,
  judges: Judges,
  { answer, autoApprove, interactive, grants, touches }: CallSurroundings,
): Promise<PreparedCall<Services>> {
  const tool = registry.get(name);
  const withheld = tool ? registry.withheld(name, mode) : undefined;
  const facts: CallFacts = {
    name,
    paths: [],
    steersLoop: tool?.ends !== undefined || tool?.steers === true,
    ...(tool?.question ? { asksFirst: true } : {}),
    autoApprove,
    ...(tool ? { access: tool.access } : {}),
    ...(withheld ? { withheld } : {}),
    ...(judges.trusted ? {} : { untrusted: true }),
    ...(mode.readOnly ? { readOnly: true } : {}),
    ...(judges.closed ? { closed: judges.closed } : {}),
    ...(answer ? { answer } : {}),
  };
  const prepared = { callId, name, args: raw, tool, facts };
  if (!tool) return prepared;
  if (broken) return { ...prepared, facts: { ...facts, malformed: broken } };
  const parsed = tool.parameters.safeParse(raw);
  if (!parsed.success) {
    const malformed = `The arguments of \`${name}\` do not fit: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`;
    return { ...prepared, facts: { ...facts, malformed } };
  }
  const args = parsed.data as Record<string, unknown>;
  if (typeof tool.steers === 'function') facts.steersLoop = tool.steers(args);
  const access = tool.access === 'read' ? 'read' : 'write';
  const named = [...(tool.paths?.(args) ?? []), ...(touches?.(name, args) ?? [])];
  const paths = named.map((path) => judges.path(path, access));
  if (tool.access === 'write') for (const [at, path] of paths.entries()) paths[at] = narrowed(path, mode);
  if (tool.url) paths.push(judges.url(tool.url(args)));
  const line = tool.command?.(args);
  const leaves = args.unsandboxed === true;
  if (line === undefined)
    return { ...prepared, args, facts: { ...facts, ...withoutCommand(tool, args, leaves), paths } };
  const folder = typeof args.cwd === 'string' ? args.cwd : undefined;
  const judged = await judges.command(line, folder, grants?.(), leaves);
  const command = tool.provesNothing ? withoutProof(judged) : judged;
  const approved = autoApprove || (interactive === true && judges.autoApprovesCommands);
  return { ...prepared, args, facts: { ...facts, paths, command, autoApprove: approved } };
}

/** A call that goes on with a program leaves nothing: that was settled when the program was started. */
function withoutCommand<Services>(
  tool: Tool<Services>,
  args: Record<string, unknown>,
  leaves: boolean,
): Pick<CallFacts, 'continues' | 'leavesSandbox'> {
  if (tool.continues?.(args) === true) return { continues: true };
  return leaves ? { leavesSandbox: true } : {};
}

/**
 * Under a debugger a program does what it is told. That it only reads by itself is no reason to let it run, nor is it,
 * where no sandbox holds it, that a person lets it run as it is.
 */
function withoutProof({ readOnly: _, ...fact }: CommandFact): CommandFact {
  const isTrusted = fact.by === 'user-allow' && fact.unsandboxed !== undefined;
  if (fact.by !== 'read-only' && !isTrusted) return fact;
  return { ...fact, by: 'none', rule: 'debugger', why: 'A debugger can make a program do anything.' };
}

/** A mode may edit only the files that its `fileRegex` matches, under the name that was given and the one it leads to. */
function narrowed(path: PathFact, { name, fileRegex, mayEdit }: Mode): PathFact {
  const outside = path.ok && mayEdit ? path.names?.find((each) => !mayEdit(each)) : undefined;
  return outside === undefined
    ? path
    : { ok: false, why: `The mode ${name} may only edit files that match ${fileRegex}; ${outside} does not.` };
}

/** The path arguments of a call; none where its arguments do not fit. */
export function pathsOfCall<Services>(call: ToolCall, registry: ToolRegistry<Services>): string[] {
  const { name, raw } = unwrap(call);
  const tool = registry.get(name);
  const parsed = tool?.paths ? tool.parameters.safeParse(raw) : undefined;
  return parsed?.success ? (tool?.paths?.(parsed.data) ?? []) : [];
}

/** `call_tool {name, arguments}` is the tool it names. */
function unwrap(call: BrokenToolCall): { name: string; raw: Record<string, unknown>; broken?: string } {
  if (call.invalidArguments !== undefined) {
    const shown = call.invalidArguments.slice(0, 200);
    return { name: call.name, raw: {}, broken: `The arguments are not a JSON object: ${shown}` };
  }
  if (call.name !== 'call_tool') return { name: call.name, raw: call.arguments };
  const { name, arguments: inner } = call.arguments as { name?: unknown; arguments?: unknown };
  if (typeof name !== 'string') return { name: call.name, raw: {}, broken: 'call_tool needs the `name` of a tool.' };
  if (inner === undefined) return { name, raw: {} };
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? { name, raw: inner as Record<string, unknown> }
    : { name, raw: {}, broken: 'The `arguments` of call_tool must be an object.' };
}
