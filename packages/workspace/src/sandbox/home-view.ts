import { accessSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { realPathOf } from '../stores/real-path.ts';
import { pathKind } from './path-kind.ts';
import { isInside, type SandboxRule } from './sandbox-policy.ts';

/** Below the home folder: what tools keep and fetch again when it is gone. Writable where it is there. */
const CACHES = [
  '.npm/_cacache',
  '.npm/_logs',
  '.npm/_npx',
  '.npm/_prebuilds',
  '.node-gyp',
  '.pnpm-store',
  '.local/share/pnpm/store',
  '.yarn/berry/cache',
  '.yarn-cache',
  '.bun/install/cache',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg',
  '.gradle/caches',
  '.gradle/wrapper',
  '.gradle/native',
  '.m2/repository',
  '.m2/wrapper',
  '.ivy2/cache',
  '.ccache',
  '.nuget/packages',
  '.pub-cache/hosted',
  '.cabal/packages',
  ...[
    ['ccache', 'sccache', 'pip', 'uv', 'pypoetry', 'pipenv', 'node', 'node-gyp', 'corepack', 'yarn', 'pnpm', 'bun'],
    ['deno', 'go-build', 'gopls', 'golangci-lint', 'typescript', 'electron', 'ms-playwright', 'puppeteer', 'Cypress'],
    ['bazel', 'bazelisk', 'coursier', 'composer', 'mypy', 'ruff', 'pre-commit', 'zig', 'huggingface', 'torch'],
  ].flatMap((names) => names.map((name) => `.cache/${name}`)),
];

/** Below the home folder: programs and their settings that hold no secrets. Readable. */
const READABLE = [
  ...['.local/bin', '.local/lib', '.local/pipx', '.local/share/pnpm', '.local/share/uv', '.local/share/virtualenv'],
  ...['.local/share/mise', '.local/share/fnm', '.local/share/pipx', '.local/share/man', '.local/opt', '.local/include'],
  ...['.nvm', '.fnm', '.volta', '.nodenv', '.npm-global', '.npm-packages', '.bun/bin', '.deno/bin', '.yarn/bin'],
  ...['.pyenv', '.rye', '.conda', '.virtualenvs', '.rbenv', '.rvm', '.gem', '.asdf', '.sdkman', '.jenv', '.jabba'],
  ...['.cargo/bin', '.cargo/env', '.rustup', '.goenv', '.gvm', '.dotnet', '.ghcup', '.cabal/bin', '.stack', '.opam'],
  ...['.elan', '.julia', '.pub-cache/bin', '.phpenv', '.composer/vendor', '.krew', '.nix-profile', '.linuxbrew'],
  ...['.config/git/ignore', '.config/git/attributes', '.gitignore', '.gitignore_global', '.gitattributes'],
  ...['.editorconfig', '.clang-format', '.config/mise', '.config/uv', '.config/ripgrep', '.hgignore', '.terminfo'],
];

/** Settings that tools need and in which people keep passwords and tokens: shown as a copy without those. */
export const FILTERED = [
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.gitconfig', '.config/git/config'],
  ...['.pip/pip.conf', '.config/pip/pip.conf', '.pypirc', '.config/pypoetry/config.toml', '.condarc', '.gemrc'],
  ...['.cargo/config.toml', '.cargo/config', '.m2/settings.xml', '.gradle/gradle.properties', '.bundle/config'],
];

/** Folders in which tools lay out small programs as they install: a copy, so that nothing of it stays. */
export const SHIMS = ['.pyenv/shims', '.rbenv/shims', '.nodenv/shims', '.goenv/shims', '.asdf/shims'];

/** Below the home folder, where all of it is writable because the workspace holds it. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.netrc', '._netrc', '.pgpass', '.my.cnf', '.pypirc'],
  ...['.password-store', '.git-credentials', '.vault-token', '.boto', '.s3cfg', '.terraform.d', '.config/gh', '.npmrc'],
  ...['.config/glab-cli', '.config/gcloud', '.config/op', '.config/doctl', '.config/hub', '.config/git/credentials'],
  ...['.config/google-chrome', '.config/chromium', '.mozilla', '.local/share/keyrings', '.config/containers'],
  ...[
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.bash_history',
    '.zsh_history',
    '.config/rclone',
    '.gem/credentials',
  ],
  ...['.m2/settings-security.xml', '.gradle/gradle.properties', '.config/JetBrains', '.config/Code', '.databrickscfg'],
  ...['.fly', '.heroku', '.config/configstore', '.config/sops', '.age', '.thunderbird', '.electrum', '.bitcoin'],
];

const SECRET_LINE =
  /(^|[^a-z])_?auth(token|entication|orization)?([^a-z]|$)|passw|passphrase|token|secret|credential|api_?key|:\/\/[^/\s]*@|helper\s*=/i;

/** Names in a home folder that no program needs. */
const SECRET_NAMES = /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)$|^(id_(rsa|dsa|ecdsa|ed25519)|credentials)/i;

/** Variables that say where a tool's cache is, and what below it is one. */
const CACHE_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  npm_config_cache: ['_cacache', '_logs', '_npx'],
  NPM_CONFIG_CACHE: ['_cacache', '_logs', '_npx'],
  PIP_CACHE_DIR: [''],
  UV_CACHE_DIR: [''],
  POETRY_CACHE_DIR: [''],
  YARN_CACHE_FOLDER: [''],
  CARGO_HOME: ['registry', 'git'],
  GOCACHE: [''],
  GOMODCACHE: [''],
  GOPATH: ['pkg'],
  GRADLE_USER_HOME: ['caches', 'wrapper', 'native'],
  CCACHE_DIR: [''],
  SCCACHE_DIR: [''],
  NUGET_PACKAGES: [''],
  DENO_DIR: [''],
};

export interface HomeViewOptions {
  /** The person's home folder: absolute. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A folder of our own that is shown as the home; what is written elsewhere in it stays there. */
  privateHome: string;
  /** Copies of `FILTERED` files and `SHIMS` by their names below the home, where there are any. */
  filtered?: ReadonlyMap<string, string>;
  /** Programs that have to be found wherever they lie, e.g. the Node that runs us. */
  programs?: readonly string[];
}

/**
 * The home folder as a command sees it: a private one, in which the known caches are the real ones, programs and
 * ordinary folders can be read, and all else that begins with a dot is missing: keys, tokens, histories, browsers.
 */
export function homeView(options: HomeViewOptions): SandboxRule[] {
  const { home, privateHome, filtered = new Map() } = options;
  const at = (name: string): string => join(home, name);
  const copied = new Set([...filtered.keys()].map(at));
  return [
    { access: 'private', path: home, from: privateHome, writable: true },
    ...visibleNames(home).map((name): SandboxRule => ({ access: 'read', path: at(name) })),
    ...[...READABLE.map(at), ...programFolders(options)]
      .filter((path) => exists(path) && !copied.has(path))
      .map(readable),
    ...[...filtered].map(
      ([name, from]): SandboxRule => ({ access: 'private', path: at(name), from, writable: SHIMS.includes(name) }),
    ),
    ...CACHES.map(at).filter(exists).map(writable),
  ];
}

/** Caches that the environment puts elsewhere, where they are there and no folder that holds more than that. */
export function cachesOfEnvironment(env: HomeViewOptions['env'], never: readonly string[]): SandboxRule[] {
  return Object.entries(CACHE_VARIABLES).flatMap(([name, parts]) => {
    const folder = env[name];
    if (!folder || !isAbsolute(folder) || folder.includes(':')) return [];
    const places = parts.map((part) => resolve(folder, part)).filter(exists);
    return places
      .map(realPathOf)
      .filter((path) => path.split('/').length > 2 && !never.some((each) => isInside(each, path)))
      .map(writable);
  });
}

/** What is taken out of a home folder that is itself (part of) a workspace. */
export function secretsOfHome(home: string): SandboxRule[] {
  return SECRETS.map((name) => join(home, name))
    .filter(exists)
    .map((path) => ({ access: 'none', path, kind: isFolder(path) ? 'folder' : 'file' }));
}

/** A setting's text without the lines that hold passwords, tokens or addresses with a password in them. */
export function withoutSecrets(text: string): string {
  return text
    .split('\n')
    .filter((line) => !SECRET_LINE.test(line))
    .join('\n');
}

/** Ordinary folders: whatever does not begin with a dot and is not named like a key. Each is a mount: files do not pay. */
function visibleNames(home: string): string[] {
  try {
    return readdirSync(home).filter(
      (name) => !name.startsWith('.') && !SECRET_NAMES.test(name) && isPlace(join(home, name)),
    );
  } catch {
    // A home that is not there, or cannot be read, has nothing to show.
    return [];
  }
}

/** The folders of the PATH below a home, each with what lies beside its `bin` where that holds no secrets. */
export function programFolders({
  home,
  env,
  programs = [],
}: Pick<HomeViewOptions, 'home' | 'env' | 'programs'>): string[] {
  const folders = [...(env.PATH ?? '').split(':'), ...programs.map((program) => dirname(program))];
  const isShown = (folder: string): boolean =>
    folder !== home && folder !== join(home, '.local') && isInside(folder, home) && !isSecretPlace(folder, home);
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => resolve(folder))
    .map((folder) => (folder.endsWith('/bin') && isShown(dirname(folder)) ? dirname(folder) : folder))
    .filter(isShown);
}

function isSecretPlace(folder: string, home: string): boolean {
  return SECRETS.some((name) => isInside(folder, join(home, name)) || isInside(join(home, name), folder));
}

const readable = (path: string): SandboxRule => ({ access: 'read', path });
const writable = (path: string): SandboxRule => ({ access: 'write', path });

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    // Not there, a broken link, or not for us: nothing to show.
    return false;
  }
}

/** A folder, or a link, perhaps to one. */
function isPlace(path: string): boolean {
  return exists(path) && ['folder', 'link'].includes(pathKind(path) ?? '');
}

function isFolder(path: string): boolean {
  return pathKind(path) === 'folder';
}
