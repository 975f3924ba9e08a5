import { LANGUAGES, type Language } from '../../parsing/language.ts';

/** How names are found in a language. */
export interface LanguageRules {
  /** Languages that see each other's symbols have the same. */
  family: string;
  /** Which code finds members of the class around by their bare names: all of it, its body outside of methods, none. */
  bareMembers: 'all' | 'body' | 'none';
  /**
   * Where a name may come from that neither the file nor a named import brings: `imports`: from nowhere; `folder`: other
   * files of the folder; `package`: the declared package or namespace, and those that are imported whole; `includes`: what
   * is included, and anything that is linked; `everywhere`: any file.
   */
  beyond: 'imports' | 'folder' | 'package' | 'includes' | 'everywhere';
  /** One namespace or package may lie in several files: its symbols are found by their full names. */
  fullNames: boolean;
  /** A class is made by calling its name. */
  callsConstruct: boolean;
  /** Every name at the top of a file can be imported, also such as it has imported itself. */
  handsOnImports: boolean;
  /** Members of a type may be declared outside of it. */
  outsideMembers: boolean;
}

const JAVASCRIPT: LanguageRules = {
  family: 'javascript',
  bareMembers: 'none',
  beyond: 'imports',
  fullNames: false,
  callsConstruct: false,
  handsOnImports: false,
  outsideMembers: true,
};
const JVM: LanguageRules = {
  family: 'jvm',
  bareMembers: 'all',
  beyond: 'package',
  fullNames: true,
  callsConstruct: true,
  handsOnImports: false,
  outsideMembers: true,
};
const C: LanguageRules = {
  family: 'c',
  bareMembers: 'all',
  beyond: 'includes',
  fullNames: true,
  callsConstruct: true,
  handsOnImports: true,
  outsideMembers: true,
};

function of(family: string, beyond: LanguageRules['beyond'], rules: Partial<LanguageRules> = {}): LanguageRules {
  return {
    family,
    bareMembers: 'none',
    beyond,
    fullNames: false,
    callsConstruct: false,
    handsOnImports: false,
    outsideMembers: false,
    ...rules,
  };
}

const RULES: Record<Language, LanguageRules> = {
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  javascript: JAVASCRIPT,
  python: of('python', 'imports', { bareMembers: 'body', callsConstruct: true, handsOnImports: true }),
  go: of('go', 'folder', { outsideMembers: true }),
  rust: of('rust', 'imports', { handsOnImports: true, outsideMembers: true }),
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  c: C,
  cpp: C,
  csharp: of('csharp', 'package', { fullNames: true, bareMembers: 'all' }),
  ruby: of('ruby', 'everywhere', { fullNames: true, bareMembers: 'all', outsideMembers: true }),
  php: of('php', 'package', { fullNames: true }),
  swift: of('swift', 'everywhere', { bareMembers: 'all', callsConstruct: true, outsideMembers: true }),
  dart: of('dart', 'includes', {
    bareMembers: 'all',
    callsConstruct: true,
    handsOnImports: true,
    outsideMembers: true,
  }),
  lua: of('lua', 'everywhere', { outsideMembers: true }),
  bash: of('bash', 'everywhere'),
};

/** Every family once. */
export const FAMILIES: readonly string[] = [...new Set(Object.values(RULES).map(({ family }) => family))];

const BY_NUMBER = LANGUAGES.map((language) => RULES[language]);

/** @param language index into `LANGUAGES` */
export function rulesOf(language: number): LanguageRules | undefined {
  return BY_NUMBER[language];
}
