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
import { KeyStore, type SecretMask } from '@black-ide/workspace';
import { SessionChanges } from './changes/session-changes.ts';
import { systemClock } from './clock.ts';
import { codeEmbedder } from './code/code-embedder.ts';
import { CompactionHooks } from './context/compaction/compaction-hooks.ts';
import type { Clock, Engine, EngineOptions } from './engine-api.ts';
import { EventBus } from './events/event-bus.ts';
import { languageHandlers } from './languages/language-handlers.ts';
import { WireDiagnostics } from './languages/wire-diagnostics.ts';
import { withNews } from './languages/with-news.ts';
import { ProviderRegistry } from './llm/provider-registry.ts';
import { Agent } from './loop/agent.ts';
import { pathsOfCall } from './loop/gather-facts.ts';
import { taskState } from './loop/task-state.ts';
import { ToolRunner } from './loop/tool-runner.ts';
import { ModeLoader } from './modes/mode-loader.ts';
import { CommandExplainer } from './permissions/command-explainer.ts';
import { Planner } from './planning/planner.ts';
import { mayChange } from './planning/planning-mode.ts';
import { pendingPlan } from './planning/planning-state.ts';
import { SessionArtifacts } from './planning/session-artifacts.ts';
import { SessionRules } from './rules/session-rules.ts';
import { knownSecrets, LearningKeys } from './secrets/known-secrets.ts';
import { AgentSession } from './session/agent-session.ts';
import { SessionStore } from './session/session-store.ts';
import { StoredSessions } from './session/stored-sessions.ts';
import { EngineSettings } from './settings/engine-settings.ts';
import { ProblemNews } from './settings/problem-news.ts';
import { stagedHandlers } from './staged/staged-handlers.ts';
import { builtInTools } from './tools/built-in.ts';
import { ToolRegistry } from './tools/registry.ts';
import { type SessionServices, WorkspaceServices } from './tools/workspace-services.ts';
import { describeTrust, TRUST, trustRequest, untrustedNote } from './trust/trust-request.ts';
import { WorkspaceTrust } from './trust/workspace-trust.ts';

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
  readonly #modes: ModeLoader;
  readonly #services: WorkspaceServices;
  readonly #agent: Agent<SessionServices>;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #stored: StoredSessions;
  readonly #rules: SessionRules;
  readonly #trust: WorkspaceTrust;
  readonly #settings: EngineSettings;
  readonly #settingsNews = new ProblemNews();
  readonly #modeNews = new ProblemNews();
  #toldTrust = false;
  readonly #secrets: SecretMask;
  readonly #planner: Planner;
  /** The thread that the face shows. */
  #thread: string | undefined;
  readonly #changes: SessionChanges;
  readonly #wireDiagnostics = new WireDiagnostics((event) => this.#bus.emitGlobal(event));
  readonly #ended = new AbortController();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#bus = new EventBus(() => this.#clock.now());
    this.#store = new SessionStore({
      home: options.home,
      inMemory: options.inMemory ?? false,
      now: () => this.#clock.now(),
    });
    this.#secrets = knownSecrets(options.env);
    this.#stored = new StoredSessions({
      store: this.#store,
      secrets: this.#secrets,
      cwd: options.cwd,
      env: options.env,
      open: this.#sessions,
    });
    this.#providers = new ProviderRegistry(options.env, {
      home: options.home,
      keys: new LearningKeys(new KeyStore({ home: options.home }), this.#secrets),
      now: () => this.#clock.now(),
      usual: () => this.#services.configuration.values.model,
    });
    const { cwd, home, env } = options;
    this.#trust = new WorkspaceTrust({
      home,
      root: cwd,
      env,
      now: () => this.#clock.now(),
      forRun: options.trust === true,
    });
    this.#services = new WorkspaceServices(options, this.#trust, this.#secrets, (name) =>
      codeEmbedder(name, this.#providers, this.#clock),
    );
    const { documents } = this.#services;
    this.#settings = new EngineSettings({ home, root: cwd, env, documents, isTrusted: () => this.#trust.trusted });
    const isTrusted = (folder: string): boolean => this.#trust.covers(folder);
    this.#modes = new ModeLoader({ home, root: cwd, documents, isTrusted });
    this.#changes = new SessionChanges(
      async () => {
        await this.#services.prepare();
        return this.#services.checkpoints();
      },
      () => this.#services.code.stale(),
    );
    const registry = new ToolRegistry<SessionServices>(builtInTools());
    this.#rules = new SessionRules({
      reader: this.#services.rulesReader(),
      pathsOf: (call) => pathsOfCall(call, registry),
    });
    this.#planner = new Planner({
      artifactsOf: (session) => new SessionArtifacts(this.#services.forSession(session)),
      approvePlan: options.approvePlan ?? false,
      face: options.face,
      changes: (tool) => mayChange(tool, registry),
      map: (request, signal) => this.#services.code.map({ tokens: MAP_TOKENS, for: request }, MAP_PATIENCE_MS, signal),
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
      trust: this.#trust,
      readConfiguration: () => this.#readConfiguration(),
      planner: this.#planner,
      planning: () => this.#services.configuration.values.planning,
      prepare: () => this.#services.prepare(),
      lacking: (session) => this.#services.lacking(session),
      runnerFor: (session, images) =>
        new ToolRunner({
          registry,
          services: this.#services.forSession(session),
          judges: this.#services,
          autoApprove: options.autoApprove ?? false,
          interactive: options.asks === 'wait',
          ...(options.beforeToolCall ? { beforeToolCall: options.beforeToolCall } : {}),
          restoreSecrets: (args, paths) => this.#services.restoreSecrets(args, paths),
          rememberGrants: (rules) => this.#services.rememberGrants(rules),
          images: images ?? false,
          now: () => this.#clock.now(),
          completed: (result) => withNews(result, this.#services.languages, session),
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
    this.#ended.abort(new BlackError('closing', 'The engine is closing.'));
    await Promise.all([...this.#sessions.values()].map((session) => this.#close(session)));
    this.#sessions.clear();
    await this.#modes.dispose();
    await this.#services.dispose();
    this.#providers.dispose();
  }

  readonly #handlers: Handlers = {
    hello: ({ capabilities }) => {
      this.#services.host = capabilities.includes('diagnostics') ? this.#wireDiagnostics : undefined;
      return { protocol: PROTOCOL_VERSION, build: BUILD, capabilities: ['diagnostics'] };
    },
    newSession: () => {
      const session = this.#adopt(this.#store.create({ cwd: this.#options.cwd }));
      const path = session.manager.getPath();
      return { sessionId: session.id, ...(path ? { path } : {}) };
    },
    openSession: ({ session }) => this.#open(session),
    switchThread: async ({ threadId }) => {
      const opened = await this.#open(threadId);
      const left = this.#thread === undefined ? undefined : this.#sessions.get(this.#thread);
      if (left && left.id !== opened.sessionId) this.#planner.discard(left, 'Another thread was opened.');
      this.#thread = opened.sessionId;
      return opened;
    },
    closeSession: async ({ sessionId }) => {
      const session = this.#session(sessionId);
      await this.#close(session);
      this.#sessions.delete(sessionId);
      return {};
    },
    subscribe: ({ sessionId, sinceSeq }) => {
      const snapshot = this.#session(sessionId).snapshot(sinceSeq);
      void this.#followModes();
      return snapshot;
    },
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
    respond: async ({ sessionId, requestId, value, text, by }) => {
      const session = this.#writable(sessionId);
      // Stored first: where that fails the question stays open.
      if (value === TRUST && session.openRequests().some(({ id, kind }) => id === requestId && kind === 'trust')) {
        await this.#trust.grant();
        void this.#followModes();
      }
      await this.#answer(session, { requestId, value, by, text });
      return {};
    },
    takeBackQueued: ({ sessionId }) => {
      const prompt = this.#session(sessionId).takeBackQueued();
      return prompt ? { text: prompt.text } : {};
    },
    listCommands: ({ sessionId }) => ({ commands: this.#commands(sessionId).listWithOutput() }),
    stopCommand: async ({ sessionId, id }) => ({ command: await this.#commands(sessionId).stop(id) }),
    approvePlan: ({ sessionId, requestId }) => this.#answerPlan(sessionId, requestId, 'approve'),
    rejectPlan: ({ sessionId, requestId, feedback }) => this.#answerPlan(sessionId, requestId, 'reject', feedback),
    continueLoop: ({ sessionId, requestId, more }) => {
      const value = more === 0 ? 'stop' : 'continue';
      const { face } = this.#options;
      this.#writable(sessionId).respond(requestId, value, face, more ? String(more) : undefined, 'loop_limit');
      return {};
    },
    setMode: async ({ sessionId, mode }) => {
      const { name } = await this.#modes.find(mode);
      this.#writable(sessionId).append({ type: 'mode_change', mode: name });
      return { mode: name };
    },
    setModel: async ({ sessionId, model }) => {
      const { provider, modelId } = await this.#providers.resolve(model);
      this.#writable(sessionId).append({ type: 'model_change', provider, modelId, chosen: true });
      return { model: `${provider}/${modelId}` };
    },
    describeModel: async ({ model }) => {
      this.#services.configuration = await this.#settings.load();
      return this.#providers.describe(model ?? this.#providers.defaultModel());
    },
    listChoices: async () => {
      const { modes } = await this.#modes.list();
      const chosen = modes.filter(({ selectable }) => selectable);
      return {
        models: await this.#providers.choices(),
        modes: chosen.map(({ name, description }) => ({ name, description })),
      };
    },
    listModes: () => this.#modes.list(),
    listConfigProblems: async () => {
      const { problems, closed, values } = await this.#settings.load();
      await this.#modes.load();
      return {
        problems: [...problems, ...this.#modes.problems],
        ...(closed ? { closed } : {}),
        sandbox: values.sandbox,
      };
    },
    describeTrust: () => describeTrust(this.#trust),
    askTrust: async ({ sessionId }) => {
      const session = this.#writable(sessionId);
      this.#trust.refresh();
      return this.#trust.trusted ? {} : { requestId: session.pose(await trustRequest(this.#trust)).id };
    },
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
    restoreFile: ({ sessionId, path, merge }) => this.#changes.restoreFile(this.#writable(sessionId), path, merge),
    keepFile: ({ sessionId, path }) => this.#changes.keep(this.#writable(sessionId), path),
    undoMessage: ({ sessionId, messageId, merge }) =>
      this.#changes.undoMessage(this.#writable(sessionId), messageId, merge),
    redo: ({ sessionId, merge }) => this.#changes.redo(this.#writable(sessionId), merge),
    listChanges: ({ sessionId }) => this.#changes.list(this.#session(sessionId)),
    showChanges: ({ sessionId, path }) => this.#changes.show(this.#session(sessionId), path),
    listSessions: async ({ everywhere }) => ({
      sessions: await this.#store.list(everywhere ? { everywhere } : { cwd: this.#options.cwd }),
    }),
    readSession: ({ session }) => this.#stored.read(session),
    searchSessions: ({ query, everywhere, limit }) => this.#stored.search(query, everywhere === true, limit),
    exportSession: ({ session, format }) => this.#stored.export(session, format),
    renameSession: ({ session, name }) => this.#stored.rename(session, name),
    deleteSession: ({ session }) => this.#stored.putAway(session),
    restoreSession: ({ session }) => this.#stored.takeBack(session),
    ...languageHandlers({
      prepare: () => this.#readConfiguration(),
      reach: () => this.#services.languageReach(),
      host: this.#wireDiagnostics,
      signal: this.#ended.signal,
    }),
    ...stagedHandlers({
      session: (id) => this.#session(id),
      writable: (id) => this.#writable(id),
      staged: (session) => this.#services.forSession(session).staged,
      now: () => this.#clock.now(),
    }),
    listRules: async () => ({ files: await this.#rules.list() }),
    explainCommand: async ({ command, cwd }) => {
      const notes = await this.#readConfiguration();
      const { decision, parts } = await this.#explainer().explain(command, cwd);
      return { decision, parts, notes };
    },
  };

  /** @returns what a person should know of it and was not told yet. */
  async #readConfiguration(): Promise<string[]> {
    const settings = await this.#settings.load();
    this.#services.configuration = settings;
    const fresh = this.#settingsNews.of(settings.problems);
    if (settings.closed && fresh.length > 0) fresh.push('Until the settings are mended nothing runs without asking.');
    return [...(await this.#trustNews()), ...fresh, ...this.#modeNews.of(this.#modes.problems)];
  }

  /** What a person should know of trust where nobody asks them about it. Once. */
  async #trustNews(): Promise<string[]> {
    const { trusted, problem } = this.#trust;
    if (this.#toldTrust || trusted) return [];
    this.#toldTrust = true;
    const note = this.#options.asks === 'wait' ? undefined : await untrustedNote(this.#trust);
    return [problem, note].filter((text) => text !== undefined);
  }

  /** From the time that a face is attached on, tells it of mode files that come to be faulty (IDE-38). */
  async #followModes(): Promise<void> {
    if (!this.#options.watch) return;
    const tell = (): void => {
      for (const message of this.#modeNews.of(this.#modes.problems)) {
        for (const session of this.#sessions.values()) {
          session.emit({ type: 'DiagnosticReported', level: 'warning', message });
        }
      }
    };
    await this.#modes.watch(tell);
    await this.#modes.load();
    tell();
  }

  #explainer(): CommandExplainer {
    const { autoApprove = false, asks, beforeToolCall } = this.#options;
    return new CommandExplainer({
      judges: this.#services,
      commands: this.#services.commands,
      mode: this.#modes.get('agent'),
      around: { autoApprove, interactive: asks === 'wait', ...(beforeToolCall ? { beforeToolCall } : {}) },
    });
  }

  async #open(name: string): Promise<CommandResults['openSession']> {
    const known = this.#sessions.get(name);
    const session = known ?? this.#adopt(await this.#store.open(name, this.#options.cwd));
    const { manager } = session;
    const path = manager.getPath();
    // A run that was cut off may have changed files that its log does not tell of.
    if (!manager.readOnly && !session.running && taskState(session.path())?.ended === false) {
      await this.#changes.reconcile(session);
    }
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
      secrets: this.#secrets,
      now: () => this.#clock.now(),
      newId: () => this.#options.randomHex?.(4) ?? randomHex(4),
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  async #close(session: AgentSession): Promise<void> {
    await session.close(() => this.#services.endSession(session));
  }

  #commands(sessionId: string): SessionServices['background'] {
    return this.#services.forSession(this.#session(sessionId)).background;
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

  /** An answer to a question; one to a plan is given with the plan as it is on disk. */
  async #answer(
    session: AgentSession,
    {
      requestId,
      value,
      by,
      text,
    }: { requestId: string | undefined; value: string; by: string; text: string | undefined },
  ): Promise<void> {
    const pending = pendingPlan(session.path());
    if (!pending || (requestId ?? pending.id) !== pending.id) return session.respond(requestId, value, by, text);
    await this.#planner.answer(session, pending, { value, by, ...(text ? { text } : {}) });
    // The loop does not wait for a plan: where a face is attached, its answer sets it going again.
    if (this.#options.asks === 'wait') await this.#agent.resumeTask(session);
  }

  /** Answers the plan and lets the session go on with what the answer means. */
  async #answerPlan(
    sessionId: string,
    requestId: string | undefined,
    value: string,
    text?: string,
  ): Promise<Record<string, never>> {
    const session = this.#writable(sessionId);
    const pending = pendingPlan(session.path());
    if (pending && (requestId ?? pending.id) === pending.id) {
      await this.#planner.answer(session, pending, { value, by: this.#options.face, ...(text ? { text } : {}) });
      await this.#agent.resumeTask(session);
    } else session.respond(requestId, value, this.#options.face, text, 'plan');
    return {};
  }
}

function randomHex(bytes: number): string {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}

/** What a planner is shown of the repository, in tokens, and how long it waits for that, in milliseconds. */
const MAP_TOKENS = 1_000;
const MAP_PATIENCE_MS = 2_000;

/** Told in `hello`; a bundle replaces it with its own version. */
const BUILD = '0.1.0';
