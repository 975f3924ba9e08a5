import {
  BlackError,
  type CommandResults,
  type CustomData,
  type EngineCommand,
  type Entry,
  type TaskEnd,
  type ThinkingLevel,
} from '@black-ide/protocol';
import { checkImage, sniffImage } from '@black-ide/workspace';
import type { CompactionHooks } from '../context/compaction/compaction-hooks.ts';
import { ContextManager } from '../context/context-manager.ts';
import { systemPrompt } from '../context/system-prompt.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';
import { PROVIDERS } from '../llm/constants.ts';
import type { ResolvedModel } from '../llm/model.ts';
import type { ProviderRegistry } from '../llm/provider-registry.ts';
import { turnOptions } from '../llm/thinking.ts';
import { PromptConverter } from '../llm/to-prompt.ts';
import type { Mode } from '../modes/mode.ts';
import type { ModeLoader } from '../modes/mode-loader.ts';
import type { Planner } from '../planning/planner.ts';
import { pendingPlan } from '../planning/planning-state.ts';
import type { PlanningSetting } from '../planning/route-prompt.ts';
import type { SessionRules } from '../rules/session-rules.ts';
import type { AgentSession, Prompt } from '../session/agent-session.ts';
import { GrowingConversation } from '../session/conversation.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';
import { type CompactionOutcome, compact } from './compact.ts';
import { Deadline } from './deadline.ts';
import { settingsOf } from './logged-choices.ts';
import { roomOf } from './loop-parts.ts';
import { runAgentLoop } from './run-agent-loop.ts';
import { RunBudget } from './run-budget.ts';
import { appendCustom, isCancelled } from './session-port.ts';
import { type Choice, inMode, inPhase, type Routed, routeTask, toolsOf } from './task-choice.ts';
import { openCalls, taskState } from './task-state.ts';
import type { ToolRunner } from './tool-runner.ts';

export interface AgentParts<Services> {
  cwd: string;
  platform: string;
  clock: Clock;
  random: () => number;
  providers: ProviderRegistry;
  modes: ModeLoader;
  registry: ToolRegistry<Services>;
  hooks: CompactionHooks;
  rules: SessionRules;
  planner: Planner;
  /** The setting `planning`. @throws BlackError where it is none of its values. */
  planning(): PlanningSetting;
  /** The tools that have nothing to work with in this session; the same each time. */
  lacking(session: AgentSession): Promise<string[]>;
  /** `images`: whether the run's model can look at them. */
  runnerFor(session: AgentSession, images?: boolean): ToolRunner<Services>;
  trust: WorkspaceTrust;
  /** Reads the configuration anew; tells what is wrong with it, each thing once. */
  readConfiguration(): Promise<string[]>;
  /** Settles what an earlier, killed process left in the workspace; tells what a person should know. */
  prepare(): Promise<string[]>;
}

type StartTask = Extract<EngineCommand, { type: 'startAgentTask' }>;

/** The end of a planning run whose last word is in the log already. */
const COMPLETED: TaskEnd = { outcome: 'completed', message: '' };

/** The ceilings of a task, logged with its start so that a resumed one keeps them. */
type Limits = Pick<CustomData['task_start'], 'maxIterations' | 'maxCost' | 'maxTokens' | 'maxTimeMs'>;

/** Begins, resumes and steers the tasks of sessions: what the loop needs is chosen here. */
export class Agent<Services> {
  readonly #parts: AgentParts<Services>;
  readonly #context = new ContextManager();
  /** Converted messages are kept per model: another one gets another shape. */
  readonly #converters = new Map<string, PromptConverter>();

  constructor(parts: AgentParts<Services>) {
    this.#parts = parts;
  }

  /** @throws BlackError where the task cannot begin; nothing is logged then. */
  async startTask(session: AgentSession, command: StartTask): Promise<{ messageId?: string; queued: boolean }> {
    refuseBadImages(command.images ?? []);
    const { text, images, plan, said } = command;
    const prompt: Prompt = { text, ...(images ? { images } : {}), ...(plan === undefined ? {} : { plan }) };
    refuseWhilePlanWaits(session);
    if (session.running) {
      session.enqueue(prompt);
      return { queued: true };
    }
    const chosen = await this.#choose(session, command.mode, command.model, false, command.thinking);
    const explicitMode = command.mode !== undefined;
    const routed = routeTask(chosen, [prompt], {
      ...this.#parts,
      path: session.path(),
      explicitMode,
      ...(said === undefined ? {} : { said }),
    });
    const { choice } = routed;
    if (routed.refusal) throw routed.refusal;
    this.#refuseTooLong(choice, command.text);
    if (command.maxCost !== undefined && !choice.model.info.prices) throw unpriced(choice.model.modelId);
    // Another face may have begun a task while the model's library was loaded.
    if (session.running) {
      session.enqueue(prompt);
      return { queued: true };
    }
    refuseWhilePlanWaits(session);
    this.#closeInterrupted(session);
    this.#logChoice(session, choice);
    const maxIterations = command.maxIterations ?? choice.mode.maxIterations;
    const limits = limitsOf(maxIterations, command);
    const messageId = this.#beginTask(session, routed, limits);
    this.#start(session, choice, limits);
    return { messageId, queued: false };
  }

  /** Goes on with a task that stands at an answered question, or that was killed. @returns whether there was one. */
  async resumeTask(session: AgentSession): Promise<boolean> {
    const state = taskState(session.path());
    if (session.running || !state || state.ended) return false;
    const choice = await this.#choose(session, state.start.mode, state.start.model, true);
    if (session.running) return false;
    this.#start(session, choice, limitsOf(state.start.maxIterations, state.start));
    return true;
  }

  /**
   * Condenses a session's conversation: at once where nothing runs, else before the running task's next turn.
   * @throws BlackError `nothing_to_compact`, `cancelled`, or why no summary came about.
   */
  async compact(session: AgentSession, instructions?: string): Promise<CommandResults['compact']> {
    if (!session.running) {
      const choice = await this.#choose(session, undefined, undefined);
      if (!session.running) return compacted(await this.#compactNow(session, choice, instructions));
    }
    session.askForCompaction(instructions);
    return { queued: true };
  }

  /** Messages that come meanwhile wait, and begin a task when it is done. */
  #compactNow(session: AgentSession, choice: Choice, instructions?: string): Promise<CompactionOutcome> {
    const { clock, random, hooks } = this.#parts;
    const wish = { reason: 'manual' as const, messageBudget: roomOf(choice).messages };
    return new Promise((resolve, reject) => {
      session.start(async (running, signal) => {
        const budget = new RunBudget({}, () => clock.now());
        const parts = { port: running, model: choice.model, budget, hooks, clock, random };
        try {
          resolve(await compact(parts, { ...wish, ...(instructions ? { instructions } : {}) }, signal));
        } catch (cause) {
          reject(cause);
        }
        const queued = signal.aborted ? [] : running.takeQueued();
        if (queued.length === 0) return undefined;
        this.#closeInterrupted(running);
        const routed = routeTask(choice, queued, { ...this.#parts, path: running.path() });
        this.#logChoice(running, routed.choice);
        const limits = { maxIterations: choice.mode.maxIterations };
        this.#beginTask(running, routed, limits);
        return await this.#work(running, routed.choice, limits, signal);
      });
    });
  }

  #start(session: AgentSession, choice: Choice, limits: Limits): void {
    session.start(async (running, signal) => {
      for (const message of choice.warnings) running.emit({ type: 'DiagnosticReported', level: 'warning', message });
      for (const message of await this.#parts.prepare()) {
        running.emit({ type: 'DiagnosticReported', level: 'info', message });
      }
      return await this.#work(running, choice, limits, signal);
    });
  }

  /** Whoever stops a task stops what was to steer it as well; it is told, so that it can be sent again. */
  #dropQueued(session: AgentSession): void {
    for (const { text } of session.takeQueued()) {
      const message = `Cancelled before it was sent: ${text.slice(0, 200)}`;
      session.emit({ type: 'DiagnosticReported', level: 'warning', message });
    }
  }

  /** Works on the task that the log has begun, then on those that were asked for meanwhile. */
  async #work(
    session: AgentSession,
    choice: Choice,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<TaskEnd | undefined> {
    let current = choice;
    for (;;) {
      const end = await this.#runPhases(session, current, limits, signal);
      if (isCancelled(signal)) this.#dropQueued(session);
      if (!end || isCancelled(signal)) return end;
      const queued = session.takeQueued();
      if (queued.length === 0) return end;
      session.end(end);
      const routed = routeTask(inMode(current, current.sessionMode, this.#parts.registry), queued, {
        ...this.#parts,
        path: session.path(),
      });
      current = routed.choice;
      this.#beginTask(session, routed, limits);
    }
  }

  /** Runs the loop once, or for a planned task as often as its phases need it. */
  async #runPhases(
    session: AgentSession,
    choice: Choice,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<TaskEnd | undefined> {
    const { planner, clock } = this.#parts;
    // The money and the time of a task are those of all its phases together.
    const budget = budgetOf(limits, session.path(), () => clock.now());
    for (;;) {
      const before = await planner.before(session, signal);
      if (before !== 'go') return before === 'waiting' ? undefined : before;
      const end = planner.isPlanned(session.path())
        ? COMPLETED
        : await this.#runLoop(session, inPhase(choice, session.path(), this.#parts.registry), budget, signal);
      const after = await planner.after(session, end, signal);
      if (after !== 'go') return after === 'waiting' ? undefined : after;
    }
  }

  async #runLoop(
    session: AgentSession,
    choice: Choice,
    budget: RunBudget,
    signal: AbortSignal,
  ): Promise<TaskEnd | undefined> {
    const { clock, random, runnerFor, hooks } = this.#parts;
    const deadline = new Deadline(budget, clock);
    const conversation = new GrowingConversation();
    try {
      return await runAgentLoop(
        {
          ...choice,
          port: deadline.pausing(session),
          options: turnOptions(choice.model, {
            ...(choice.thinking ? { thinking: choice.thinking } : {}),
            cacheKey: session.id,
          }),
          converter: this.#converter(choice.model),
          runner: runnerFor(session, choice.model.info.images),
          context: this.#context,
          conversation: () => conversation.of(session.path()),
          clock,
          random,
          budget,
          hooks,
        },
        AbortSignal.any([signal, deadline.signal]),
      );
    } finally {
      deadline.dispose();
    }
  }

  #converter(model: ResolvedModel): PromptConverter {
    const name = `${model.kind}:${model.provider}/${model.modelId}`;
    const known = this.#converters.get(name);
    if (known) return known;
    const converter = new PromptConverter(model);
    this.#converters.set(name, converter);
    return converter;
  }

  async #choose(
    session: AgentSession,
    mode: string | undefined,
    model: string | undefined,
    resumes = false,
    thinking?: ThinkingLevel,
  ): Promise<Choice> {
    const { providers, registry, cwd, platform, rules, trust } = this.#parts;
    const before = settingsOf(session.path());
    trust.refresh();
    const warnings = await this.#parts.readConfiguration();
    const chosen = await this.#mode(mode, before.mode, warnings);
    const sessionMode = resumes ? await this.#mode(undefined, before.mode, []) : chosen;
    const persons = model ?? this.#knownModel(before.chosenModel);
    const usual = before.usualModel?.startsWith(`${PROVIDERS.offline}/`) ? undefined : before.usualModel;
    const name = persons ?? chosen.model ?? this.#knownModel(usual) ?? providers.defaultModel();
    const resolved = await providers.resolve(name);
    const untrusted = !trust.trusted;
    const { timestamp: started } = session.manager.getHeader();
    const facts = { cwd, platform, started, untrusted, lacking: await this.#parts.lacking(session) };
    const level = thinking ?? before.thinking;
    const standing = resumes
      ? { system: rules.resume(session.path()), entries: [] }
      : await rules.begin(session.path());
    return {
      model: resolved,
      ...(persons === undefined
        ? chosen.model
          ? { chosenBy: 'mode' as const }
          : {}
        : { chosenBy: 'person' as const }),
      mode: chosen,
      sessionMode,
      prompt: { facts, rules: standing.system },
      system: systemPrompt(chosen, facts, standing.system),
      tools: toolsOf(chosen, registry, facts),
      warnings,
      rules: standing.entries,
      ...(level ? { thinking: level } : {}),
    };
  }

  /**
   * The mode that is asked for. The session's own may be gone since, e.g. with its file: then the one that may do least
   * takes its place.
   */
  async #mode(asked: string | undefined, before: string | undefined, warnings: string[]): Promise<Mode> {
    const { modes } = this.#parts;
    if (asked !== undefined || before === undefined) return await modes.find(asked ?? 'agent');
    try {
      return await modes.find(before);
    } catch (cause) {
      if (!(cause instanceof BlackError)) throw cause;
      warnings.push(`${cause.message} The session goes on in the mode Ask.`);
      return await modes.find('ask');
    }
  }

  /** A model that the session names, unless it is of a provider that only another program had. */
  #knownModel(name: string | undefined): string | undefined {
    if (!name) return undefined;
    try {
      return this.#parts.providers.parse(name).join('/');
    } catch (cause) {
      if (cause instanceof BlackError) return undefined;
      throw cause;
    }
  }

  #refuseTooLong(choice: Choice, text: string): void {
    const budget = roomOf(choice).messages;
    const size = estimateTokens(text);
    if (size <= budget) return;
    throw new BlackError(
      'message_too_long',
      `The message is about ${size} tokens; ${choice.model.modelId} has room for ${budget}.`,
      'Shorten it, or put the text in a file and name the file.',
    );
  }

  /** Gives the calls of a run that was killed their results, and closes the questions that a new message overtakes. */
  #closeInterrupted(session: AgentSession): void {
    const state = taskState(session.path());
    if (state?.ended) return;
    for (const { title } of session.openRequests()) {
      const message = `A new message came before an answer to “${title}”: it counts as no.`;
      session.emit({ type: 'DiagnosticReported', level: 'warning', message });
    }
    session.supersedeRequests('A new message came first.');
    this.#parts.runnerFor(session).closeAll(openCalls(session.path()), session, 'The run before had stopped');
  }

  #logChoice(session: AgentSession, { model, chosenBy, sessionMode: mode, thinking, rules }: Choice): void {
    const before = settingsOf(session.path());
    for (const entry of rules) session.append(entry);
    const { provider, modelId } = model;
    const name = `${provider}/${modelId}`;
    if (before.model !== name || (chosenBy === 'person' && before.chosenModel !== name)) {
      const by = chosenBy === 'person' ? { chosen: true } : chosenBy === 'mode' ? { ofMode: true } : {};
      session.append({ type: 'model_change', provider, modelId, ...by });
    }
    if (before.mode?.toLowerCase() !== mode.name.toLowerCase())
      session.append({ type: 'mode_change', mode: mode.name });
    if (thinking && before.thinking !== thinking)
      session.append({ type: 'thinking_level_change', thinkingLevel: thinking });
  }

  #beginTask(session: AgentSession, { prompts, choice, planning, plan }: Routed, limits: Limits): string {
    const { model, mode } = choice;
    let messageId = '';
    for (const { text, images } of prompts) {
      const content = images?.length ? [{ type: 'text' as const, text }, ...images] : text;
      const timestamp = this.#parts.clock.now();
      const entry = session.append({ type: 'message', message: { role: 'user', content, timestamp } });
      messageId ||= entry.id;
    }
    const name = `${model.provider}/${model.modelId}`;
    const planned = planning || plan ? { planning: true } : {};
    appendCustom(session, 'task_start', { messageId, mode: mode.name, model: name, ...limits, ...planned });
    if (plan) appendCustom(session, 'approved_plan', { ...plan, carried: true });
    return messageId;
  }
}

/** The ceilings that were given, on a command or in a log. */
function limitsOf(
  maxIterations: number,
  { maxCost, maxTokens, maxTimeMs }: Pick<StartTask, 'maxCost' | 'maxTokens' | 'maxTimeMs'>,
): Limits {
  return {
    maxIterations,
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
  };
}

/** What a task may spend: its ceilings, less what the log says of it. */
function budgetOf({ maxCost, maxTokens, maxTimeMs }: Limits, path: readonly Entry[], now: () => number): RunBudget {
  const state = taskState(path);
  return new RunBudget(
    {
      ...(maxCost === undefined ? {} : { cost: maxCost }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
      ...(maxTimeMs === undefined ? {} : { timeMs: maxTimeMs }),
    },
    now,
    state && { cost: state.cost, tokens: state.tokens, turns: state.calls },
  );
}

function compacted(outcome: CompactionOutcome): CommandResults['compact'] {
  switch (outcome.kind) {
    case 'done': {
      const { entry, tokensBefore, tokensAfter } = outcome;
      return { queued: false, entryId: entry.id, tokensBefore, tokensAfter };
    }
    case 'nothing':
      throw new BlackError('nothing_to_compact', 'There is nothing to condense yet.');
    case 'aborted':
      throw new BlackError('cancelled', 'Cancelled; the conversation is as it was.');
    case 'budget':
      throw new BlackError('budget', outcome.stop.message, outcome.stop.next);
    case 'failed': {
      const { code, message, next } = outcome.error;
      throw new BlackError(code, message, next);
    }
  }
}

/** One image that the provider refuses would have it refuse the session for ever. */
function refuseBadImages(images: NonNullable<StartTask['images']>): void {
  for (const [index, { data, mimeType }] of images.entries()) {
    const bytes = Buffer.from(data, 'base64');
    const type = sniffImage(bytes);
    const checked = type && checkImage(bytes, type);
    if (checked?.ok && type === mimeType) continue;
    const why = !type
      ? 'it is no PNG, JPEG, GIF or WebP'
      : checked?.ok
        ? `it is ${type}, not ${mimeType}`
        : checked!.why;
    throw new BlackError('bad_image', `Image ${index + 1} cannot be sent: ${why}.`, 'Send the message without it.');
  }
}

/** A plan waits for its answer: whoever says something else has overlooked it (IDE-35). */
function refuseWhilePlanWaits(session: AgentSession): void {
  if (!pendingPlan(session.path())) return;
  throw new BlackError(
    'plan_pending',
    'A plan waits for your answer; the message was not sent.',
    `Approve it or reject it first: black approve ${session.id}, black reject ${session.id} --feedback "…".`,
  );
}

function unpriced(modelId: string): BlackError {
  return new BlackError(
    'no_price',
    `No price is known for ${modelId}, so --max-cost could not hold.`,
    'Leave --max-cost out; --max-iterations limits any model.',
  );
}
