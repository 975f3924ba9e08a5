import { LANGUAGES, type Language } from '../../parsing/language.ts';

/** How names are found in a language. */
export interface LanguageRules {
  /** Languages that see each other's symbols have the same. */
  family: string;
  /** Members of the class around are found without `this`. */
  implicitThis: boolean;
  /**
   * Where a name may come from that neither the file nor a named import brings: `imports`: from nowhere; `folder`: other
   * files of the folder; `package`: the declared package or namespace, and those that are imported whole; `includes`: what
   * is included, and anything that is linked; `everywhere`: any file.
   */
  beyond: 'imports' | 'folder' | 'package' | 'includes' | 'everywhere';
  /** A class is made by calling its name. */
  callsConstruct: boolean;
  /** Every name at the top of a file can be imported, also such as it has imported itself. */
  handsOnImports: boolean;
}

const JAVASCRIPT: LanguageRules = {
  family: 'javascript',
  implicitThis: false,
  beyond: 'imports',
  callsConstruct: false,
  handsOnImports: false,
};
const JVM: LanguageRules = {
  family: 'jvm',
  implicitThis: true,
  beyond: 'package',
  callsConstruct: true,
  handsOnImports: false,
};
const C: LanguageRules = {
  family: 'c',
  implicitThis: true,
  beyond: 'includes',
  callsConstruct: true,
  handsOnImports: true,
};

function of(family: string, beyond: LanguageRules['beyond'], rules: Partial<LanguageRules> = {}): LanguageRules {
  return { family, implicitThis: false, beyond, callsConstruct: false, handsOnImports: false, ...rules };
}

const RULES: Record<Language, LanguageRules> = {
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  javascript: JAVASCRIPT,
  python: of('python', 'imports', { callsConstruct: true, handsOnImports: true }),
  go: of('go', 'folder'),
  rust: of('rust', 'imports', { handsOnImports: true }),
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  c: C,
  cpp: C,
  csharp: of('csharp', 'package', { implicitThis: true }),
  ruby: of('ruby', 'everywhere', { implicitThis: true }),
  php: of('php', 'package'),
  swift: of('swift', 'everywhere', { implicitThis: true, callsConstruct: true }),
  dart: of('dart', 'includes', { implicitThis: true, callsConstruct: true, handsOnImports: true }),
  lua: of('lua', 'everywhere'),
  bash: of('bash', 'everywhere'),
};

const BY_NUMBER = LANGUAGES.map((language) => RULES[language]);

/** @param language index into `LANGUAGES` */
export function rulesOf(language: number): LanguageRules | undefined {
  return BY_NUMBER[language];
}
