import type { EngineEvent, Entry, SessionEvent } from '@black-ide/protocol';
import { createEngine } from '../engine.ts';
import type { Engine, EngineOptions } from '../engine-api.ts';
import { SessionStore } from '../session/session-store.ts';

/** What a test makes around an engine, with the test kit: its folders, and the model. Ends with the session. */
interface Surroundings {
  home: AsyncDisposable & { path: string };
  workspace: AsyncDisposable & { path: string };
  server: { openaiUrl: string; close(): Promise<void> };
}

/** An engine against a scripted model over the real wire, with one session and everything it told. */
export class ScriptedSession<World extends Surroundings> implements AsyncDisposable {
  readonly world: World;
  readonly sessionId: string;
  readonly events: SessionEvent[] = [];
  engine: Engine;

  private constructor(world: World, engine: Engine, sessionId: string) {
    this.world = world;
    this.engine = engine;
    this.sessionId = sessionId;
    this.#listen();
  }

  static async begin<World extends Surroundings>(
    world: World,
    options: Partial<EngineOptions> = {},
  ): Promise<ScriptedSession<World>> {
    const engine = createEngine({
      cwd: world.workspace.path,
      home: world.home.path,
      env: ScriptedSession.environment(world),
      face: 'test',
      asks: 'stop',
      autoApprove: true,
      trust: true,
      ...options,
    });
    const created = await engine.execute({ type: 'newSession' });
    if (!created.ok) throw new Error(created.error.message);
    return new ScriptedSession(world, engine, created.value.sessionId);
  }

  /** Without a plan first, which only tests about planning want: they set the variable, or take it away. */
  static environment({ server }: Surroundings): Record<string, string | undefined> {
    const { PATH } = process.env;
    return { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.openaiUrl, BLACK_PLANNING: 'off', PATH };
  }

  get server(): World['server'] {
    return this.world.server;
  }

  /** Ends the engine and opens the session in another one, without any key unless the options bring one. */
  async reopen(options: Partial<EngineOptions> = {}): Promise<void> {
    await this.engine.dispose();
    const { workspace, home } = this.world;
    const own = { cwd: workspace.path, home: home.path, env: {}, face: 'test', asks: 'stop' as const, trust: true };
    this.engine = createEngine({ ...own, ...options });
    this.#listen();
    const opened = await this.engine.execute({ type: 'openSession', session: this.sessionId });
    if (!opened.ok) throw new Error(opened.error.message);
  }

  /** Does a task to its end. */
  async run(text: string, more: object = {}): Promise<void> {
    const since = this.events.length;
    const { sessionId } = this;
    const task = { type: 'startAgentTask' as const, sessionId, text, model: 'openai/mock', ...more };
    const started = await this.engine.execute(task);
    if (!started.ok) throw new Error(started.error.message);
    await this.ended(since);
  }

  /** Resolves when what runs has ended. */
  ended(since = 0): Promise<SessionEvent> {
    return this.heard((event) => event.type === 'RunningChanged' && !event.running, since);
  }

  /** The first event that matches, past or coming. */
  heard(matches: (event: SessionEvent) => boolean, since = 0): Promise<SessionEvent> {
    const known = this.events.slice(since).find(matches);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const stop = this.engine.onEvent((event: EngineEvent) => {
        if (!('sessionId' in event) || !matches(event)) return;
        stop();
        resolve(event);
      });
    });
  }

  ofType<T extends SessionEvent['type']>(type: T): (SessionEvent & { type: T })[] {
    return this.events.filter((event) => event.type === type) as (SessionEvent & { type: T })[];
  }

  /** What the disk holds once the engine has ended. */
  async stored(): Promise<{ entries: Entry[]; problems: string[] }> {
    await this.engine.dispose();
    const store = new SessionStore({ home: this.world.home.path, now: () => 0 });
    const session = await store.open(this.sessionId, this.world.workspace.path);
    const { problems } = session;
    const entries = session.getEntries();
    session.close();
    return { entries, problems };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.dispose();
    await this.world.server.close();
    await this.world.home[Symbol.asyncDispose]();
    await this.world.workspace[Symbol.asyncDispose]();
  }

  #listen(): void {
    this.engine.onEvent((event) => {
      if ('sessionId' in event) this.events.push(event);
    });
  }
}
