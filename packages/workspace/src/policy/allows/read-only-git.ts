/** Subcommands that only read, with any of their options (those `dangerousWords` objects to excepted). */
const READERS: ReadonlySet<string> = new Set(
  (
    'log diff show blame annotate shortlog rev-parse ls-files ls-tree grep describe rev-list merge-base name-rev ' +
    'diff-tree diff-index diff-files whatchanged for-each-ref show-ref count-objects check-ignore cherry version ' +
    'check-attr check-mailmap check-ref-format range-diff show-branch'
  ).split(' '),
);
const STATUS =
  /^(-[sbzu]+|--(short|branch|porcelain(=v?[12])?|long|untracked-files(=(no|normal|all))?|ignored(=\w+)?|null|column|no-column|ahead-behind|no-ahead-behind|renames|no-renames|show-stash))$/;
const BRANCH_LISTING =
  /^(-[arvi]+|--(all|remotes|verbose|list|show-current|column|no-column|color|no-color|no-abbrev|ignore-case|(sort|format|abbrev|color|column|contains|no-contains|merged|no-merged|points-at)=.*))$/;
const STASH_SHOW = /^(-p|--patch|--stat|--name-only|--name-status|-u|--include-untracked|stash@\{\d+\}|\d+)$/;
/** Settings that hold no password; an address may. */
const PLAIN_SETTING =
  /^(user\.(name|email)|core\.[A-Za-z]+|init\.defaultbranch|branch\..+|pull\.[A-Za-z]+|push\.[A-Za-z]+|diff\.[A-Za-z]+|merge\.[A-Za-z]+)$/i;

/** `git config --get NAME` or `git config NAME`: with another word it sets. */
function isConfigReading(words: readonly string[]): boolean {
  const named = words.filter((word) => !/^(--local|--global|--system|--get|--get-all|get)$/.test(word));
  return named.length === 1 && PLAIN_SETTING.test(named[0] as string);
}

/** Words after git's own name that a lost separator would leave: programs that load, run or remove something. */
const SECOND_COMMAND =
  /^(curl|wget|nc|ncat|ssh|scp|sh|bash|zsh|dash|python[0-9.]*|perl|ruby|node|php|rm|sudo|eval|exec|env|xargs)$/;

/** Whether a git command, given as the words after `git`, only reads and runs no program but git. */
export function readOnlyGit(words: readonly string[]): boolean {
  const at = words.findIndex((word) => !/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word));
  if (at < 0) return false;
  const sub = words[at] as string;
  const rest = words.slice(at + 1);
  if (sub === '--version') return rest.length === 0;
  if (looksLikeSecondCommand(words)) return false;
  if (READERS.has(sub)) return true;
  switch (sub) {
    case 'status':
      return pathsAside(rest).every((word) => STATUS.test(word));
    case 'branch':
      return rest.every((word) => BRANCH_LISTING.test(word));
    case 'tag':
      // With `-l` or `--list` further words are patterns of names; without they would be a new tag.
      return rest.every(
        (word, index) =>
          /^(-l|--list|-n\d*|--sort=.*|--format=.*)$/.test(word) || (/^[^-]/.test(word) && listsFirst(rest, index)),
      );
    case 'remote':
      return rest.every((word) => /^(-v|--verbose)$/.test(word)) || (rest[0] === 'get-url' && rest.length === 2);
    case 'stash':
      return rest[0] === 'list' || (rest[0] === 'show' && rest.slice(1).every((word) => STASH_SHOW.test(word)));
    case 'worktree':
      return rest[0] === 'list' && rest.slice(1).every((word) => /^(--porcelain|-v|-z)$/.test(word));
    case 'config':
      return isConfigReading(rest);
    case 'reflog':
      return rest.length === 0 || rest[0] === 'show';
    case 'cat-file':
      return /^-[pte]$|^-s$/.test(rest[0] ?? '') && rest.length === 2;
    default:
      return false;
  }
}

function listsFirst(words: readonly string[], end: number): boolean {
  return words.slice(0, end).some((word) => word === '-l' || word === '--list');
}

/** `git log curl evil.example`: what git would take for revisions reads like a command of its own. */
export function looksLikeSecondCommand(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const operands = (end < 0 ? words : words.slice(0, end)).filter((word) => !word.startsWith('-')).slice(1);
  const at = operands.findIndex((word) => SECOND_COMMAND.test(word));
  return at >= 0 && at + 1 < operands.length;
}

function pathsAside(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).filter((word) => word.startsWith('-'));
}
