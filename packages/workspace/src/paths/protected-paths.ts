import type { PathMark } from './resolved-path.ts';

interface Rule {
  why: string;
  /** Matched against `/` + the folded segments joined by `/`. */
  pattern: RegExp;
}

const RULES: readonly Rule[] = [
  { why: 'git internals', pattern: /\/\.git(\/|$)|\/\.git(modules|attributes|config)$/ },
  { why: 'git hooks', pattern: /\/\.(husky|githooks|git-hooks|lefthook|overcommit)(\/|$)/ },
  {
    why: 'git hooks',
    pattern: /\/(\.pre-commit-config\.ya?ml|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.overcommit\.yml)$/,
  },
  { why: "the editor's configuration", pattern: /\/\.(vscode|vscode-insiders|idea|zed|fleet|vs|nova|theia)(\/|$)/ },
  { why: "the editor's configuration", pattern: /\.(code-workspace|sublime-project)$|\/\.devcontainer(\.json|\/|$)/ },
  {
    why: 'a file that an editor or shell runs on opening',
    pattern: /\/\.(exrc|vimrc|nvimrc|nvim\.lua|lvimrc|dir-locals\.el|envrc)$/,
  },
  {
    why: "the agent's configuration",
    pattern: /\/\.agents(\/(modes|skills|extensions|hooks|hooks\.json|mcp\.json|settings\.json)(\/|$)|$)/,
  },
  { why: "the agent's configuration", pattern: /\/\.mcp\.json$/ },
  {
    why: "another agent's configuration",
    pattern: /\/\.(claude|codex|cursor|gemini|roo|windsurf|continue|kiro|opencode)(\/|$)/,
  },
  { why: 'continuous integration', pattern: /\/\.(github|gitea|forgejo)\/(workflows|actions)(\/|$)/ },
  {
    why: 'continuous integration',
    pattern: /\/\.(circleci|buildkite|woodpecker|teamcity|semaphore|azure-pipelines|ci)(\/|$)/,
  },
  {
    why: 'continuous integration',
    pattern:
      /\/(\.gitlab-ci|\.travis|\.?appveyor|\.drone|\.woodpecker|\.cirrus|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|wercker)\.ya?ml$/,
  },
  { why: 'continuous integration', pattern: /\/jenkinsfile$/ },
];

const NOTICES: readonly Rule[] = [
  { why: 'its scripts run with npm', pattern: /\/package\.json$/ },
  { why: 'its recipes run with the build', pattern: /\/((gnu)?makefile|justfile|rakefile|taskfile\.ya?ml)$/ },
];

/** What the agent may write below `.blackide/`; everything else there is configuration, also what does not exist yet. */
const OWN_WRITABLE = /^(knowledge|mindmap|plans?|artifacts)(\/|$)|^(features_plan|overview|plan)\.md$/;
const OWN_FOLDER = /\/\.blackide(?=\/|$)/g;

/** Short names that NTFS keeps beside the long ones. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  git: '.git',
  blacki: '.blackide',
  vscode: '.vscode',
  github: '.github',
  agents: '.agents',
  husky: '.husky',
  idea: '.idea',
  'mcp.jso': '.mcp.json',
};

/**
 * Says whether a path below a root is one that tools may not write without asking (IDE-53): git internals at any depth,
 * hooks, configuration of agents and editors, CI. Judged by spelling alone, so that it holds for what does not exist
 * yet, and folded as the most forgiving file systems do: case, Unicode composition, ignorable characters, trailing dots
 * and spaces, streams, short names.
 *
 * @param relative path below the root, with `/` or `\` between its segments
 */
export function protectedPath(relative: string): PathMark | undefined {
  const folded = foldPath(relative);
  for (const { index, 0: folder } of folded.matchAll(OWN_FOLDER)) {
    if (!OWN_WRITABLE.test(folded.slice(index + folder.length + 1))) return { why: "the agent's configuration" };
  }
  return markOf(RULES, folded);
}

/** Says whether a write there deserves a warning, because ordinary commands run what it contains. */
export function noticedPath(relative: string): PathMark | undefined {
  return markOf(NOTICES, foldPath(relative));
}

function markOf(rules: readonly Rule[], folded: string): PathMark | undefined {
  const rule = rules.find(({ pattern }) => pattern.test(folded));
  return rule && { why: rule.why };
}

function foldPath(relative: string): string {
  return relative
    .split(/[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => `/${foldSegment(segment)}`)
    .join('');
}

/** The form in which two names compare that some file system may take for the same. */
function foldSegment(segment: string): string {
  const folded = segment
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
  const short = /^(.+)~\d+$/.exec(folded);
  return (short?.[1] !== undefined && SHORT_NAMES[short[1]]) || folded;
}
