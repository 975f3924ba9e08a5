import { relative } from 'node:path';
import type { Embedder } from '@black-ide/intel';
import { BlackError, isRecord } from '@black-ide/protocol';
import {
  BackgroundCommands,
  ChangeJournal,
  ChangeSet,
  type CheckpointManager,
  type CommitResult,
  cleanEnvironment,
  DiskDocuments,
  type Documents,
  hasMarks,
  homeConfiguration,
  isHarmlessAnywhere,
  linkedOperand,
  PathGuard,
  type PrefixRule,
  ProcessRegistry,
  type ReadLedger,
  type ResolvedPath,
  type SandboxLaunch,
  type SandboxStatus,
  type SecretMask,
  safeSearchPath,
  workspaceKey,
} from '@black-ide/workspace';
import { checkpointData, turnMessageId } from '../changes/checkpoint-entry.ts';
import { CommandWatches, uncoveredOf } from '../changes/command-watches.ts';
import { sweepHome } from '../changes/sweep-home.ts';
import { WorkspaceCheckpoints } from '../changes/workspace-checkpoints.ts';
import { systemClock } from '../clock.ts';
import { WorkspaceCode } from '../code/workspace-code.ts';
import type { SessionDebugger } from '../debug/session-debugger.ts';
import { WorkspaceDebugging } from '../debug/workspace-debugging.ts';
import type { EngineOptions, HostDiagnostics } from '../engine-api.ts';
import type { LanguageReach } from '../languages/language-call.ts';
import { languageSettings, WorkspaceLanguages } from '../languages/workspace-languages.ts';
import type { Judges } from '../loop/gather-facts.ts';
import { type RestoredArguments, restoreSecrets } from '../loop/restore-secrets.ts';
import { appendCustom } from '../loop/session-port.ts';
import { CommandJudge } from '../permissions/command-judge.ts';
import { UNTRUSTED } from '../permissions/decide.ts';
import type { CommandFact, PathFact } from '../permissions/facts.ts';
import { RulesReader } from '../rules/rules-reader.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { EffectiveSettings } from '../settings/merge-settings.ts';
import { defaultSettings } from '../settings/settings-table.ts';
import { StagedEdits } from '../staged/staged-edits.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';
import { checkUrl } from '../web/check-url.ts';
import type { WebClient } from '../web/web-client.ts';
import { GIT_GUARD } from './git-guard.ts';
import { seenVersions } from './seen-versions.ts';
import { type ContainOptions, WorkspaceSandbox } from './workspace-sandbox.ts';

/** What the tools of one session reach. */
export interface SessionServices {
  readonly root: string;
  /** The session's id. */
  readonly threadId: string;
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
  contain(options: ContainOptions): Promise<(() => Promise<SandboxLaunch>) | undefined>;
  sandboxStatus(): Promise<SandboxStatus>;
  /** The person's settings file, and the line that would let commands reach these hosts as well. */
  allowHosts(entries: readonly string[]): { file: string; text: string };
  /** Which version of which file this session has seen. */
  readonly ledger: ReadLedger;
  /** What must not get into files that are kept with the session. */
  readonly secrets: SecretMask;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Where this session's large outputs go; undefined in memory. */
  readonly outputFolder: string | undefined;
  /** @throws BlackError where the guard refuses. The gate has asked it before; a link may have moved since. */
  resolve(path: string, access: 'read' | 'write'): ResolvedPath;
  /** Whether the guard lets a file be read. */
  mayRead(path: string): boolean;
  /** What is known of the code. */
  readonly code: WorkspaceCode;
  /** The rewrites that are prepared and not written yet. */
  readonly staged: StagedEdits;
  changeSet(): ChangeSet;
  /** Makes a change set of this session real, with all that taking it back needs. */
  commit(set: ChangeSet, callId: string, signal: AbortSignal): Promise<CommitResult>;
  /** Sees to it that what commands change can be taken back. */
  readonly watches: CommandWatches;
  readonly languages: WorkspaceLanguages;
  /** The program that this session debugs. */
  readonly debug: SessionDebugger;
}

/**
 * The disk and the shell as one engine's tools see them, each part made at its first use: a run that runs no command
 * loads no shell parser.
 */
export class WorkspaceServices implements Judges {
  readonly #options: EngineOptions;
  readonly #trust: WorkspaceTrust;
  readonly #secrets: SecretMask;
  readonly #guard: PathGuard;
  readonly #journal: ChangeJournal;
  readonly #checkpoints: WorkspaceCheckpoints;
  readonly #documents = new DiskDocuments();
  readonly #processes: ProcessRegistry;
  readonly #environment: Record<string, string>;
  readonly #commands: CommandJudge;
  readonly #code: WorkspaceCode;
  readonly #languages: WorkspaceLanguages;
  readonly #sandbox: WorkspaceSandbox;
  readonly #debugging: WorkspaceDebugging;
  readonly #sessions = new WeakMap<AgentSession, SessionServices>();
  readonly #now: () => number;
  #prepared: Promise<string[]> | undefined;

  /** The face that has offered to tell diagnostics itself. */
  host: HostDiagnostics | undefined;

  /** The settings that hold; the engine reads them anew with every task. */
  configuration: Pick<EffectiveSettings, 'values' | 'closed'> = { values: defaultSettings() };

  /** @param embedder for the setting `search.embeddings`. */
  constructor(
    options: EngineOptions,
    trust: WorkspaceTrust,
    secrets: SecretMask,
    embedder: (name: string) => Promise<Embedder | undefined>,
  ) {
    this.#options = options;
    this.#trust = trust;
    this.#secrets = secrets;
    this.#now = () => (options.clock ?? systemClock).now();
    this.#guard = new PathGuard({
      root: options.cwd,
      withhold: [`${options.home}/keys.json`],
      protect: [options.home, ...homeConfiguration(options.env, options.cwd)],
    });
    this.#checkpoints = new WorkspaceCheckpoints({
      home: options.home,
      guard: this.#guard,
      env: options.env,
      now: this.#now,
      maxBytes: () => this.configuration.values['checkpoints.maxBytes'],
    });
    const state = `${options.home}/journal/${workspaceKey(this.#guard.root)}`;
    this.#journal = new ChangeJournal({ folder: state, onUndone: this.#checkpoints.retract });
    this.#code = new WorkspaceCode({
      root: this.#guard.root,
      home: options.inMemory ? undefined : options.home,
      watch: options.watch === true,
      clock: options.clock ?? systemClock,
      onDiskChanges: (changes) => void this.#languages.foundOnDisk(changes),
      embedder: () => embedder(this.configuration.values['search.embeddings']),
    });
    this.#processes = new ProcessRegistry({ stateFolder: options.home, env: options.env });
    this.#environment = { ...cleanEnvironment(options.env), ...GIT_GUARD };
    this.#commands = new CommandJudge({
      root: this.#guard.root,
      home: options.home,
      userHome: options.env.HOME ?? '/',
      env: this.#environment,
      settings: () => {
        const { values, closed } = this.configuration;
        return {
          allow: values['commandPolicy.allow'],
          deny: values['commandPolicy.deny'],
          autoApproveTerminal: values.autoApproveTerminal,
          ...(closed === undefined ? {} : { closed }),
        };
      },
    });
    this.#sandbox = new WorkspaceSandbox({
      root: options.cwd,
      home: options.home,
      env: options.env,
      environment: () => this.#commandEnvironment(),
      settings: () => this.configuration.values,
      now: this.#now,
      forced: options.sandbox,
    });
    this.#languages = new WorkspaceLanguages({
      root: this.#guard.root,
      documents: this.#documents,
      processes: this.#processes,
      filesThatUse: (path, signal) => this.#code.filesThatUse(path, signal),
      environment: () => this.#commandEnvironment(),
      trusts: (folder) => trust.covers(folder),
      contain: ({ cwd, readable }) => this.#sandbox.contain({ cwd, readOnly: true, background: true }, readable),
      isContained: async () => (await this.#sandbox.status()).active,
      settings: () => languageSettings(this.configuration.values),
      host: () => this.host ?? options.host?.diagnostics,
    });
    this.#debugging = new WorkspaceDebugging({
      root: this.#guard.root,
      documents: this.#documents,
      processes: this.#processes,
      clock: options.clock ?? systemClock,
      environment: () => this.#commandEnvironment(),
      trusted: () => this.trusted,
      sandbox: (readable) => this.#sandbox.forDebugger(readable),
      readText: (path) => this.#readText(path),
      host: options.host?.debug,
    });
  }

  /** The workspace's language servers and diagnostics. */
  get languages(): WorkspaceLanguages {
    return this.#languages;
  }

  /** The tools that have nothing to work with in this session; the same each time. */
  async lacking(session: AgentSession): Promise<string[]> {
    const [hasServer, hasDebugger] = await Promise.all([
      this.#languages.isOffered(session),
      this.#debugging.isOffered(),
    ]);
    return [...(hasServer ? [] : ['lsp']), ...(hasDebugger ? [] : ['debug'])];
  }

  /** What a question to language servers needs, outside of any session. */
  languageReach(): LanguageReach {
    const { root } = this.#guard;
    const resolve = (path: string, access: 'read') => this.#resolve(path, access);
    return { root, documents: this.#documents, languages: this.#languages, resolve };
  }

  /**
   * Settles what a killed process left behind: change sets half way to the disk, commands that still run. Once.
   * @returns what a person should know, one sentence each.
   */
  prepare(): Promise<string[]> {
    this.#prepared ??= this.#settle();
    return this.#prepared;
  }

  /** Why nothing may run unasked; undefined: configuration is in order. */
  get closed(): string | undefined {
    return this.configuration.closed;
  }

  get trusted(): boolean {
    return this.#trust.trusted;
  }

  get documents(): Documents {
    return this.#documents;
  }

  path(path: string, access: 'read' | 'write'): PathFact {
    const resolved = this.#guard.resolve(path, access);
    if (!resolved.ok) return { ok: false, why: `${resolved.message} ${resolved.next}` };
    const { relative: given, real } = resolved;
    return {
      ok: true,
      names: [...new Set([given, relative(this.#guard.root, real).replaceAll('\\', '/')])],
      ...(resolved.protected ? { protected: `${resolved.relative}: ${resolved.protected.why}.` } : {}),
    };
  }

  url(url: string): PathFact {
    const checked = checkUrl(url, this.#options.webAllowance);
    return checked.ok ? { ok: true } : { ok: false, why: `${url.slice(0, 200)} is not fetched: ${checked.why}.` };
  }

  async command(
    command: string,
    folder?: string,
    grants?: readonly PrefixRule[],
    unsandboxed = false,
  ): Promise<CommandFact> {
    const [fact, status] = await Promise.all([this.#judge(command, folder, grants), this.#sandbox.status()]);
    if (!status.active) return { ...fact, unsandboxed: status.why };
    if (unsandboxed) return { ...fact, unsandboxed: 'the call asks for it', leavesSandbox: true };
    return { ...fact, hosts: this.configuration.values['sandbox.allowedHosts'] };
  }

  async #judge(
    command: string,
    folder: string | undefined,
    grants: readonly PrefixRule[] | undefined,
  ): Promise<CommandFact> {
    const { readOnly, ...fact } = await this.#commands.judge(command, this.folderOf(folder), grants);
    const harmless = () => isHarmlessAnywhere(command) && linkedOperand(command, this.#guard.root) === undefined;
    if (!readOnly || this.trusted || harmless()) return { ...fact, ...(readOnly ? { readOnly } : {}) };
    return {
      ...fact,
      by: 'none',
      rule: UNTRUSTED,
      why: 'What stands in the folder could make this one start programs, or lead it elsewhere by a link.',
    };
  }

  commandHint(grants: readonly PrefixRule[]): string | undefined {
    return this.#commands.hint(grants);
  }

  get autoApprovesCommands(): boolean {
    return this.#commands.autoApproves;
  }

  /** Lets commands of these rules run in this workspace from now on. */
  rememberGrants(rules: readonly PrefixRule[]): void {
    this.#commands.remember(rules);
  }

  /** Puts what a model was shown as a mark back into the arguments of a call that writes these files. */
  async restoreSecrets(args: Record<string, unknown>, paths: readonly string[]): Promise<RestoredArguments> {
    if (!hasMarks(JSON.stringify(args))) return { ok: true, args };
    const texts = await Promise.all(paths.map(async (path) => (await this.#readText(path)) ?? ''));
    return restoreSecrets(args, texts.join('\n'), this.#secrets);
  }

  /** The judge of commands, for who explains what it says. */
  get commands(): CommandJudge {
    return this.#commands;
  }

  /** What is known of the workspace's code. */
  get code(): WorkspaceCode {
    return this.#code;
  }

  forSession(session: AgentSession): SessionServices {
    const environment = () => this.#commandEnvironment();
    let services = this.#sessions.get(session);
    if (!services) {
      const watches = this.#watchesFor(session);
      const outputFolder = session.manager.getPath()?.replace(/\.jsonl$/, '.d');
      const made: SessionServices = {
        root: this.#guard.root,
        threadId: session.id,
        documents: this.#documents,
        processes: this.#processes,
        background: new BackgroundCommands({
          processes: this.#processes,
          now: () => this.#now(),
          onChange: (commands) => {
            session.emit({ type: 'BackgroundChanged', commands });
            watches.noticed(commands);
          },
        }),
        secrets: this.#secrets,
        now: () => this.#now(),
        web: (purpose) => this.#web(purpose),
        webEnvironment: this.#options.env,
        get commandEnvironment() {
          return environment();
        },
        contain: (options) => this.#sandbox.contain(options, outputFolder === undefined ? [] : [outputFolder]),
        sandboxStatus: () => this.#sandbox.status(),
        allowHosts: (entries) => this.#sandbox.allowHosts(entries),
        ledger: seenVersions(session),
        outputFolder,
        resolve: (path, access) => this.#resolve(path, access),
        mayRead: (path) => this.#guard.resolve(path, 'read').ok,
        code: this.#code,
        changeSet: () => new ChangeSet({ guard: this.#guard, journal: this.#journal }),
        commit: (set, callId, signal) =>
          this.#languages.watched(session, set, signal, () => this.#commit(session, set, callId, signal)),
        watches,
        languages: this.#languages,
        debug: this.#debugging.forSession(outputFolder),
        staged: new StagedEdits(session, () => made),
      };
      services = made;
      this.#sessions.set(session, services);
    }
    return services;
  }

  /** Reads the files of standing rules, as the tools see the workspace. */
  rulesReader(): RulesReader {
    const { cwd, home } = this.#options;
    const isTrusted = (folder: string) => this.#trust.covers(folder);
    return new RulesReader({ root: cwd, home, documents: this.#documents, isTrusted });
  }

  /** Ends the session's background commands that were started at this time or later, and what it debugs since then. */
  async endCommands(session: AgentSession, since: number): Promise<void> {
    const services = this.#sessions.get(session);
    await Promise.all([services?.background.stopAll(since), services?.debug.end(since)]);
  }

  /** Ends what the session has started; for when it is closed. */
  async endSession(session: AgentSession): Promise<void> {
    const services = this.#sessions.get(session);
    await Promise.all([services?.background.dispose(), services?.debug.dispose()]);
    await services?.watches.close();
    this.#languages.close(session);
    const open = session.openRequests().map(({ payload }) => payload.staged);
    services?.staged.expire((id) => open.some((staged) => isRecord(staged) && staged.id === id));
  }

  /** The workspace's checkpoints; loaded now, where nothing has needed them before. */
  checkpoints(): Promise<CheckpointManager> {
    return this.#checkpoints.open(this.#journal);
  }

  /** Which files a command could change without a way back. */
  async notCovered(): Promise<unknown> {
    try {
      return uncoveredOf(await (await this.checkpoints()).coverage());
    } catch (cause) {
      // The question is asked all the same; the card says that nothing is sure.
      return { why: BlackError.toValue(cause).message };
    }
  }

  async dispose(): Promise<void> {
    await this.#code.dispose();
    await this.#languages.dispose();
    await this.#processes.dispose();
    await this.#checkpoints.dispose();
    this.#commands.dispose();
    this.#sandbox.dispose();
  }

  /** In a folder that is not trusted no program of its own goes by the name of one of the system's. */
  #commandEnvironment(): Record<string, string> {
    const { PATH } = this.#environment;
    if (this.trusted || PATH === undefined) return this.#environment;
    return { ...this.#environment, PATH: safeSearchPath(PATH, this.#guard.root) };
  }

  async #settle(): Promise<string[]> {
    const { home, inMemory } = this.#options;
    const untidy = inMemory ? undefined : sweepHome(home, this.#now());
    const swept = await this.#processes.sweepOrphans();
    const recovered = await this.#journal.recover();
    const notes = recovered.map(
      ({ outcome, files }) => `A change set of a killed run is ${outcome}: ${files.join(', ')}.`,
    );
    notes.push(...(await this.#checkpoints.recover(this.#journal)));
    if (untidy) notes.push(untidy);
    if (swept.processes > 0) notes.push(`Ended ${swept.processes} process(es) that a killed run had left.`);
    return notes;
  }

  async #web(purpose: 'pages' | 'search'): Promise<WebClient> {
    const { WebClient: Client } = await import('../web/web-client.ts');
    const { webAllowance, env } = this.#options;
    const searxng = purpose === 'search' ? URL.parse(env.SEARXNG_URL ?? '')?.origin : undefined;
    const isAllowed = (url: URL) => (searxng !== undefined && url.origin === searxng) || webAllowance?.(url) === true;
    return new Client({ isAllowed });
  }

  /** Where a command of this folder would run; the workspace where it names none that may be entered. */
  folderOf(folder: string | undefined): string {
    const resolved = folder === undefined ? undefined : this.#guard.resolve(folder, 'read');
    return resolved?.ok ? resolved.real : this.#guard.root;
  }

  #watchesFor(session: AgentSession): CommandWatches {
    return new CommandWatches({
      open: () => this.checkpoints(),
      sessionId: session.id,
      messageId: () => turnMessageId(session.path()),
      onCheckpoint: (checkpoint) => {
        appendCustom(session, 'checkpoint', checkpointData(checkpoint));
        void this.#languages.changedOutside(session, checkpoint.files);
      },
      onFailure: (cause) => {
        const { message } = BlackError.toValue(cause);
        session.emit({ type: 'DiagnosticReported', level: 'warning', message });
      },
    });
  }

  async #commit(session: AgentSession, set: ChangeSet, callId: string, signal: AbortSignal): Promise<CommitResult> {
    const origin = { sessionId: session.id, messageId: turnMessageId(session.path()), callId };
    const committed = await (await this.checkpoints()).commit(set, origin, signal);
    if (committed.checkpoint) appendCustom(session, 'checkpoint', checkpointData(committed.checkpoint));
    if (committed.ok) this.#code.changed(committed.changes);
    return committed;
  }

  async #readText(path: string): Promise<string | undefined> {
    const resolved = this.#guard.resolve(path, 'read');
    const read = resolved.ok ? await this.#documents.read(resolved.real) : undefined;
    return read?.ok ? (read.document.text ?? undefined) : undefined;
  }

  #resolve(path: string, access: 'read' | 'write'): ResolvedPath {
    const resolved = this.#guard.resolve(path, access);
    if (resolved.ok) return resolved;
    throw new BlackError(resolved.code, resolved.message, resolved.next);
  }
}
