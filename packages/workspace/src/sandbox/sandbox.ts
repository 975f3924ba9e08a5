import type { Socket } from 'node:net';
import { join, relative } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { findProgram } from '../doctor/find-program.ts';
import { userHome } from '../home/state-home.ts';
import { parseHostRule } from '../network/host-rules.ts';
import type { Address } from '../network/resolve-host.ts';
import { realPathOf } from '../stores/real-path.ts';
import { bwrapArguments, enterNetwork } from './bwrap-arguments.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { GuardedState } from './guarded-state.ts';
import { makePolicy } from './make-policy.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import { makePrivateFolders, type PrivateFolders } from './private-folders.ts';
import { PrivateHome } from './private-home.ts';
import { proxyVariables } from './proxy-variables.ts';
import { isInside, type SandboxPolicy } from './sandbox-policy.ts';
import type { SandboxLaunch, SandboxReport } from './sandbox-report.ts';
import type { SandboxStatus } from './sandbox-status.ts';
import { WorkspaceGuard } from './workspace-guard.ts';

export interface SandboxOptions {
  /** The workspace: absolute, chosen by the person. */
  root: string;
  /** The state folder: never shown. */
  stateHome: string;
  /** The person's environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** The person has switched it off. */
  off?: boolean;
  /** See `parseHostRule`; what cannot be read is left out. */
  allowedHosts?: readonly string[];
  /** Further files and folders that commands never see: absolute. */
  mask?: readonly string[];
  platform?: NodeJS.Platform;
  /** How many folders of the workspace are looked at for protected files; for tests. */
  maxFolders?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Resolves host names; for tests. */
  resolve?: (host: string) => Promise<Address[]>;
}

export interface ContainOptions {
  /** Inside the workspace. */
  cwd: string;
  /** The command's environment, already cleaned. */
  env: Readonly<Record<string, string>>;
  /** Nothing in the workspace can be changed: for planning, and for what only claims to read. */
  readOnly?: boolean;
  /** It goes on beside the conversation, and a person may work in the workspace meanwhile. */
  background?: boolean;
  /** Of our own, to be seen all the same: the output of earlier commands. */
  readable?: readonly string[];
}

/**
 * The sandbox of one engine's commands: one private `/tmp` and home, one network of their own and one way out of it for
 * as long as the engine lives. Made at its first use.
 */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #root: string;
  readonly #home: string | undefined;
  readonly #guard: WorkspaceGuard;
  #status: Promise<SandboxStatus> | undefined;
  #proxy: EgressProxy | undefined;
  #network: NetworkNamespace | undefined;
  #folders: PrivateFolders | undefined;
  #written: PrivateHome | undefined;
  #disposed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#root = realPathOf(options.root);
    const home = userHome({ env: options.env, cwd: '/', ...(options.platform ? { platform: options.platform } : {}) });
    this.#home = home === undefined ? undefined : realPathOf(home);
    const git = findProgram('git', { env: options.env, workspace: this.#root });
    this.#guard = new WorkspaceGuard({
      root: this.#root,
      git,
      env: options.env,
      ...(options.maxFolders ? { maxFolders: options.maxFolders } : {}),
    });
  }

  /** Whether commands are contained: found out once, by trying. */
  status(): Promise<SandboxStatus> {
    this.#status ??= this.#begin();
    return this.#status;
  }

  /**
   * How to start a command so that it is contained.
   * @throws BlackError `sandbox_unavailable` where there is no sandbox: ask `status` first.
   */
  async contain(options: ContainOptions): Promise<SandboxLaunch> {
    const status = await this.status();
    const [network, folders] = [this.#network, this.#folders];
    if (!status.active || !network || !folders) {
      const why = status.active ? 'the session has ended' : status.why;
      throw new BlackError('sandbox_unavailable', `The command cannot be contained: ${why}.`);
    }
    const state = options.readOnly ? undefined : await this.#guard.before();
    if (state) {
      folders.note(this.#guard.ghosts);
      this.#guard.hold(state);
    }
    const policy = this.#policy(folders, state, options.readable ?? []);
    this.#written?.mounted(this.#shownInHome(policy));
    const seen = this.#proxy?.blockedCount ?? 0;
    return {
      program: status.nsenter,
      args: [...enterNetwork(status.bwrap), ...bwrapArguments(policy, { cwd: options.cwd })],
      env: { ...options.env, TMPDIR: '/tmp', ...proxyVariables(network.port, options.env) },
      descriptors: network.descriptors,
      finish: () => this.#finish(state, seen, options.background === true),
    };
  }

  /**
   * Connects to a port that a contained program listens on.
   * @throws BlackError `sandbox_unavailable`, `not_reachable`
   */
  async connect(port: number): Promise<Socket> {
    const status = await this.status();
    if (status.active && this.#network) return await this.#network.connect(status.nsenter, port);
    throw new BlackError('sandbox_unavailable', `The port ${port} is in no sandbox: there is none.`);
  }

  /** The folder that contained programs know as `/tmp`; undefined where nothing is contained. */
  async temporary(): Promise<string | undefined> {
    await this.status();
    return this.#folders?.temporary;
  }

  dispose(): void {
    this.#disposed = true;
    this.#network?.dispose();
    this.#network = undefined;
    this.#proxy?.dispose();
    this.#folders?.dispose();
    this.#folders = undefined;
  }

  async #begin(): Promise<SandboxStatus> {
    const { env, platform, off, stateHome, allowedHosts = [], resolve } = this.#options;
    if (off) return { active: false, reason: 'off', why: 'the setting `sandbox` is `off`' };
    if (this.#root === '/') return { active: false, reason: 'unsupported', why: 'the workspace is the whole disk' };
    const search = { env, workspace: this.#root, ...(platform ? { platform } : {}) };
    // Node's HTTP server is a big part of the program, and most runs need none of it.
    const [egress, opening] = await Promise.all([import('./egress-proxy.ts'), import('./open-sandbox.ts')]);
    const allowed = allowedHosts.map(parseHostRule).filter((rule) => rule !== undefined);
    const proxy = new egress.EgressProxy({ allowed, ...(resolve ? { resolve } : {}) });
    const { status, network } = await opening.openSandbox(
      search,
      (socket, port) => (port === 0 ? proxy.accept(socket) : proxy.forward(socket, port)),
      proxy.ownPorts,
    );
    if (this.#disposed) {
      network?.dispose();
      return { active: false, reason: 'off', why: 'the session has ended' };
    }
    this.#proxy = proxy;
    this.#network = network;
    if (network) {
      this.#folders = makePrivateFolders(stateHome, this.#home);
      this.#written = new PrivateHome(this.#folders.home);
    }
    return status;
  }

  #policy(folders: PrivateFolders, state: GuardedState | undefined, readable: readonly string[]): SandboxPolicy {
    const { env, stateHome, mask = [] } = this.#options;
    const root = this.#root;
    return makePolicy({
      root,
      home: this.#home,
      stateHome,
      env,
      folders,
      workspace: state ? state.rules : [{ access: 'read', path: root }],
      mask,
      readable,
      programs: [process.execPath],
    });
  }

  /** What is not the private home itself, by its name there. */
  #shownInHome({ rules }: SandboxPolicy): string[] {
    const home = this.#home;
    if (home === undefined) return [];
    return rules
      .map(({ path }) => path)
      .filter((path) => path !== home && isInside(path, home))
      .map((path) => relative(home, path));
  }

  async #finish(state: GuardedState | undefined, seen: number, background: boolean): Promise<SandboxReport> {
    const blockedHosts = this.#proxy?.blockedSince(seen) ?? [];
    // Where the session has ended the folders are gone.
    const homeWrites = this.#folders ? (this.#written?.news() ?? []).map((name) => `~/${name}`) : [];
    if (!state) return { blockedHosts, homeWrites, setAside: [], restored: [], appeared: [], unwatched: [] };
    const { stateHome, now = Date.now } = this.#options;
    const folder = join(stateHome, 'set-aside', new Date(now()).toISOString().replaceAll(/[:.]/g, '-'));
    const report = await this.#guard.after(state, folder, background);
    this.#folders?.note(this.#guard.ghosts);
    return { blockedHosts, homeWrites, ...report };
  }
}
