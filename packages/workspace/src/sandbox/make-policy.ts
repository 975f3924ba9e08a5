import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPathOf } from '../stores/real-path.ts';
import { cachesOfEnvironment, homeView, programFolders, SHIMS, secretsOfHome } from './home-view.ts';
import { hiddenSockets } from './open-sockets.ts';
import { pathKind } from './path-kind.ts';
import type { PrivateFolders } from './private-folders.ts';
import { isInside, type SandboxPolicy, type SandboxRule } from './sandbox-policy.ts';

export interface PolicyFacts {
  /** Real path of the workspace. */
  root: string;
  /** Real path of the person's home, where there is one. */
  home: string | undefined;
  stateHome: string;
  env: Readonly<Record<string, string | undefined>>;
  folders: Pick<PrivateFolders, 'temporary' | 'home' | 'filtered'>;
  /** What may be done in the workspace, and in the repository around it. */
  workspace: readonly SandboxRule[];
  /** Never seen, wherever they lie. */
  mask: readonly string[];
  /** Folders of our own, to be seen all the same. */
  readable: readonly string[];
  /** Programs that have to be found. */
  programs: readonly string[];
}

const SECRETS_OF_SYSTEM = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers'];

/** What a command sees of this machine, as it is now: the workspace, private folders, the home, and nothing secret. */
export function makePolicy(facts: PolicyFacts): SandboxPolicy {
  const { root, home, env, folders, mask, readable } = facts;
  const ourHome = realPathOf(facts.stateHome);
  const hidden = [ourHome, ...mask, ...SECRETS_OF_SYSTEM].map(realPathOf).filter((path) => path !== root);
  const rules: SandboxRule[] = [
    ...['/tmp', '/var/tmp']
      .filter((path) => pathKind(path) === 'folder' && !isInside(path, root))
      .flatMap((path): SandboxRule[] => [
        { access: 'private', path, from: folders.temporary, writable: true },
        ...programsBelow(path, facts, hidden),
      ]),
    ...otherHomes(facts).flatMap((path): SandboxRule[] => [
      { access: 'none', path, kind: 'folder' },
      ...programsBelow(path, facts, hidden),
    ]),
    ...cachesOfEnvironment(env, [root, home ?? root, ourHome]),
    ...facts.workspace,
    ...hidden.filter((path) => path !== home).flatMap(masked),
    ...readable.filter((path) => pathKind(path) === 'folder').map((path): SandboxRule => ({ access: 'read', path })),
  ];
  const withoutSockets = (all: SandboxRule[]): SandboxPolicy => ({ rules: [...all, ...hiddenSockets(all, root)] });
  if (home === undefined || home === '/') return withoutSockets(rules);
  if (isInside(home, root)) return withoutSockets([...rules, ...secretsOfHome(home)]);
  const { filtered, home: privateHome } = folders;
  const view = homeView({ home, env, privateHome, filtered, programs: facts.programs });
  const writable = new Set(rules.filter(({ access }) => access === 'write').map(({ path }) => path));
  // The workspace often lies in the home, and the PATH may lead into it: what is said of it counts.
  const isOurs = (path: string): boolean =>
    isInside(path, root) || writable.has(path) || hidden.some((each) => isInside(path, each));
  return withoutSockets([...rules, ...view.filter(({ path }) => path === home || !isOurs(path))]);
}

/** Where others live. A home that is reached through a link in there has to be found by its name. */
function otherHomes({ root, home, env }: PolicyFacts): string[] {
  const given = env.HOME ?? home ?? '/';
  return ['/home', '/root'].filter(
    (path) => pathKind(path) === 'folder' && !isInside(path, root) && (home === given || !isInside(given, path)),
  );
}

/**
 * Programs of the PATH, and our own, that lie in another home, as they do where HOME is set to a folder made for the
 * purpose, or in a temporary folder, as where something is tried out.
 */
function programsBelow(above: string, { env, programs, root }: PolicyFacts, hidden: readonly string[]): SandboxRule[] {
  const named = [...(env.PATH ?? '').split(':'), env.RUSTUP_HOME, env.NVM_DIR, env.PYENV_ROOT, env.JAVA_HOME];
  const inside = [...named, ...programs.map((program) => dirname(program))].filter(
    (path) => path !== undefined && isInside(path, above) && !isInside(path, root),
  ) as string[];
  const owners = new Set(inside.map((path) => (above === '/home' ? path.split('/').slice(0, 3).join('/') : above)));
  // Whoever installs something writes shims anew, and fails where that is forbidden.
  const hasShims = (folder: string, home: string): boolean =>
    SHIMS.map((name) => join(home, name)).some((shims) => isInside(shims, folder) || isInside(folder, shims));
  return [...owners]
    .flatMap((home) =>
      programFolders({ home, env: { PATH: inside.join(':') } }).filter((folder) => !hasShims(folder, home)),
    )
    .filter((path) => pathKind(path) === 'folder' && isReadable(path))
    .filter((path) => !hidden.some((each) => isInside(path, each) || isInside(each, path)))
    .map((path): SandboxRule => ({ access: 'read', path }));
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    // It is for its owner alone.
    return false;
  }
}

function masked(path: string): SandboxRule[] {
  const kind = pathKind(path);
  if (kind === undefined || path === '/') return [];
  return [{ access: 'none', path, kind: kind === 'folder' ? 'folder' : 'file' }];
}
