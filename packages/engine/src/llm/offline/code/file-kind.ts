/** What a file is for, judged by its path alone. */
export type FileKind = 'source' | 'test' | 'docs' | 'data' | 'generated';

const EXTENSIONS =
  'ts tsx js jsx mjs cjs mts cts vue svelte astro py pyi go rs java kt kts rb php c h cc cpp cxx hpp hh cs fs swift scala dart lua r jl pl pm ex exs erl hs ml clj zig nim sh bash zsh fish ps1 bat sql html htm css scss sass less md mdx rst txt adoc json jsonc json5 jsonl yml yaml toml ini cfg conf properties xml svg csv tsv lock gradle proto graphql gql tf hcl nix env ipynb wasm log diff patch'.split(
    ' ',
  );
const KNOWN_EXTENSIONS = new Set(EXTENSIONS);
const BARE_NAMES =
  /^(?:README|LICEN[CS]E|NOTICE|CHANGELOG|CONTRIBUTING|AUTHORS|Makefile|GNUmakefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Justfile|Vagrantfile|Jenkinsfile|Brewfile|CODEOWNERS)$/i;

const LANGUAGES: Record<string, string> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  cc: 'C++',
  hpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  scala: 'Scala',
  dart: 'Dart',
  lua: 'Lua',
  ex: 'Elixir',
  exs: 'Elixir',
  sh: 'shell script',
  bash: 'shell script',
  sql: 'SQL',
  md: 'Markdown',
  json: 'JSON',
  yml: 'YAML',
  yaml: 'YAML',
  toml: 'TOML',
  html: 'HTML',
  css: 'CSS',
};

export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path;
}

/** The extension in lower case, or an empty text. */
export function extension(path: string): string {
  return /[^/]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** The name without its last extension. */
export function stemOf(path: string): string {
  return baseName(path).replace(/(?<=.)\.[A-Za-z0-9]+$/, '');
}

/** The language's name, or undefined for an unknown ending. */
export function languageOf(path: string): string | undefined {
  const ending = extension(path);
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}

export function fileKind(path: string): FileKind {
  const lower = path.toLowerCase();
  const ending = extension(lower);
  if (/(?:^|\/)(?:node_modules|dist|build|out|vendor|third_party|coverage|__snapshots__|\.next|target)\//.test(lower)) {
    return 'generated';
  }
  if (
    /(?:\.min\.(?:js|css|mjs)|\.map|\.snap|-lock\.(?:json|yaml)|\.lockb?|\.pb\.go|\.d\.[mc]?ts)$|(?:^|\/)go\.sum$/.test(
      lower,
    )
  ) {
    return 'generated';
  }
  if (
    /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|testdata|test[-_]?(?:kit|utils?|helpers?|support)|testing|fixtures|mocks|__mocks__)\//.test(
      lower,
    ) ||
    /(?:[._](?:test|spec|tests|bench)|-(?:test|spec))\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest|[^/]*_test)\.[a-z]+$/.test(
      lower,
    ) ||
    /tests?\.(?:java|kt|cs|swift|scala)$/.test(lower)
  ) {
    return 'test';
  }
  if (/^(?:md|mdx|rst|txt|adoc)$/.test(ending) || /(?:^|\/)(?:docs?|changelog|license|readme)(?:[./]|$)/.test(lower))
    return 'docs';
  if (/^(?:json|jsonc|json5|jsonl|ya?ml|toml|ini|cfg|conf|properties|xml|svg|csv|tsv|env|log)$/.test(ending))
    return 'data';
  return 'source';
}

/** True for a text that is meant as a path: it has a slash, a known ending, a leading dot, or is a well-known name. */
export function looksLikePath(text: string): boolean {
  if (text === '' || /[\s"'`<>|*?]/.test(text) || /^[a-z]+:\/\//i.test(text)) return false;
  if (text === '.' || text === '..' || BARE_NAMES.test(text)) return true;
  if (/^(?:console|process|res|response|req|request|logger)\.\w+$/.test(text)) return false;
  if (/[/\\]/.test(text)) return /[\p{L}\p{N}]/u.test(text) && !/[()=;,]/.test(text);
  return /^\.[\w-]+(?:\.\w+)*$/.test(text) || (KNOWN_EXTENSIONS.has(extension(text)) && !/[()]/.test(text));
}

/** `@src\\a.ts` and `./src/a.ts` are `src/a.ts`; a lone `.` and a closing slash stay. */
export function cleanPath(text: string): string {
  const forward = text
    .trim()
    .replace(/^@(?=.)/, '')
    .replaceAll('\\', '/');
  return forward.replace(/^(?:\.\/)+(?=.)/, '').replace(/[,;:]+$/, '');
}
