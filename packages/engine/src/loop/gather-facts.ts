import type { ToolCall } from '@black-ide/protocol';
import * as z from 'zod';
import type { BrokenToolCall } from '../llm/stream-turn.ts';
import type { Mode } from '../modes/mode.ts';
import type { CallFacts, CommandFact, PathFact } from '../permissions/facts.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ToolRegistry } from '../tools/registry.ts';

/** The judges whose answers are facts for the gate. */
export interface Judges {
  path(path: string, access: 'read' | 'write'): PathFact;
  url(url: string): PathFact;
  /** `folder`: where it would run, as the call names it. `unsandboxed`: the call asks for it. */
  command(command: string, folder?: string, unsandboxed?: boolean): Promise<CommandFact>;
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

/** Gathers everything `decide()` will look at. */
export async function prepareCall<Services>(
  call: ToolCall,
  registry: ToolRegistry<Services>,
  mode: Mode,
  judges: Judges,
  answer: CallFacts['answer'],
  autoApprove: boolean,
): Promise<PreparedCall<Services>> {
  const { name, raw, broken } = unwrap(call);
  const tool = registry.get(name);
  const withheld = tool ? registry.withheld(name, mode) : undefined;
  const facts: CallFacts = {
    name,
    paths: [],
    steersLoop: tool?.ends !== undefined || tool?.steers === true,
    autoApprove,
    ...(tool ? { access: tool.access } : {}),
    ...(withheld ? { withheld } : {}),
    ...(answer ? { answer } : {}),
  };
  const prepared = { callId: call.id, name, args: raw, tool, facts };
  if (!tool) return prepared;
  if (broken) return { ...prepared, facts: { ...facts, malformed: broken } };
  const parsed = tool.parameters.safeParse(raw);
  if (!parsed.success) {
    const malformed = `The arguments of \`${name}\` do not fit: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`;
    return { ...prepared, facts: { ...facts, malformed } };
  }
  const args = parsed.data as Record<string, unknown>;
  const access = tool.access === 'read' ? 'read' : 'write';
  const paths = (tool.paths?.(args) ?? []).map((path) => judges.path(path, access));
  if (tool.url) paths.push(judges.url(tool.url(args)));
  const command = tool.command
    ? await judges.command(
        tool.command(args),
        typeof args.cwd === 'string' ? args.cwd : undefined,
        args.unsandboxed === true,
      )
    : undefined;
  return { ...prepared, args, facts: { ...facts, paths, ...(command ? { command } : {}) } };
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
