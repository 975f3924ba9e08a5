import type { Language } from '../language.ts';
import type { LanguageSpec } from '../language-spec.ts';
import { python } from './python.ts';
import { javascript, tsx, typescript } from './typescript.ts';

const SPECS: Partial<Record<Language, LanguageSpec>> = { typescript, tsx, javascript, python };

/** How facts are found in a language; undefined for one whose files are treated as text. */
export function specOf(language: Language): LanguageSpec | undefined {
  return SPECS[language];
}
