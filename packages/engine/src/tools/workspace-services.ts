import { BlackError, isRecord, type MessageEntry } from '@black-ide/protocol';
import {
  ChangeJournal,
  ChangeSet,
  CommandPolicy,
  cleanEnvironment,
  DiskDocuments,
  type Documents,
  PathGuard,
  ProcessRegistry,
  ReadLedger,
  type ResolvedPath,
  workspaceKey,
} from '@black-ide/workspace';
import type { EngineOptions } from '../engine-api.ts';
import type { Judges } from '../loop/gather-facts.ts';
import type { CommandFact, PathFact } from '../permissions/facts.ts';
import type { AgentSession } from '../session/agent-session.ts';

/** What the tools of one session reach. */
export interface SessionServices {
  readonly root: string;
  readonly documents: Documents;
  readonly processes: ProcessRegistry;
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /** Which version of which file this session has seen. */
  readonly ledger: ReadLedger;
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
  #policy: Promise<CommandPolicy> | undefined;
  #prepared: Promise<string[]> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#guard = new PathGuard({ root: options.cwd, withhold: [`${options.home}/keys.json`] });
    const state = `${options.home}/journal/${workspaceKey(options.cwd)}`;
    this.#journal = new ChangeJournal({ folder: state });
    this.#processes = new ProcessRegistry({ stateFolder: options.home, env: options.env });
    this.#environment = cleanEnvironment(options.env);
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

  async command(command: string): Promise<CommandFact> {
    this.#policy ??= CommandPolicy.create();
    const policy = await this.#policy;
    const home = this.#options.env.HOME ?? '/';
    const { stage, rule, why } = await policy.decide(command, { cwd: this.#guard.root, home, env: this.#environment });
    return { by: stage === 'ask' || stage === 'auto-approve' ? 'none' : stage, rule, why };
  }

  forSession(session: AgentSession): SessionServices {
    let services = this.#sessions.get(session);
    if (!services) {
      services = {
        root: this.#guard.root,
        documents: this.#documents,
        processes: this.#processes,
        commandEnvironment: this.#environment,
        ledger: ledgerOf(session),
        outputFolder: session.manager.getPath()?.replace(/\.jsonl$/, '.d'),
        resolve: (path, access) => this.#resolve(path, access),
        changeSet: () => new ChangeSet({ guard: this.#guard, journal: this.#journal }),
      };
      this.#sessions.set(session, services);
    }
    return services;
  }

  async dispose(): Promise<void> {
    await this.#processes.dispose();
    (await this.#policy)?.dispose();
  }

  async #settle(): Promise<string[]> {
    const swept = await this.#processes.sweepOrphans();
    const recovered = await this.#journal.recover();
    const notes = recovered.map(
      ({ outcome, files }) => `A change set of a killed run is ${outcome}: ${files.join(', ')}.`,
    );
    if (swept.processes > 0) notes.push(`Ended ${swept.processes} process(es) that a killed run had left.`);
    return notes;
  }

  #resolve(path: string, access: 'read' | 'write'): ResolvedPath {
    const resolved = this.#guard.resolve(path, access);
    if (resolved.ok) return resolved;
    throw new BlackError(resolved.code, resolved.message, resolved.next);
  }
}

/** What the session's own log says it has seen: the `file` of its results' details, oldest first. */
function ledgerOf(session: AgentSession): ReadLedger {
  const ledger = new ReadLedger();
  for (const entry of session.path()) {
    if (entry.type !== 'message') continue;
    const { message } = entry as MessageEntry;
    if (message?.role !== 'toolResult' || !isRecord(message.details)) continue;
    const { file } = message.details;
    if (isRecord(file) && typeof file.path === 'string' && typeof file.version === 'string') {
      ledger.record({ path: file.path, version: file.version });
    }
  }
  return ledger;
}
