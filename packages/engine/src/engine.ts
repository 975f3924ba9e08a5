import {
  BlackError,
  type CommandResult,
  type CommandResults,
  type CommandType,
  type EngineCommand,
  type EngineCommandInput,
  type EngineEvent,
  PROTOCOL_VERSION,
  parseCommand,
} from '@black-ide/protocol';
import { KeyStore } from '@black-ide/workspace';
import { systemClock } from './clock.ts';
import { CompactionHooks } from './context/compaction/compaction-hooks.ts';
import type { Clock, Engine, EngineOptions } from './engine-api.ts';
import { EventBus } from './events/event-bus.ts';
import { ProviderRegistry } from './llm/provider-registry.ts';
import { Agent } from './loop/agent.ts';
import { pathsOfCall } from './loop/gather-facts.ts';
import { ToolRunner } from './loop/tool-runner.ts';
import { ModeLoader } from './modes/mode-loader.ts';
import { SessionRules } from './rules/session-rules.ts';
import { AgentSession } from './session/agent-session.ts';
import { SessionStore } from './session/session-store.ts';
import { StoredSessions } from './session/stored-sessions.ts';
import { builtInTools } from './tools/built-in.ts';
import { ToolRegistry } from './tools/registry.ts';
import { type SessionServices, WorkspaceServices } from './tools/workspace-services.ts';

type Handlers = {
  [T in CommandType]: (command: Extract<EngineCommand, { type: T }>) => Promise<CommandResults[T]> | CommandResults[T];
};

/** Wires an engine by plain constructor arguments: the composition root. */
export function createEngine(options: EngineOptions): Engine {
  return new BlackEngine(options);
}

class BlackEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #bus: EventBus;
  readonly #store: SessionStore;
  readonly #providers: ProviderRegistry;
  readonly #modes = new ModeLoader();
  readonly #services: WorkspaceServices;
  readonly #agent: Agent<SessionServices>;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #stored: StoredSessions;
  readonly #rules: SessionRules;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#bus = new EventBus(() => this.#clock.now());
    this.#store = new SessionStore({
      home: options.home,
      inMemory: options.inMemory ?? false,
      now: () => this.#clock.now(),
    });
    this.#stored = new StoredSessions({
      store: this.#store,
      cwd: options.cwd,
      env: options.env,
      open: this.#sessions,
    });
    this.#providers = new ProviderRegistry(options.env, {
      home: options.home,
      keys: new KeyStore({ home: options.home }),
      now: () => this.#clock.now(),
    });
    this.#services = new WorkspaceServices(options);
    const registry = new ToolRegistry<SessionServices>(builtInTools());
    this.#rules = new SessionRules({
      reader: this.#services.rulesReader(),
      pathsOf: (call) => pathsOfCall(call, registry),
    });
    this.#agent = new Agent({
      cwd: options.cwd,
      platform: process.platform,
      clock: this.#clock,
      random: Math.random,
      providers: this.#providers,
      modes: this.#modes,
      registry,
      hooks: new CompactionHooks(),
      rules: this.#rules,
      prepare: () => this.#services.prepare(),
      runnerFor: (session, images) =>
        new ToolRunner({
          registry,
          services: this.#services.forSession(session),
          judges: this.#services,
          autoApprove: options.autoApprove ?? false,
          images: images ?? false,
          now: () => this.#clock.now(),
          afterCalls: (port) => this.#rules.afterCalls(port, session),
        }),
    });
  }

  execute<T extends CommandType>(command: Extract<EngineCommandInput, { type: T }>): Promise<CommandResult<T>> {
    return this.executeUnknown(command) as Promise<CommandResult<T>>;
  }

  async executeUnknown(input: unknown): Promise<CommandResult> {
    const parsed = parseCommand(input);
    if (!parsed.ok) return parsed;
    try {
      const handler = this.#handlers[parsed.command.type] as (
        command: EngineCommand,
      ) => Promise<CommandResults[CommandType]>;
      return { ok: true, value: await handler(parsed.command) };
    } catch (cause) {
      return { ok: false, error: BlackError.toValue(cause) };
    }
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    return this.#bus.subscribe(listener);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#close(session)));
    this.#sessions.clear();
    await this.#services.dispose();
    this.#providers.dispose();
  }

  readonly #handlers: Handlers = {
    hello: () => ({ protocol: PROTOCOL_VERSION, build: BUILD, capabilities: [] }),
    newSession: () => {
      const session = this.#adopt(this.#store.create({ cwd: this.#options.cwd }));
      const path = session.manager.getPath();
      return { sessionId: session.id, ...(path ? { path } : {}) };
    },
    openSession: ({ session }) => this.#open(session),
    switchThread: ({ threadId }) => this.#open(threadId),
    closeSession: async ({ sessionId }) => {
      const session = this.#session(sessionId);
      await this.#close(session);
      this.#sessions.delete(sessionId);
      return {};
    },
    subscribe: ({ sessionId, sinceSeq }) => this.#session(sessionId).snapshot(sinceSeq),
    startAgentTask: (command) => this.#agent.startTask(this.#writable(command.sessionId), command),
    compact: ({ sessionId, instructions }) => this.#agent.compact(this.#writable(sessionId), instructions),
    resumeTask: async ({ sessionId }) => ({ resumed: await this.#agent.resumeTask(this.#writable(sessionId)) }),
    cancelTask: async ({ sessionId }) => {
      const session = this.#session(sessionId);
      const since = session.taskStartedAt();
      const cancelled = await session.cancel();
      // What the task's own commands left running ends with it; those of earlier tasks go on (IDE-18).
      if (cancelled) await this.#services.endCommands(session, since);
      return { cancelled };
    },
    respond: ({ sessionId, requestId, value, text, by }) => {
      this.#writable(sessionId).respond(requestId, value, by, text);
      return {};
    },
    approvePlan: ({ sessionId, requestId }) => this.#respond(sessionId, 'plan', requestId, 'approve'),
    rejectPlan: ({ sessionId, requestId, feedback }) => this.#respond(sessionId, 'plan', requestId, 'reject', feedback),
    continueLoop: ({ sessionId, requestId, more }) => {
      const value = more === 0 ? 'stop' : 'continue';
      return this.#respond(sessionId, 'loop_limit', requestId, value, more ? String(more) : undefined);
    },
    setMode: ({ sessionId, mode }) => {
      const { name } = this.#modes.get(mode);
      this.#writable(sessionId).append({ type: 'mode_change', mode: name });
      return { mode: name };
    },
    setModel: async ({ sessionId, model }) => {
      const { provider, modelId } = await this.#providers.resolve(model);
      this.#writable(sessionId).append({ type: 'model_change', provider, modelId, chosen: true });
      return { model: `${provider}/${modelId}` };
    },
    describeModel: ({ model }) => this.#providers.describe(model ?? this.#providers.defaultModel()),
    listChoices: async () => ({
      models: await this.#providers.choices(),
      modes: this.#modes.names().map((name) => ({ name, description: this.#modes.get(name).description })),
    }),
    setThinking: ({ sessionId, level }) => {
      this.#writable(sessionId).append({ type: 'thinking_level_change', thinkingLevel: level });
      return { level };
    },
    listProviders: () => ({ providers: this.#providers.summaries() }),
    listModels: async ({ provider, refresh = false }) => {
      const asked =
        provider === undefined ? this.#providers.providers().filter((id) => this.#providers.usable(id)) : [provider];
      return { providers: await Promise.all(asked.map((id) => this.#providers.models(id, { refresh }))) };
    },
    restoreFile: () => notAvailable('restoreFile'),
    keepFile: () => notAvailable('keepFile'),
    undoMessage: () => notAvailable('undoMessage'),
    listSessions: async ({ everywhere }) => ({
      sessions: await this.#store.list(everywhere ? { everywhere } : { cwd: this.#options.cwd }),
    }),
    readSession: ({ session }) => this.#stored.read(session),
    searchSessions: ({ query, everywhere, limit }) => this.#stored.search(query, everywhere === true, limit),
    exportSession: ({ session, format }) => this.#stored.export(session, format),
    renameSession: ({ session, name }) => this.#stored.rename(session, name),
    deleteSession: ({ session }) => this.#stored.putAway(session),
    restoreSession: ({ session }) => this.#stored.takeBack(session),
    listRules: async () => ({ files: await this.#rules.list() }),
  };

  async #open(name: string): Promise<CommandResults['openSession']> {
    const known = this.#sessions.get(name);
    const session = known ?? this.#adopt(await this.#store.open(name, this.#options.cwd));
    const { manager } = session;
    const path = manager.getPath();
    return {
      sessionId: session.id,
      ...(path ? { path } : {}),
      header: manager.getHeader(),
      ...(manager.readOnly ? { readOnly: manager.readOnly } : {}),
      problems: manager.problems,
    };
  }

  #adopt(manager: AgentSession['manager']): AgentSession {
    const known = this.#sessions.get(manager.getSessionId());
    if (known) {
      manager.close();
      return known;
    }
    const session = new AgentSession({
      manager,
      bus: this.#bus,
      face: this.#options.face,
      asks: this.#options.asks,
      now: () => this.#clock.now(),
      newId: () => this.#options.randomHex?.(4) ?? randomHex(4),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  async #close(session: AgentSession): Promise<void> {
    await Promise.all([this.#services.endSession(session), session.close()]);
  }

  #session(id: string): AgentSession {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw new BlackError('unknown_session', `No session ${id} is open.`, 'Open it first.');
  }

  #writable(id: string): AgentSession {
    const session = this.#session(id);
    const { readOnly } = session.manager;
    if (!readOnly) return session;
    throw new BlackError(
      'read_only',
      `The session cannot be written: ${readOnly}`,
      'Close the other program first; until then it can only be read.',
    );
  }

  #respond(
    sessionId: string,
    kind: 'plan' | 'loop_limit',
    requestId: string | undefined,
    value: string,
    text?: string,
  ): Record<string, never> {
    this.#writable(sessionId).respond(requestId, value, this.#options.face, text, kind);
    return {};
  }
}

function randomHex(bytes: number): string {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}

function notAvailable(command: string): never {
  throw new BlackError('not_available', `\`${command}\` is not part of this version.`);
}

/** Told in `hello`; a bundle replaces it with its own version. */
const BUILD = '0.1.0';
