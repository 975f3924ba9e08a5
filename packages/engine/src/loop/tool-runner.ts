import {
  BlackError,
  customData,
  type Decision,
  type Request,
  type Response,
  STAGED_ANSWERS,
  type ToolCall,
} from '@black-ide/protocol';
import { type PrefixRule, prefixRuleText } from '@black-ide/workspace';
import { wasTold } from '../changes/uncovered-changes.ts';
import type { Mode } from '../modes/mode.ts';
import { decide, UNTRUSTED } from '../permissions/decide.ts';
import { PERMISSION_ANSWERS, rulesOf, sessionGrants } from '../permissions/session-grants.ts';
import type { BeforeToolCall } from '../permissions/tool-hooks.ts';
import { errorResult, type Tool, type ToolResult } from '../tools/define-tool.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { type Judges, type PreparedCall, prepareCall } from './gather-facts.ts';
import type { RestoredArguments } from './restore-secrets.ts';
import { appendCustom, isCancelled, type SessionPort } from './session-port.ts';
import { assistantOf, type OpenCall } from './task-state.ts';

export interface ToolRunnerParts<Services> {
  registry: ToolRegistry<Services>;
  services: Services;
  judges: Judges;
  autoApprove: boolean;
  /** A person sits at an interactive chat. */
  interactive?: boolean;
  beforeToolCall?: BeforeToolCall;
  /** Puts secrets that the model was shown as marks back into the arguments of a call that writes these files. */
  restoreSecrets?(args: Record<string, unknown>, paths: readonly string[]): Promise<RestoredArguments>;
  /** Lets commands of these rules run in this workspace from now on. */
  rememberGrants?(rules: readonly PrefixRule[]): void;
  now: () => number;
  /** Adds to a result what has become known beside it. */
  completed?(result: ToolResult): ToolResult;
  /** Called when the calls of a turn have their results, before the model is asked again. */
  afterCalls?(port: SessionPort): Promise<void>;
  /** Whether the model of this run can look at images. */
  images?: boolean;
}

/** How a turn's calls came out: all done, the task is over, or a question stands open. */
export type ToolsOutcome =
  | { kind: 'done' }
  | { kind: 'ended'; outcome: 'completed' | 'cancelled'; message: string }
  | { kind: 'waiting' };

/** The texts of calls that never came to an end. */
const INTERRUPTED = 'Interrupted: it was begun and may have had effects. Look before you repeat it.';
const NOT_RUN = 'Not run.';

const ALLOWING = Object.values(PERMISSION_ANSWERS).filter((value) => value !== PERMISSION_ANSWERS.deny);

/** So many read-only calls run side by side: an answer may hold hundreds, and each may open files and processes. */
const AT_ONCE = 16;

/**
 * Runs the calls of one answer through the gate (IDE-15, 18, 19). Neighbouring read-only calls run side by side, all
 * others one after the other; results are logged in the order of the calls. Every call gets a result, whatever happens.
 */
export class ToolRunner<Services> {
  readonly #parts: ToolRunnerParts<Services>;

  constructor(parts: ToolRunnerParts<Services>) {
    this.#parts = parts;
  }

  async run(open: readonly OpenCall[], mode: Mode, port: SessionPort, signal: AbortSignal): Promise<ToolsOutcome> {
    let queue = [...open];
    while (queue.length > 0) {
      if (signal.aborted) {
        this.closeAll(queue, port, 'Cancelled');
        return { kind: 'done' };
      }
      const batch = this.#batch(queue);
      queue = queue.slice(batch.length);
      const outcome =
        batch.length > 1
          ? await this.#parallel(batch, mode, port, signal)
          : await this.#one(batch[0]!, mode, port, signal);
      if (outcome.kind === 'ended') this.closeAll(queue, port, 'The task had ended before it');
      if (outcome.kind !== 'done') return outcome;
    }
    await this.#parts.afterCalls?.(port);
    return { kind: 'done' };
  }

  /** Closes calls that will not be run any more, so that every call has its result. */
  closeAll(open: readonly OpenCall[], port: SessionPort, why: string): void {
    for (const { call, started } of open) {
      const text = started ? INTERRUPTED : `${NOT_RUN} ${why}.`;
      this.#record(port, call.id, call.name, errorResult(text, { interrupted: started }));
    }
  }

  /** The longest run of read-only calls at the head, or the first call alone. */
  #batch(open: readonly OpenCall[]): OpenCall[] {
    const reads = open.findIndex(
      ({ call, started }) => started || this.#parts.registry.get(call.name)?.access !== 'read',
    );
    const length = reads < 0 ? open.length : reads;
    return open.slice(0, Math.min(AT_ONCE, Math.max(1, length)));
  }

  async #parallel(batch: OpenCall[], mode: Mode, port: SessionPort, signal: AbortSignal): Promise<ToolsOutcome> {
    const running = batch.map(async ({ call }) => {
      const prepared = await this.#prepare(call, mode, undefined, port, signal);
      const decision = decide(prepared.facts);
      const result =
        decision.decision === 'allow' ? await this.#execute(prepared, mode, port, signal) : refusal(decision);
      return { prepared, decision, result };
    });
    for (const [at, one] of running.entries()) {
      const { prepared, decision, result } = await one;
      const told = at === running.length - 1 ? this.#completed(result) : result;
      this.#record(port, prepared.callId, prepared.name, told, decision);
    }
    return { kind: 'done' };
  }

  async #one({ call, started }: OpenCall, mode: Mode, port: SessionPort, signal: AbortSignal): Promise<ToolsOutcome> {
    if (started) {
      this.#record(port, call.id, call.name, errorResult(INTERRUPTED, { interrupted: true }));
      return { kind: 'done' };
    }
    let prepared = await this.#prepare(
      call,
      mode,
      answerTo(call.id, ['permission', 'staged_edit'], port),
      port,
      signal,
    );
    let decision = decide(prepared.facts);
    if (decision.decision === 'ask') {
      const notCovered = prepared.facts.command ? await this.#parts.judges.notCovered?.() : undefined;
      const isKnown = wasTold(notCovered, port.path());
      const question = await this.#question(prepared);
      if (question instanceof BlackError) {
        this.#record(port, prepared.callId, prepared.name, failed(question), decision);
        return { kind: 'done' };
      }
      const response = await port.ask(question ?? permissionRequest(prepared, decision, notCovered, isKnown), signal);
      if (!response) return this.#waiting(call, port, signal);
      prepared = await this.#prepare(call, mode, response, port, signal);
      decision = decide(prepared.facts);
    }
    if (decision.decision !== 'allow') {
      const isAsked = prepared.facts.command !== undefined && decision.stage > 5;
      const hint = isAsked ? this.#parts.judges.commandHint?.(sessionGrants(port.path())) : undefined;
      this.#record(port, prepared.callId, prepared.name, refusal(decision, hint), decision);
      return { kind: 'done' };
    }
    if (prepared.tool?.access !== 'read' && !prepared.facts.steersLoop) {
      // Write-ahead: after a crash the log tells that this call may have had effects.
      appendCustom(port, 'tool_start', { callId: prepared.callId, name: prepared.name, args: prepared.args, decision });
    }
    const result = await this.#execute(prepared, mode, port, signal);
    if (result.waiting) return this.#waiting(call, port, signal);
    this.#record(port, prepared.callId, prepared.name, this.#completed(result), decision);
    const ends = result.isError ? undefined : prepared.tool?.ends;
    return ends ? { kind: 'ended', outcome: ends, message: String(prepared.args.message ?? '') } : { kind: 'done' };
  }

  /** A question of this call stands open: the run stops here, unless it was given up. */
  #waiting(call: ToolCall, port: SessionPort, signal: AbortSignal): ToolsOutcome {
    if (!isCancelled(signal)) return { kind: 'waiting' };
    this.closeAll([{ call, started: false }], port, 'Cancelled');
    return { kind: 'done' };
  }

  #prepare(
    call: ToolCall,
    mode: Mode,
    response: Response | undefined,
    port: SessionPort,
    signal: AbortSignal,
  ): Promise<PreparedCall<Services>> {
    const { registry, services, judges, autoApprove, interactive, beforeToolCall } = this.#parts;
    if (response?.value === PERMISSION_ANSWERS.workspace) this.#remember(response, port);
    const allows = [...ALLOWING, STAGED_ANSWERS.accept] as string[];
    const answer = response && {
      allowed: allows.includes(response.value),
      ...(response.text ? { text: response.text } : {}),
    };
    return prepareCall(call, registry, mode, judges, {
      autoApprove,
      signal,
      ...(answer ? { answer } : {}),
      ...(interactive ? { interactive } : {}),
      ...(beforeToolCall ? { beforeToolCall } : {}),
      grants: () => sessionGrants(port.path()),
      touches: (name, args) => registry.get(name)?.touches?.(args, services) ?? [],
    });
  }

  /** The tool's own question about a call, or why there is nothing to ask. */
  async #question(prepared: PreparedCall<Services>): Promise<Omit<Request, 'id'> | BlackError | undefined> {
    const { callId, name, args, tool } = prepared;
    try {
      const question = await tool?.question?.(args, this.#parts.services);
      return question && { ...question, payload: { callId, name, args, ...question.payload } };
    } catch (cause) {
      if (cause instanceof BlackError) return cause;
      throw cause;
    }
  }

  /** Keeps what a person allowed for good; where that fails the answer counts for this once. */
  #remember({ requestId }: Response, port: SessionPort): void {
    const request = port
      .path()
      .map((entry) => customData(entry, 'request'))
      .findLast((asked) => asked?.id === requestId);
    try {
      if (request) this.#parts.rememberGrants?.(rulesOf(request));
    } catch (cause) {
      const { message, next } = BlackError.toValue(cause);
      port.emit({ type: 'DiagnosticReported', level: 'warning', message: [message, next].filter(Boolean).join(' ') });
    }
  }

  #completed(result: ToolResult): ToolResult {
    return this.#parts.completed?.(result) ?? result;
  }

  async #execute(
    prepared: PreparedCall<Services>,
    mode: Mode,
    port: SessionPort,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { callId, name, args, tool } = prepared;
    port.emit({ type: 'ToolStarted', callId, name, args });
    try {
      const whole = await this.#restored(args, tool);
      if (!whole.ok) return errorResult(whole.message);
      return await tool!.run(whole.args, {
        callId,
        signal,
        services: this.#parts.services,
        images: this.#parts.images ?? false,
        onlyReads: prepared.facts.command?.by === 'read-only',
        describe: (tool) => this.#parts.registry.describe(tool, mode),
        ask: async ({ title, options, payload }) =>
          answerTo(callId, ['ask_user'], port) ??
          (await port.ask({ kind: 'ask_user', title, options, payload: { callId, ...payload }, default: '' }, signal)),
        onOutput: (text) => port.emit({ type: 'ToolOutput', callId, text }),
      });
    } catch (cause) {
      if (signal.aborted) return cancelled(tool);
      return failed(cause);
    }
  }

  async #restored(args: Record<string, unknown>, tool: Tool<Services> | undefined): Promise<RestoredArguments> {
    const { restoreSecrets } = this.#parts;
    if (tool?.access !== 'write' || !restoreSecrets) return { ok: true, args };
    return await restoreSecrets(args, tool.paths?.(args) ?? []);
  }

  #record(port: SessionPort, callId: string, name: string, result: ToolResult, decision?: Decision): void {
    port.append({
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId: callId,
        toolName: name,
        content: result.content,
        ...(result.details === undefined ? {} : { details: result.details }),
        isError: result.isError ?? false,
        ...(decision ? { decision } : {}),
        timestamp: this.#parts.now(),
      },
    });
  }
}

function failed(cause: unknown): ToolResult {
  const { message, next } = BlackError.toValue(cause);
  return errorResult(next ? `${message} ${next}` : message);
}

function cancelled(tool: Tool<never> | undefined): ToolResult {
  const reads = tool?.access === 'read';
  return errorResult(reads ? 'Cancelled.' : 'Cancelled while it ran; it may have had effects.', { interrupted: true });
}

function refusal({ stage, rule, why }: Decision, hint?: string): ToolResult {
  const details = { refused: true, ...(rule === UNTRUSTED ? { untrusted: true } : {}) };
  const text = `Refused (stage ${stage}, ${rule}): ${/[.!?]$/.test(why) ? why : `${why}.`}`;
  return errorResult(hint ? `${text} ${hint}` : text, details);
}

/** Characters of the rules that a question offers. */
const MAX_OFFER = 160;

function permissionRequest(
  prepared: PreparedCall<unknown>,
  decision: Decision,
  notCovered: unknown,
  /** Earlier questions have told what is not covered. */
  isKnown: boolean,
) {
  const { callId, name, args, facts } = prepared;
  const offers = facts.command?.offers ?? [];
  const kept = offers.map((rule) => `\`${prefixRuleText(rule)}\``).join(' and ');
  // Nobody reads a longer one before they say yes to it for good.
  const rules = kept.length <= MAX_OFFER ? offers : [];
  const once = { value: PERMISSION_ANSWERS.once, label: 'Allow once' };
  const deny = { value: PERMISSION_ANSWERS.deny, label: 'Deny' };
  const lasting = [
    { value: PERMISSION_ANSWERS.session, label: `Allow ${kept} in this session` },
    { value: PERMISSION_ANSWERS.workspace, label: `Allow ${kept} in this folder` },
  ];
  return {
    kind: 'permission' as const,
    title: titleOf(name, args),
    payload: {
      callId,
      name,
      args,
      decision,
      ...(rules.length > 0 ? { rules } : {}),
      ...(notCovered === undefined ? {} : { notCovered, ...(isKnown ? { notCoveredKnown: true } : {}) }),
      ...(facts.command?.hosts ? { hosts: facts.command.hosts } : {}),
      ...(facts.command?.unsandboxed === undefined ? {} : { unsandboxed: facts.command.unsandboxed }),
    },
    // The same key means the same on every card.
    options: [once, deny, ...(rules.length > 0 ? lasting : [])],
    default: PERMISSION_ANSWERS.deny,
  };
}

/** What the call is about, short enough for one line; the card shows all of it. */
function titleOf(name: string, args: Record<string, unknown>): string {
  const about = args.command ?? args.path ?? args.url ?? args.query;
  if (typeof about !== 'string') return `Allow ${name}?`;
  const line = about.replaceAll(/\s+/g, ' ').trim();
  const short = line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
  const where = typeof args.cwd === 'string' ? ` in ${args.cwd}` : '';
  const verb = name === 'debug' ? 'Debug' : 'Run';
  return args.command === undefined ? `Allow ${name} ${short}?` : `${verb} \`${short}\`${where}?`;
}

/**
 * The answer that was given to a question of these kinds about this very call, before the run was stopped. Only what came after the
 * newest answer of the model counts: some servers use the same call ids in every turn.
 */
function answerTo(callId: string, kinds: readonly Request['kind'][], port: SessionPort): Response | undefined {
  const path = port.path();
  const since = path.slice(path.findLastIndex((entry) => assistantOf(entry)));
  const request = since
    .map((entry) => customData(entry, 'request'))
    .findLast((asked) => asked && kinds.includes(asked.kind) && asked.payload?.callId === callId);
  return (
    request &&
    since.map((entry) => customData(entry, 'response')).findLast((answer) => answer?.requestId === request.id)
  );
}
