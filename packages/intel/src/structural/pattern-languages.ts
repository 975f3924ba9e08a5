import { BlackError } from '@black-ide/protocol';
import { LANGUAGES, type Language } from '../parsing/language.ts';

/** Other names by which people know a language. */
const ALIASES: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  py: 'python',
  golang: 'go',
  rs: 'rust',
  'c++': 'cpp',
  cc: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  rb: 'ruby',
  kt: 'kotlin',
  sh: 'bash',
  shell: 'bash',
};

/**
 * The languages that a name means: TypeScript is also what JSX is mixed into.
 * @throws BlackError `unknown_language`
 */
export function languagesNamed(name: string): readonly Language[] {
  const lower = name.trim().toLowerCase();
  const language = ALIASES[lower] ?? LANGUAGES.find((known) => known === lower);
  if (language === 'typescript') return ['typescript', 'tsx'];
  if (language) return [language];
  throw new BlackError(
    'unknown_language',
    `Code of the language ${JSON.stringify(name.slice(0, 40))} cannot be searched by its structure.`,
    `Name one of: ${LANGUAGES.join(', ')}.`,
  );
}
