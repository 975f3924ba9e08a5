import { extension } from './file-kind.ts';

/** A line that gives something its name. */
export interface Definition {
  name: string;
  /** In the language's own word where it has one: `function`, `class`, `struct`, `heading`, `key`. */
  kind: string;
  exported: boolean;
}

/** Group `kind` and `name`; `exported` where the language marks it. */
type Rule = { pattern: RegExp; kind?: string };

const NOT_NAMES = new Set(
  'if for while switch catch return function else do try with await new throw typeof super constructor sizeof elif except match when until unless and or not in defer go select case yield assert print'.split(
    ' ',
  ),
);

const SCRIPT: Rule[] = [
  {
    pattern:
      /^\s*(?<exported>export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?<kind>function|class|interface|enum|namespace|type(?=\s+[\w$]+\s*[=<]))\b\*?\s+(?<name>[\w$]+)/,
  },
  {
    pattern:
      /^\s*(?<exported>export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|\($)/,
    kind: 'function',
  },
  { pattern: /^\s*(?<exported>export\s+)?(?<kind>const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]+)?=/ },
  {
    pattern:
      /^\s+(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract)\s+)*\*?(?<name>#?[\w$]+)\s*(?:<[^>()]*>)?\([^;]*(?:\)\s*(?::[^;={]+)?\{|[({,]$)/,
    kind: 'method',
  },
  {
    pattern: /^\s*(?:module\.)?exports\.(?<name>[\w$]+)\s*=(?!\s*(?:exports\.|void 0|(?:\w+\.)?\k<name>\b))/,
    kind: 'export',
  },
];
const PYTHON: Rule[] = [
  { pattern: /^\s*(?:async\s+)?(?<kind>def|class)\s+(?<name>\w+)/ },
  { pattern: /^(?<name>[A-Z_][A-Z0-9_]*)\s*(?::[^=]+)?=(?!=)/, kind: 'constant' },
];
const GO: Rule[] = [
  { pattern: /^(?<kind>func)\s+(?:\([^)]*\)\s*)?(?<name>\w+)/ },
  { pattern: /^(?<kind>type|var|const)\s+(?<name>\w+)/ },
];
const RUST: Rule[] = [
  {
    pattern:
      /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?(?:(?:default|async|unsafe|const|extern\s+"[^"]*")\s+)*(?<kind>fn|struct|enum|trait|union|mod|macro_rules!|type|static|const)\s+(?:mut\s+)?(?<name>\w+)/,
  },
];
const BRACED: Rule[] = [
  {
    pattern:
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?<exported>(?:public|open|export)\s+)?(?:(?:private|protected|internal|static|final|abstract|sealed|partial|data|inline|override|suspend|case|public|open|fileprivate)\s+)*(?<kind>class|interface|enum|record|struct|protocol|trait|object|extension|namespace|func|fun|def|typealias|mixin)\s+(?:class\s+)?(?<name>\w+)/,
  },
  {
    pattern:
      /^\s*(?<exported>public\s+)?(?:(?:private|protected|internal|static|final|abstract|virtual|override|async|synchronized|inline|const|unsigned|extern)\s+)*[\w:<>[\],?*&]+\s+[*&]*(?:\w+::)*(?<name>~?\w+)\s*\([^;]*(?:\)\s*(?:const\s*)?(?:throws[\w\s,]+)?\{?|,)\s*$/,
    kind: 'function',
  },
  { pattern: /^\s*#\s*(?<kind>define)\s+(?<name>\w+)/ },
];
const RUBY: Rule[] = [{ pattern: /^\s*(?<kind>def|class|module)\s+(?:self\.)?(?<name>[\w:]+[?!]?)/ }];
const PHP: Rule[] = [
  {
    pattern:
      /^\s*(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*(?<kind>function|class|interface|trait|enum)\s+&?(?<name>\w+)/,
  },
];
const ELIXIR: Rule[] = [{ pattern: /^\s*(?<kind>defmodule|defp?|defmacro|defstruct)\s+(?<name>[\w.]+[?!]?)/ }];
const SHELL: Rule[] = [
  { pattern: /^\s*function\s+(?<name>[\w:-]+)/, kind: 'function' },
  { pattern: /^\s*(?<name>[\w:-]+)\s*\(\)\s*\{?/, kind: 'function' },
];
const LUA: Rule[] = [{ pattern: /^\s*(?:local\s+)?(?<kind>function)\s+(?:\w+[.:])*(?<name>\w+)/ }];
const SQL: Rule[] = [
  {
    pattern:
      /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?<kind>table|view|index|function|procedure|trigger|type)\s+(?:if\s+not\s+exists\s+)?["`[]?(?<name>[\w.]+)/i,
  },
];
const MARKDOWN: Rule[] = [{ pattern: /^#{1,6}\s+(?<name>.+?)\s*#*$/, kind: 'heading' }];
const STYLE: Rule[] = [{ pattern: /^(?<name>[.#@][\w-][^{]*?)\s*\{/, kind: 'rule' }];
const KEYS: Rule[] = [
  { pattern: /^(?:\s{0,2})?"(?<name>[^"]+)"\s*:/, kind: 'key' },
  { pattern: /^\[{1,2}(?<name>[^\]]+)\]{1,2}\s*$/, kind: 'section' },
  { pattern: /^(?<name>[\w.-]+)\s*[:=](?:\s|$)/, kind: 'key' },
];
const MAKE: Rule[] = [{ pattern: /^(?<name>[\w./-]+)\s*:(?!=)/, kind: 'target' }];

const BY_EXTENSION = new Map<string, Rule[]>(
  [
    ['ts tsx mts cts js jsx mjs cjs vue svelte astro', SCRIPT],
    ['py pyi', PYTHON],
    ['go', GO],
    ['rs', RUST],
    ['java kt kts cs swift scala dart c h cc cpp cxx hpp hh', BRACED],
    ['rb', RUBY],
    ['php', PHP],
    ['ex exs', ELIXIR],
    ['sh bash zsh', SHELL],
    ['lua', LUA],
    ['sql', SQL],
    ['md mdx', MARKDOWN],
    ['css scss less sass', STYLE],
    ['json jsonc json5 toml yml yaml ini cfg properties', KEYS],
  ].flatMap(([endings, rules]) => (endings as string).split(' ').map((ending) => [ending, rules as Rule[]] as const)),
);

/** What a line defines, judged by its own text and the file's ending; undefined where it defines nothing that is known. */
export function definitionOn(line: string, path: string): Definition | undefined {
  if (line.length > 500 || isImport(line)) return undefined;
  const rules = /(?:^|\/)(?:GNU)?[Mm]akefile$/.test(path) ? MAKE : BY_EXTENSION.get(extension(path));
  for (const { pattern, kind } of rules ?? []) {
    const groups = pattern.exec(line)?.groups;
    const name = groups?.name;
    if (!groups || !name || NOT_NAMES.has(name)) continue;
    // What looks like a method but closes more brackets than it opens is the end of a longer expression.
    if (kind === 'method' && line.split(')').length > line.split('(').length) continue;
    return { name, kind: kind ?? groups.kind ?? '', exported: groups.exported !== undefined || isPublic(name, path) };
  }
  return undefined;
}

/** The languages in which the name itself, or the file, says that others may use it. */
function isPublic(name: string, path: string): boolean {
  const ending = extension(path);
  if (ending === 'go') return /^\p{Lu}/u.test(name);
  if (ending === 'py') return !name.startsWith('_');
  return ['rb', 'php', 'md', 'mdx', 'sh', 'lua', 'sql'].includes(ending);
}

const IMPORT =
  /^\s*(?:import\b|export\s+(?:type\s+)?[*{][^=]*\bfrom\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s+[\w:{]|#\s*include\b|require(?:_relative|_once)?\b|using\s+[\w.]+;|(?:const|let|var)\s+[^=]+=\s*(?:await\s+)?(?:require|import)\s*\(|\}\s*from\s+['"])/;

export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

export function isComment(line: string, path: string): boolean {
  if (/^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|<!--)/.test(line)) return true;
  return /^(?:py|pyi|rb|sh|bash|zsh|yml|yaml|toml|ex|exs|r|pl|)$/.test(extension(path)) && /^\s*#(?!!)/.test(line);
}

const PYTHON_WORDS =
  /\b(?:from|import|as|in|not|is|and|or|if|elif|else|for|return|raise|lambda|yield|await|async|def|class|del|assert|with|while|except|global|nonlocal|match|case|type|print)\b/g;

/** True for a line of a docstring: two names side by side are words, not code. */
export function isDocText(line: string, path: string): boolean {
  if (!/^pyi?$/.test(extension(path))) return false;
  if (/^\s*(?:[rbu]*(?:"""|''')|:\w+[^:]*:|>>>\s|\.\.\s)|:\w+:`/i.test(line)) return true;
  const bare = line
    .replace(/#.*$/, '')
    .replace(/[rbfu]*(["'])(?:\\.|(?!\1).)*\1/gi, ';')
    .replace(PYTHON_WORDS, ';');
  return /[A-Za-z]\w*[ \t]+[A-Za-z]/.test(bare);
}
