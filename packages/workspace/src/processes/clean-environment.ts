import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isSecretVariable } from './secret-names.ts';

export interface CleanEnvironmentOptions {
  /** Names the user wants every command to have, whatever they are; `*` at the end stands for any rest. */
  keep?: readonly string[];
  /** The program that runs us: its folder is the last place where `node` is looked for. Default: `process.execPath`. */
  node?: string;
}

/**
 * What a command is never given: variables that put code or options into programs whatever the command line says.
 * Search paths of languages (`PYTHONPATH`, `GOPATH`, `CLASSPATH`) stay, as `PATH` does; those of the system's loader do not.
 */
const NEVER = [
  // The system's loader and C library.
  'LD_*',
  'DYLD_*',
  'GCONV_PATH',
  'GETCONF_DIR',
  'HOSTALIASES',
  'LOCALDOMAIN',
  'MALLOC_TRACE',
  'RES_OPTIONS',
  'RESOLV_HOST_CONF',
  'OPENSSL_CONF',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
  // Shells: start-up files, functions and options that arrive by environment.
  'BASH_ENV',
  'ENV',
  'BASH_FUNC_*',
  'BASH_LOADABLES_PATH',
  'BASH_XTRACEFD',
  'BASHOPTS',
  'SHELLOPTS',
  'PROMPT_COMMAND',
  'PS0',
  'PS1',
  'PS2',
  'PS4',
  'CDPATH',
  'GLOBIGNORE',
  'IFS',
  'ZDOTDIR',
  'FPATH',
  'OLDPWD',
  '_',
  // Interpreters and virtual machines.
  'NODE_OPTIONS',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_COMPILE_CACHE',
  'NODE_DISABLE_COMPILE_CACHE',
  'NODE_V8_COVERAGE',
  'NODE_CHANNEL_*',
  'NODE_UNIQUE_ID',
  'BUN_OPTIONS',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'PYTHONINSPECT',
  'PYTHONBREAKPOINT',
  'PYTHONWARNINGS',
  'PERL5OPT',
  'PERL5DB',
  'RUBYOPT',
  'LUA_INIT*',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'DOTNET_STARTUP_HOOKS',
  'COR_*',
  'CORECLR_*',
  'ERL_AFLAGS',
  'ERL_FLAGS',
  'ERL_ZFLAGS',
  'R_PROFILE*',
  // Make, when we were started by it.
  'MAKEFLAGS',
  'MFLAGS',
  'GNUMAKEFLAGS',
  'MAKELEVEL',
  // Options of single programs that run others; pagers, askers and editors (set below).
  'RIPGREP_CONFIG_PATH',
  'TAR_OPTIONS',
  'RSYNC_RSH',
  'VIMINIT',
  'EXINIT',
  'LESSOPEN',
  'LESSCLOSE',
  '*ASKPASS',
  'SSH_ASKPASS_REQUIRE',
  // Colour, whatever NO_COLOR says.
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'TERM_PROGRAM*',
  // The editor that hosts us.
  'ELECTRON_*',
  'VSCODE_*',
  // Ourselves, and what is meant for our provider alone.
  'BLACK_*',
  'BLACKIDE_*',
  'ANTHROPIC_CUSTOM_HEADERS',
];

/** Of Git's own variables only those that name people and restrict; the rest redirects Git or runs programs. */
const GIT_KEPT = [
  'GIT_AUTHOR_*',
  'GIT_COMMITTER_*',
  'GIT_CEILING_DIRECTORIES',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_LFS_SKIP_SMUDGE',
  'GIT_OPTIONAL_LOCKS',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
];

/** npm says all this to the programs it starts, about the package they belong to: us, not the project. */
const FROM_NPM = ['npm_*', 'INIT_CWD', 'NODE', 'COLOR'];

/** Nobody sits in front of it: no pagers, editors, questions, colours or buffering. */
const HINTS: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GH_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_TERMINAL_PROMPT: '0',
  GH_PROMPT_DISABLED: '1',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  PYTHONUNBUFFERED: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
};

/**
 * The environment of a command: the user's own without secrets, without what would run code or redirect programs, without
 * what is ours or npm's, and with hints that nobody can answer.
 *
 * Secrets go by name and by value (see `isSecretVariable`). `LD_LIBRARY_PATH` counts as the loader's. Where npm has
 * started us, its additions to `PATH` go as well; `node` is found all the same.
 */
export function cleanEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { keep = [], node = process.execPath }: CleanEnvironmentOptions = {},
): Record<string, string> {
  const keeps = matcher(keep);
  const byNpm = env.npm_config_user_agent !== undefined || env.npm_execpath !== undefined;
  const drops = matcher(byNpm ? [...NEVER, ...FROM_NPM] : NEVER);
  const gitKeeps = matcher(GIT_KEPT);
  const cleaned: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const dropped = drops(name) || (name.startsWith('GIT_') && !gitKeeps(name)) || isSecretVariable(name, value);
    if (!dropped || keeps(name)) cleaned[name] = value;
  }
  for (const [name, value] of Object.entries(HINTS)) if (!keeps(name)) cleaned[name] = value;
  if (byNpm && cleaned.PATH !== undefined) cleaned.PATH = pathWithoutNpm(cleaned.PATH, dirname(node));
  return cleaned;
}

function pathWithoutNpm(path: string, nodeFolder: string): string {
  const folders = path.split(delimiter);
  const own = folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin$|[\\/]node-gyp-bin$/.test(folder));
  if (!own.some((folder) => isProgram(join(folder, 'node')))) own.push(nodeFolder);
  return own.join(delimiter);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be run: the question was whether it is.
    return false;
  }
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const starts = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  const ends = patterns.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1));
  return (name) =>
    exact.has(name) || starts.some((start) => name.startsWith(start)) || ends.some((end) => name.endsWith(end));
}
