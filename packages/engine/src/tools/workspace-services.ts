import { BlackError, isRecord, type MessageEntry } from '@black-ide/protocol';
import {
  BackgroundCommands,
  ChangeJournal,
  ChangeSet,
  CommandPolicy,
  cleanEnvironment,
  DiskDocuments,
  type Documents,
  isPlainLine,
  PathGuard,
  ProcessRegistry,
  ReadLedger,
  type ResolvedPath,
  Sandbox,
  type SandboxLaunch,
  type SandboxStatus,
  sweepLeftovers,
  sweepPrivateFolders,
  workspaceKey,
} from '@black-ide/workspace';
import { systemClock } from '../clock.ts';
import type { EngineOptions } from '../engine-api.ts';
import type { Judges } from '../loop/gather-facts.ts';
import type { CommandFact, PathFact } from '../permissions/facts.ts';
import { sandboxSettings } from '../permissions/sandbox-settings.ts';
import { RulesReader } from '../rules/rules-reader.ts';
import type { AgentSession } from '../session/agent-session.ts';
import { checkUrl } from '../web/check-url.ts';
import type { WebClient } from '../web/web-client.ts';

/** What the tools of one session reach. */
export interface SessionServices {
  readonly root: string;
  readonly documents: Documents;
  readonly processes: ProcessRegistry;
  /** The commands that this session runs beside the conversation. */
  readonly background: BackgroundCommands;
  /** Fetches from the public web; `search` may reach the search server that the environment names, too. */
  web(purpose: 'pages' | 'search'): Promise<WebClient>;
  /** Where the keys of search services are. */
  readonly webEnvironment: Readonly<Record<string, string | undefined>>;
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /**
   * How a command starts contained; undefined where there is no sandbox. With `readOnly` nothing in the workspace can be
   * changed, whatever the command is.
   */
  contain(options: {
    cwd: string;
    background?: boolean;
    readOnly?: boolean;
  }): Promise<(() => Promise<SandboxLaunch>) | undefined>;
  sandboxStatus(): Promise<SandboxStatus>;
  /** Which version of which file this session has seen. */
  readonly ledger: ReadLedger;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Where this session's large outputs go; undefined in memory. */
  readonly outputFolder: string | undefined;
  /** @throws BlackError where the guard refuses. The gate has asked it before; a link may have moved since. */
  resolve(path: string, access: 'read' | 'write'): ResolvedPath;
  changeSet(): ChangeSet;
}

/**
 * The disk and the shell as one engine's tools see them, each part made at its first use: a run that runs no command
 * loads no shell parser.
 */
export class WorkspaceServices implements Judges {
  readonly #options: EngineOptions;
  readonly #guard: PathGuard;
  readonly #journal: ChangeJournal;
  readonly #documents = new DiskDocuments();
  readonly #processes: ProcessRegistry;
  readonly #environment: Record<string, string>;
  readonly #sessions = new WeakMap<AgentSession, SessionServices>();
  readonly #now: () => number;
  #policy: Promise<CommandPolicy> | undefined;
  #prepared: Promise<string[]> | undefined;
  #sandbox: Sandbox | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#now = () => (options.clock ?? systemClock).now();
    this.#guard = new PathGuard({
      root: options.cwd,
      withhold: [`${options.home}/keys.json`],
      protect: [options.home],
    });
    const state = `${options.home}/journal/${workspaceKey(options.cwd)}`;
    this.#journal = new ChangeJournal({ folder: state });
    this.#processes = new ProcessRegistry({ stateFolder: options.home, env: options.env });
    this.#environment = { ...cleanEnvironment(options.env), ...GIT_GUARD };
  }

  /**
   * Settles what a killed process left behind: change sets half way to the disk, commands that still run. Once.
   * @returns what a person should know, one sentence each.
   */
  prepare(): Promise<string[]> {
    this.#prepared ??= this.#settle();
    return this.#prepared;
  }

  path(path: string, access: 'read' | 'write'): PathFact {
    const resolved = this.#guard.resolve(path, access);
    if (!resolved.ok) return { ok: false, why: `${resolved.message} ${resolved.next}` };
    return {
      ok: true,
      ...(resolved.protected ? { protected: `${resolved.relative}: ${resolved.protected.why}.` } : {}),
    };
  }

  url(url: string): PathFact {
    const checked = checkUrl(url, this.#options.webAllowance);
    return checked.ok ? { ok: true } : { ok: false, why: `${url.slice(0, 200)} is not fetched: ${checked.why}.` };
  }

  async command(command: string, folder?: string, unsandboxed = false): Promise<CommandFact> {
    const [fact, status] = await Promise.all([this.#judge(command, folder), this.#box().status()]);
    if (!status.active) return { ...fact, unsandboxed: status.why };
    return unsandboxed ? { ...fact, unsandboxed: 'the call asks for it', leavesSandbox: true } : fact;
  }

  async #judge(command: string, folder: string | undefined): Promise<CommandFact> {
    this.#policy ??= CommandPolicy.create();
    const policy = await this.#policy;
    const home = this.#options.env.HOME ?? '/';
    const { root } = this.#guard;
    const resolved = folder === undefined ? undefined : this.#guard.resolve(folder, 'read');
    const cwd = resolved?.ok ? resolved.real : root;
    const context = { cwd, home, env: this.#environment };
    const { stage, rule, why, parts } = await policy.decide(command, context);
    if (stage === 'ask' || stage === 'auto-approve') return { by: parts.length > 0 ? 'none' : 'unreadable', rule, why };
    if (stage !== 'read-only') return { by: stage, rule, why };
    // Whoever misreads a shell misreads it in one way: three readings have to agree, and not in a folder of its own choice.
    const agreed = cwd === root && isPlainLine(command, root) && (await policy.provablyReadOnly(command, context));
    return agreed
      ? { by: stage, rule, why }
      : { by: 'none', rule: 'not-plain', why: 'It is not written plainly enough to run unasked.' };
  }

  forSession(session: AgentSession): SessionServices {
    let services = this.#sessions.get(session);
    if (!services) {
      const outputFolder = session.manager.getPath()?.replace(/\.jsonl$/, '.d');
      services = {
        root: this.#guard.root,
        documents: this.#documents,
        processes: this.#processes,
        background: new BackgroundCommands({
          processes: this.#processes,
          now: () => this.#now(),
          onChange: (commands) => session.emit({ type: 'BackgroundChanged', commands }),
        }),
        now: () => this.#now(),
        web: (purpose) => this.#web(purpose),
        webEnvironment: this.#options.env,
        commandEnvironment: this.#environment,
        contain: (options) => this.#contain(options, outputFolder),
        sandboxStatus: () => this.#box().status(),
        ledger: ledgerOf(session),
        outputFolder,
        resolve: (path, access) => this.#resolve(path, access),
        changeSet: () => new ChangeSet({ guard: this.#guard, journal: this.#journal }),
      };
      this.#sessions.set(session, services);
    }
    return services;
  }

  /** Reads the files of standing rules, as the tools see the workspace. */
  rulesReader(): RulesReader {
    const { cwd, home } = this.#options;
    return new RulesReader({ root: cwd, home, documents: this.#documents });
  }

  /** Ends the session's background commands that were started at this time or later. */
  async endCommands(session: AgentSession, since: number): Promise<void> {
    await this.#sessions.get(session)?.background.stopAll(since);
  }

  /** Ends what the session has started; for when it is closed. */
  async endSession(session: AgentSession): Promise<void> {
    await this.#sessions.get(session)?.background.dispose();
  }

  async dispose(): Promise<void> {
    await this.#processes.dispose();
    this.#sandbox?.dispose();
    (await this.#policy)?.dispose();
  }

  async #settle(): Promise<string[]> {
    const untidy = this.#sweepLeftovers();
    const swept = await this.#processes.sweepOrphans();
    const recovered = await this.#journal.recover();
    const notes = recovered.map(
      ({ outcome, files }) => `A change set of a killed run is ${outcome}: ${files.join(', ')}.`,
    );
    if (untidy) notes.push(untidy);
    if (swept.processes > 0) notes.push(`Ended ${swept.processes} process(es) that a killed run had left.`);
    return notes;
  }

  #box(): Sandbox {
    const { cwd, home, env, sandbox } = this.#options;
    this.#sandbox ??= new Sandbox({
      root: cwd,
      stateHome: home,
      env,
      now: this.#now,
      ...sandboxSettings(home),
      ...sandbox,
    });
    return this.#sandbox;
  }

  async #contain(
    options: { cwd: string; background?: boolean; readOnly?: boolean },
    outputFolder: string | undefined,
  ): Promise<(() => Promise<SandboxLaunch>) | undefined> {
    const { active } = await this.#box().status();
    if (!active) return undefined;
    const readable = outputFolder === undefined ? [] : [outputFolder];
    return () => this.#box().contain({ ...options, env: this.#environment, readable });
  }

  async #web(purpose: 'pages' | 'search'): Promise<WebClient> {
    const { WebClient: Client } = await import('../web/web-client.ts');
    const { webAllowance, env } = this.#options;
    const searxng = purpose === 'search' ? URL.parse(env.SEARXNG_URL ?? '')?.origin : undefined;
    const isAllowed = (url: URL) => (searxng !== undefined && url.origin === searxng) || webAllowance?.(url) === true;
    return new Client({ isAllowed });
  }

  /** @returns why it could not be done: no reason not to work. */
  #sweepLeftovers(): string | undefined {
    const { home, inMemory, clock = systemClock } = this.#options;
    if (inMemory) return undefined;
    try {
      sweepPrivateFolders(home, clock.now());
      sweepLeftovers({ home, now: clock.now() });
      return undefined;
    } catch (cause) {
      return `What a killed run left in ${home} could not be removed: ${BlackError.toValue(cause).message}`;
    }
  }

  #resolve(path: string, access: 'read' | 'write'): ResolvedPath {
    const resolved = this.#guard.resolve(path, access);
    if (resolved.ok) return resolved;
    throw new BlackError(resolved.code, resolved.message, resolved.next);
  }
}

/**
 * A folder that only looks like a repository, made of files that anybody may write, must not have git run programs: bare
 * repositories count only where they are named, and no file monitor is started.
 */
const GIT_GUARD = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
};

/** What the session's own log says it has seen: the `file` of its results' details, oldest first. */
function ledgerOf(session: AgentSession): ReadLedger {
  const ledger = new ReadLedger();
  for (const entry of session.path()) {
    if (entry.type !== 'message') continue;
    const { message } = entry as MessageEntry;
    if (message?.role !== 'toolResult' || !isRecord(message.details)) continue;
    const { file, files } = message.details;
    for (const each of [file, ...(Array.isArray(files) ? files.map((one) => isRecord(one) && one.file) : [])]) {
      if (isRecord(each) && typeof each.path === 'string' && typeof each.version === 'string') {
        ledger.record({ path: each.path, version: each.version });
      }
    }
  }
  return ledger;
}
