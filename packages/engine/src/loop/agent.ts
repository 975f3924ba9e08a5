import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import {
  BlackError,
  type CommandResults,
  type CustomData,
  type EngineCommand,
  type Entry,
  type NewEntry,
  type TaskEnd,
  type ThinkingLevel,
} from '@black-ide/protocol';
import { checkImage, sniffImage } from '@black-ide/workspace';
import type { CompactionHooks } from '../context/compaction/compaction-hooks.ts';
import { ContextManager } from '../context/context-manager.ts';
import { systemPrompt } from '../context/system-prompt.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';
import { PROVIDERS, THINKING_LEVELS } from '../llm/constants.ts';
import type { ResolvedModel } from '../llm/model.ts';
import type { ProviderRegistry } from '../llm/provider-registry.ts';
import { turnOptions } from '../llm/thinking.ts';
import { PromptConverter } from '../llm/to-prompt.ts';
import type { Mode } from '../modes/mode.ts';
import type { ModeLoader } from '../modes/mode-loader.ts';
import type { SessionRules } from '../rules/session-rules.ts';
import type { AgentSession, Prompt } from '../session/agent-session.ts';
import { GrowingConversation } from '../session/conversation.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { type CompactionOutcome, compact } from './compact.ts';
import { Deadline } from './deadline.ts';
import { roomOf } from './loop-parts.ts';
import { runAgentLoop } from './run-agent-loop.ts';
import { RunBudget } from './run-budget.ts';
import { appendCustom, isCancelled } from './session-port.ts';
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
  /** `images`: whether the run's model can look at them. */
  runnerFor(session: AgentSession, images?: boolean): ToolRunner<Services>;
  /** Settles what an earlier, killed process left in the workspace; tells what a person should know. */
  prepare(): Promise<string[]>;
}

type StartTask = Extract<EngineCommand, { type: 'startAgentTask' }>;

/** Model, mode and thinking of a task, resolved before anything is logged. */
interface Choice {
  model: ResolvedModel;
  /** A person named the model. */
  isChosen: boolean;
  thinking?: ThinkingLevel;
  mode: Mode;
  system: string;
  tools: LanguageModelV4FunctionTool[];
  /** What is to be logged of standing rules before the task begins. */
  rules: NewEntry[];
}

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
    const prompt: Prompt = { text: command.text, ...(command.images ? { images: command.images } : {}) };
    if (session.running) {
      session.enqueue(prompt);
      return { queued: true };
    }
    const choice = await this.#choose(session, command.mode, command.model, false, command.thinking);
    this.#refuseTooLong(choice, command.text);
    if (command.maxCost !== undefined && !choice.model.info.prices) throw unpriced(choice.model.modelId);
    // Another face may have begun a task while the model's library was loaded.
    if (session.running) {
      session.enqueue(prompt);
      return { queued: true };
    }
    this.#closeInterrupted(session);
    this.#logChoice(session, choice);
    const maxIterations = command.maxIterations ?? choice.mode.maxIterations;
    const limits = limitsOf(maxIterations, command);
    const messageId = this.#beginTask(session, [prompt], choice, limits);
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
        this.#logChoice(running, choice);
        const limits = { maxIterations: choice.mode.maxIterations };
        this.#beginTask(running, queued, choice, limits);
        return await this.#work(running, choice, limits, signal);
      });
    });
  }

  #start(session: AgentSession, choice: Choice, limits: Limits): void {
    session.start(async (running, signal) => {
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
    for (;;) {
      const end = await this.#runLoop(session, choice, limits, signal);
      if (isCancelled(signal)) this.#dropQueued(session);
      if (!end || isCancelled(signal)) return end;
      const queued = session.takeQueued();
      if (queued.length === 0) return end;
      session.end(end);
      this.#beginTask(session, queued, choice, limits);
    }
  }

  async #runLoop(
    session: AgentSession,
    choice: Choice,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<TaskEnd | undefined> {
    const { clock, random, runnerFor, hooks } = this.#parts;
    const budget = budgetOf(limits, session.path(), () => clock.now());
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
    const { providers, modes, registry, cwd, platform, rules } = this.#parts;
    const before = settingsOf(session.path());
    const chosen = modes.get(mode ?? before.mode ?? 'agent');
    const resolved = await providers.resolve(model ?? this.#knownModel(before) ?? providers.defaultModel());
    const facts = { cwd, platform, started: session.manager.getHeader().timestamp };
    const level = thinking ?? before.thinking;
    const standing = resumes
      ? { system: rules.resume(session.path()), entries: [] }
      : await rules.begin(session.path());
    return {
      model: resolved,
      isChosen: model !== undefined && !resumes,
      mode: chosen,
      system: systemPrompt(chosen, facts, standing.system),
      tools: registry.definitions(chosen),
      rules: standing.entries,
      ...(level ? { thinking: level } : {}),
    };
  }

  /**
   * The session's own model, unless it is one that only stood in: a session of another program may name a provider that
   * we do not have, and an `offline` that nobody chose gives way as soon as there is a key.
   */
  #knownModel({ model: name, chosen }: ReturnType<typeof settingsOf>): string | undefined {
    if (!name || (!chosen && name.startsWith(`${PROVIDERS.offline}/`))) return undefined;
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

  #logChoice(session: AgentSession, { model, isChosen, mode, thinking, rules }: Choice): void {
    const before = settingsOf(session.path());
    for (const entry of rules) session.append(entry);
    const { provider, modelId } = model;
    if (before.model !== `${provider}/${modelId}` || (isChosen && !before.chosen)) {
      session.append({ type: 'model_change', provider, modelId, ...(isChosen ? { chosen: true } : {}) });
    }
    if (before.mode?.toLowerCase() !== mode.name.toLowerCase())
      session.append({ type: 'mode_change', mode: mode.name });
    if (thinking && before.thinking !== thinking)
      session.append({ type: 'thinking_level_change', thinkingLevel: thinking });
  }

  #beginTask(session: AgentSession, prompts: readonly Prompt[], { model, mode }: Choice, limits: Limits): string {
    let messageId = '';
    for (const { text, images } of prompts) {
      const content = images?.length ? [{ type: 'text' as const, text }, ...images] : text;
      const timestamp = this.#parts.clock.now();
      const entry = session.append({ type: 'message', message: { role: 'user', content, timestamp } });
      messageId ||= entry.id;
    }
    const name = `${model.provider}/${model.modelId}`;
    appendCustom(session, 'task_start', { messageId, mode: mode.name, model: name, ...limits });
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

function unpriced(modelId: string): BlackError {
  return new BlackError(
    'no_price',
    `No price is known for ${modelId}, so --max-cost could not hold.`,
    'Leave --max-cost out; --max-iterations limits any model.',
  );
}

/** The newest mode, model and thinking on a path; a level that only other programs have counts as none. */
function settingsOf(path: readonly Entry[]): {
  mode?: string;
  model?: string;
  chosen?: boolean;
  thinking?: ThinkingLevel;
} {
  const settings: ReturnType<typeof settingsOf> = {};
  for (const entry of path) {
    if (entry.type === 'mode_change') settings.mode = String(entry.mode);
    if (entry.type === 'model_change') {
      settings.model = `${entry.provider}/${entry.modelId}`;
      settings.chosen = entry.chosen === true;
    }
    if (entry.type === 'thinking_level_change') {
      const level = THINKING_LEVELS.find((each) => each === entry.thinkingLevel);
      if (level) settings.thinking = level;
      else delete settings.thinking;
    }
  }
  return settings;
}
