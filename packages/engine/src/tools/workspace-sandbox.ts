import type { DebugSandbox } from '@black-ide/intel';
import { Sandbox, type SandboxLaunch, type SandboxOptions, type SandboxStatus } from '@black-ide/workspace';
import type { Settings } from '../settings/settings-table.ts';

export interface WorkspaceSandboxOptions {
  /** The workspace. */
  root: string;
  /** The state folder. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What a contained program is started with. */
  environment: () => Record<string, string>;
  settings: () => Pick<Settings, 'sandbox' | 'sandbox.allowedHosts'>;
  now: () => number;
  /** Goes before the settings. */
  forced?: Pick<SandboxOptions, 'off' | 'allowedHosts' | 'resolve'> | undefined;
}

export interface ContainOptions {
  cwd: string;
  background?: boolean;
  /** Nothing in the workspace can be changed, whatever the program is. */
  readOnly?: boolean;
}

/** The sandbox of one workspace as the settings have it now; what runs in one that they had before goes on in it. */
export class WorkspaceSandbox {
  readonly #options: WorkspaceSandboxOptions;
  readonly #sandboxes = new Map<string, Sandbox>();

  constructor(options: WorkspaceSandboxOptions) {
    this.#options = options;
  }

  status(): Promise<SandboxStatus> {
    return this.#current().status();
  }

  /** How a program starts contained, with folders that it may read besides; undefined where there is no sandbox. */
  async contain(
    options: ContainOptions,
    readable: readonly string[],
  ): Promise<(() => Promise<SandboxLaunch>) | undefined> {
    if (!(await this.status()).active) return undefined;
    return () => this.#current().contain({ ...options, env: this.#options.environment(), readable });
  }

  /** The same for a debugger, which has to be reached from outside. */
  async forDebugger(readable: readonly string[]): Promise<DebugSandbox | undefined> {
    const box = this.#current();
    const temporary = await box.temporary();
    if (temporary === undefined) return undefined;
    return {
      temporary,
      contain: (options) => box.contain({ ...options, background: true, readable }),
      connect: (port) => box.connect(port),
    };
  }

  /** The person's settings file, and the line that would let programs reach these hosts as well. */
  allowHosts(entries: readonly string[]): { file: string; text: string } {
    const { home, env, settings } = this.#options;
    const file = `${home}/settings.json`;
    const isInHome = env.HOME !== undefined && file.startsWith(`${env.HOME}/`);
    const all = [...new Set([...settings()['sandbox.allowedHosts'], ...entries])];
    const list = all.map((entry) => JSON.stringify(entry)).join(', ');
    return {
      file: isInHome ? `~${file.slice(env.HOME!.length)}` : file,
      text: `"sandbox.allowedHosts": [${list}]`,
    };
  }

  dispose(): void {
    for (const sandbox of this.#sandboxes.values()) sandbox.dispose();
  }

  #current(): Sandbox {
    const { root, home, env, now, settings, forced } = this.#options;
    const { sandbox: setting, 'sandbox.allowedHosts': allowedHosts } = settings();
    const key = JSON.stringify([setting, allowedHosts]);
    let found = this.#sandboxes.get(key);
    if (!found) {
      const off = setting === 'off';
      found = new Sandbox({ root, stateHome: home, env, now, off, allowedHosts, ...forced });
      this.#sandboxes.set(key, found);
    }
    return found;
  }
}
