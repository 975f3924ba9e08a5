import type { DebugAnswer, DebugRequest } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, type ToolResult, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_WAIT_SECONDS = 300;
const GO = { continue: 'continue', step_over: 'next', step_in: 'stepIn', step_out: 'stepOut' } as const;
/** What begins something new, which has to be asked for. */
const BEGINS = ['launch', 'attach'] as const;
const ACTIONS = [
  ...BEGINS,
  ...[
    'continue',
    'step_over',
    'step_in',
    'step_out',
    'pause',
    'wait',
    'break',
    'unbreak',
    'threads',
    'stack',
    'scopes',
  ],
  ...['variables', 'evaluate', 'set', 'terminate'],
] as const;

const parameters = z.object({
  action: z.enum(ACTIONS),
  command: z.string().optional().describe('launch: e.g. `node --test a.test.ts`, `python3 -m pytest t.py`'),
  cwd: z.string().optional().describe('folder'),
  adapter: z.enum(['node', 'debugpy', 'delve', 'lldb-dap', 'gdb']).optional().describe('chosen by the command without'),
  unsandboxed: z.boolean().optional(),
  port: z.number().int().min(1).max(65535).optional().describe('attach: of a Node inspector or debugpy'),
  pid: z.number().int().positive().optional().describe('attach: a process; unsandboxed'),
  stop_on_entry: z.boolean().optional(),
  breakpoints: z.array(z.string()).max(50).optional().describe('FILE:LINE or function names; unbreak without: all'),
  condition: z.string().optional().describe('of these breakpoints'),
  log: z.string().optional().describe('these breakpoints print this, with {expressions}, and do not stop'),
  exceptions: z
    .enum(['uncaught', 'all', 'none'])
    .optional()
    .describe('uncaught (default): what fails the program or a test'),
  thread: z.number().int().optional(),
  frame: z.number().int().optional().describe('of the stack; the top one without'),
  ref: z.number().int().optional().describe('variables, set: of a scope or value'),
  start: z.number().int().min(0).optional().describe('variables: skip so many'),
  expression: z.string().optional().describe('evaluate; set: the new value'),
  name: z.string().optional().describe('set: the variable'),
  wait_seconds: z.number().min(0).max(MAX_WAIT_SECONDS).optional().describe('for a stop, default 60'),
});

type DebugArguments = z.infer<typeof parameters>;
type DebugContext = ToolContext<SessionServices>;

/** The debugger (INT-31 … INT-34): one session a conversation. */
export const debug = defineTool({
  name: 'debug',
  description:
    'Runs a program or test under a debugger. `launch` stops at breakpoints and at the exception that makes the program or a test fail, and answers with stack, locals and source lines; then step, evaluate, continue. One session at a time; it is ended after 10 minutes, or by `terminate`.',
  access: 'execute',
  rare: true,
  parameters,
  paths: ({ cwd }: DebugArguments) => (cwd === undefined ? [] : [cwd]),
  command: ({ action, command }: DebugArguments) => (action === 'launch' ? command : undefined),
  provesNothing: true,
  // Whoever let a program be debugged let the debugger look into it and go on with it.
  continues: ({ action }: DebugArguments) => !(BEGINS as readonly string[]).includes(action),
  run: async (args: DebugArguments, context: DebugContext) => {
    const { action } = args;
    if (action === 'launch' || action === 'attach') return begin(args, context);
    const { services, signal } = context;
    const debug = await services.debug.load();
    const waitMs = args.wait_seconds === undefined ? undefined : args.wait_seconds * 1000;
    switch (action) {
      case 'continue':
      case 'step_over':
      case 'step_in':
      case 'step_out':
        return answered(await debug.go(GO[action], waitMs, signal, args.thread), context);
      case 'pause':
        return answered(await debug.pause(waitMs, signal, args.thread), context);
      case 'wait':
        return answered(await debug.wait(waitMs ?? 0, signal), context);
      case 'break':
      case 'unbreak':
        return answered(await debug.setBreakpoints(changeOf(args), signal), context);
      case 'terminate':
        return answered(await debug.terminate(signal), context);
      default:
        return looked(args, context);
    }
  },
});

async function begin(args: DebugArguments, context: DebugContext): Promise<ToolResult> {
  const { services, signal, callId } = context;
  const request = requestOf(args, services);
  (await services.debug.load()).checkFree();
  const watch = await services.watches.before(callId, signal, args.command);
  // The watch of an earlier session, which has ended by itself, has seen all of it.
  await services.watches.look(WATCH, true);
  let answer: DebugAnswer;
  try {
    answer = await services.debug.launch(
      {
        request,
        unsandboxed: args.unsandboxed === true,
        breakpoints: breakpointsOf(args),
        ...(args.adapter ? { adapter: args.adapter } : {}),
        ...(args.exceptions ? { exceptions: args.exceptions } : {}),
        ...(args.wait_seconds === undefined ? {} : { waitMs: args.wait_seconds * 1000 }),
      },
      signal,
    );
  } catch (cause) {
    watch.end();
    throw cause;
  }
  services.watches.follow(WATCH, watch);
  return answered(answer, context);
}

/** There is one session at a time. */
const WATCH = 'debug';

function requestOf(args: DebugArguments, services: SessionServices): DebugRequest {
  const { action, command, cwd, port, pid, stop_on_entry = false } = args;
  const folder = cwd === undefined ? services.root : services.resolve(cwd, 'read').real;
  if (action === 'launch') {
    if (!command?.trim()) throw new BlackError('no_command', '`launch` needs a `command`.', 'Give the command line.');
    return { kind: 'launch', command, cwd: folder, stopOnEntry: stop_on_entry };
  }
  const to = port === undefined ? (pid === undefined ? undefined : { pid }) : { port };
  if (to) return { kind: 'attach', to, cwd: folder };
  throw new BlackError('no_target', '`attach` needs a `port` or a `pid`.');
}

function breakpointsOf({ breakpoints = [], condition, log }: DebugArguments) {
  const more = { ...(condition === undefined ? {} : { condition }), ...(log === undefined ? {} : { log }) };
  return breakpoints.map((place) => ({ place, ...more }));
}

function changeOf(args: DebugArguments) {
  const exceptions = args.exceptions ? { exceptions: args.exceptions } : {};
  if (args.action === 'unbreak') return { remove: args.breakpoints ?? [], ...exceptions };
  return { add: breakpointsOf(args), ...exceptions };
}

/** What lets the program run, or asks how it stands. */
async function answered(answer: DebugAnswer, { services }: DebugContext): Promise<ToolResult> {
  const { answerText, deadlineText } = await import('@black-ide/intel');
  const { outcome, breakpoints } = answer;
  const report = await services.watches.look(WATCH, outcome.state === 'ended');
  const details = {
    kind: 'debug',
    state: outcome.state,
    ...(outcome.state === 'ended' ? { exitCode: outcome.exitCode, why: outcome.why } : {}),
    ...(outcome.state === 'stopped'
      ? { reason: outcome.stop.reason, place: outcome.stop.top?.place, line: outcome.stop.top?.line }
      : {}),
    breakpoints,
    ...report,
  };
  const text = outcome.state === 'ended' ? answerText(answer) : `${answerText(answer)}\n\n${deadlineText(answer)}`;
  const isBroken = outcome.state === 'ended' && (outcome.why === 'deadline' || outcome.why === 'adapter');
  return isBroken ? errorResult(text, details) : textResult(text, details);
}

/** What looks into a stopped program. */
async function looked(args: DebugArguments, { services, signal }: DebugContext): Promise<ToolResult> {
  const { stackLines, threadText, variableText } = await import('@black-ide/intel');
  const session = (await services.debug.load()).current;
  const lines = async (): Promise<string[]> => {
    switch (args.action) {
      case 'threads':
        return (await session.threads(signal)).map(threadText);
      case 'stack':
        return stackLines(await session.stack(args.thread, signal));
      case 'scopes':
        return (await session.scopes(args.frame, signal)).map(variableText);
      case 'variables':
        return (await session.variables(needed(args, 'ref'), args.start ?? 0, signal)).map(variableText);
      case 'set': {
        const [name, expression] = [needed(args, 'name'), needed(args, 'expression')];
        return [`${name} = ${await session.setVariable(needed(args, 'ref'), name, expression, signal)}`];
      }
      default:
        return [variableText(await session.evaluate(needed(args, 'expression'), args.frame, signal))];
    }
  };
  return textResult((await lines()).join('\n') || '[nothing]', { kind: 'debug' });
}

function needed<Name extends 'ref' | 'name' | 'expression'>(
  args: DebugArguments,
  name: Name,
): NonNullable<DebugArguments[Name]> {
  const value = args[name];
  if (value !== undefined) return value;
  throw new BlackError('missing_argument', `\`${args.action}\` needs \`${name}\`.`);
}
