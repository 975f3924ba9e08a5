import type { Language } from '../language.ts';
import type { LanguageSpec } from '../language-spec.ts';
import { c } from './c.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { kotlin } from './kotlin.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { swift } from './swift.ts';
import { javascript, tsx, typescript } from './typescript.ts';

const SPECS: Partial<Record<Language, LanguageSpec>> = {
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  kotlin,
  swift,
  scala,
};

/** How facts are found in a language; undefined for one whose files are treated as text. */
export function specOf(language: Language): LanguageSpec | undefined {
  return SPECS[language];
}
