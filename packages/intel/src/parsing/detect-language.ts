import type { Language } from './language.ts';

const EXTENSIONS: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    typescript: 'ts mts cts',
    tsx: 'tsx',
    javascript: 'js mjs cjs jsx es6',
    python: 'py pyi pyw',
    go: 'go',
    rust: 'rs',
    java: 'java',
    c: 'c h',
    cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl ixx cppm cu cuh ino',
    csharp: 'cs csx',
    ruby: 'rb rake gemspec ru podspec',
    php: 'php phtml php5 php7',
    kotlin: 'kt kts',
    swift: 'swift',
    dart: 'dart',
    scala: 'scala sc sbt',
    lua: 'lua rockspec',
    bash: 'sh bash bats ksh zsh ebuild',
  } satisfies Record<Language, string>).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension): [string, Language] => [extension, language as Language]),
  ),
);

const NAMES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ['Rakefile', 'ruby'],
  ['Gemfile', 'ruby'],
  ['Podfile', 'ruby'],
  ['Vagrantfile', 'ruby'],
  ['Fastfile', 'ruby'],
  ['SConstruct', 'python'],
  ['SConscript', 'python'],
  ['Jakefile', 'javascript'],
  ['.bashrc', 'bash'],
  ['.bash_profile', 'bash'],
  ['.profile', 'bash'],
  ['.zshrc', 'bash'],
  ['PKGBUILD', 'bash'],
]);

const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|da|k|z)?sh$/, 'bash'],
  [/^(?:pypy|python)[\d.]*$/, 'python'],
  [/^(?:node|nodejs|bun)$/, 'javascript'],
  [/^(?:deno|ts-node|tsx)$/, 'typescript'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
  [/^(?:lua|luajit)[\d.]*$/, 'lua'],
];

const SHEBANG = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(?:\w+=\S*[ \t]+)*(\S+))?/;
const CPP_HEADER =
  /^\s*(?:template\s*<|namespace\b|class\s+\w|using\s+\w|(?:public|private|protected)\s*:|#include\s*<\w+>)/m;

/**
 * The language of a file by its name and, where that does not say, by its first characters: a shebang, or in an `.h` file
 * what only C++ has. Undefined for what is not parsed.
 *
 * @param path with `/`
 * @param head the beginning of its text; asked for only when it is needed
 */
export function detectLanguage(path: string, head: () => string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const known = NAMES.get(name);
  if (known) return known;
  if (dot > 0) {
    const language = EXTENSIONS.get(name.slice(dot + 1).toLowerCase());
    return language === 'c' && name.endsWith('.h') && CPP_HEADER.test(head()) ? 'cpp' : language;
  }
  const [, program = '', argument = ''] = SHEBANG.exec(head()) ?? [];
  const command = program.slice(program.lastIndexOf('/') + 1);
  const interpreter = command === 'env' ? argument.slice(argument.lastIndexOf('/') + 1) : command;
  return INTERPRETERS.find(([pattern]) => pattern.test(interpreter))?.[1];
}
