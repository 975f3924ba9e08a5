import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import {
  BlackError,
  type CustomData,
  type EngineCommand,
  type Entry,
  type TaskEnd,
  type ThinkingLevel,
} from '@black-ide/protocol';
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
import type { AgentSession, Prompt } from '../session/agent-session.ts';
import { conversationOf } from '../session/conversation.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { messageBudget, runAgentLoop } from './run-agent-loop.ts';
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
  runnerFor(session: AgentSession): ToolRunner<Services>;
  /** Settles what an earlier, killed process left in the workspace; tells what a person should know. */
  prepare(): Promise<string[]>;
}

type StartTask = Extract<EngineCommand, { type: 'startAgentTask' }>;

/** Model, mode and thinking of a task, resolved before anything is logged. */
interface Choice {
  model: ResolvedModel;
  thinking?: ThinkingLevel;
  mode: Mode;
  system: string;
  tools: LanguageModelV4FunctionTool[];
}

/** The ceilings of a task, logged with its start so that a resumed one keeps them. */
type Limits = Pick<CustomData['task_start'], 'maxIterations' | 'maxCost'>;

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
    const prompt: Prompt = { text: command.text, ...(command.images ? { images: command.images } : {}) };
    if (session.running) {
      session.enqueue(prompt);
      return { queued: true };
    }
    const choice = await this.#choose(session, command.mode, command.model, command.thinking);
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
    const limits = { maxIterations, ...(command.maxCost === undefined ? {} : { maxCost: command.maxCost }) };
    const messageId = this.#beginTask(session, [prompt], choice, limits);
    this.#start(session, choice, limits);
    return { messageId, queued: false };
  }

  /** Goes on with a task that stands at an answered question, or that was killed. @returns whether there was one. */
  async resumeTask(session: AgentSession): Promise<boolean> {
    const state = taskState(session.path());
    if (session.running || !state || state.ended) return false;
    const choice = await this.#choose(session, state.start.mode, state.start.model);
    if (session.running) return false;
    this.#start(session, choice, state.start);
    return true;
  }

  #start(session: AgentSession, choice: Choice, { maxIterations, maxCost }: Limits): void {
    session.start(async (running, signal) => {
      for (const message of await this.#parts.prepare()) {
        running.emit({ type: 'DiagnosticReported', level: 'info', message });
      }
      for (;;) {
        const end = await this.#runLoop(running, choice, signal, maxCost);
        if (!end || isCancelled(signal)) return end;
        const queued = running.takeQueued();
        if (queued.length === 0) return end;
        running.end(end);
        this.#beginTask(running, queued, choice, { maxIterations, ...(maxCost === undefined ? {} : { maxCost }) });
      }
    });
  }

  #runLoop(session: AgentSession, choice: Choice, signal: AbortSignal, maxCost?: number): Promise<TaskEnd | undefined> {
    const { clock, random, runnerFor } = this.#parts;
    return runAgentLoop(
      {
        ...choice,
        options: turnOptions(choice.model, {
          ...(choice.thinking ? { thinking: choice.thinking } : {}),
          cacheKey: session.id,
        }),
        port: session,
        converter: this.#converter(choice.model),
        runner: runnerFor(session),
        context: this.#context,
        conversation: () => conversationOf(session.path()),
        clock,
        random,
        ...(maxCost === undefined ? {} : { maxCost }),
      },
      signal,
    );
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
    thinking?: ThinkingLevel,
  ): Promise<Choice> {
    const { providers, modes, registry, cwd, platform } = this.#parts;
    const before = settingsOf(session.path());
    const chosen = modes.get(mode ?? before.mode ?? 'agent');
    const resolved = await providers.resolve(model ?? this.#knownModel(before.model) ?? providers.defaultModel());
    const facts = { cwd, platform, started: session.manager.getHeader().timestamp };
    const level = thinking ?? before.thinking;
    return {
      model: resolved,
      mode: chosen,
      system: systemPrompt(chosen, facts),
      tools: registry.definitions(chosen),
      ...(level ? { thinking: level } : {}),
    };
  }

  /**
   * The session's own model, unless it is one that only stood in: a session of another program may name a provider that
   * we do not have, and `offline` gives way as soon as there is a key.
   */
  #knownModel(name: string | undefined): string | undefined {
    if (!name || name.startsWith(`${PROVIDERS.offline}/`)) return undefined;
    try {
      return this.#parts.providers.parse(name).join('/');
    } catch (cause) {
      if (cause instanceof BlackError) return undefined;
      throw cause;
    }
  }

  #refuseTooLong(choice: Choice, text: string): void {
    const budget = messageBudget(choice);
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

  #logChoice(session: AgentSession, { model, mode, thinking }: Choice): void {
    const before = settingsOf(session.path());
    const { provider, modelId } = model;
    if (before.model !== `${provider}/${modelId}`) session.append({ type: 'model_change', provider, modelId });
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

function unpriced(modelId: string): BlackError {
  return new BlackError(
    'no_price',
    `No price is known for ${modelId}, so --max-cost could not hold.`,
    'Leave --max-cost out; --max-iterations limits any model.',
  );
}

/** The newest mode, model and thinking on a path; a level that only other programs have counts as none. */
function settingsOf(path: readonly Entry[]): { mode?: string; model?: string; thinking?: ThinkingLevel } {
  const settings: ReturnType<typeof settingsOf> = {};
  for (const entry of path) {
    if (entry.type === 'mode_change') settings.mode = String(entry.mode);
    if (entry.type === 'model_change') settings.model = `${entry.provider}/${entry.modelId}`;
    if (entry.type === 'thinking_level_change') {
      const level = THINKING_LEVELS.find((each) => each === entry.thinkingLevel);
      if (level) settings.thinking = level;
      else delete settings.thinking;
    }
  }
  return settings;
}
