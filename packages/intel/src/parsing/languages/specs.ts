import type { Language } from '../language.ts';
import type { LanguageSpec } from '../language-spec.ts';
import { bash } from './bash.ts';
import { c } from './c.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { dart } from './dart.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { kotlin } from './kotlin.ts';
import { lua } from './lua.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { swift } from './swift.ts';
import { javascript, tsx, typescript } from './typescript.ts';

const SPECS: Readonly<Record<Language, LanguageSpec>> = {
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
  ruby,
  php,
  kotlin,
  swift,
  dart,
  scala,
  lua,
  bash,
};

/** How facts are found in a language. */
export function specOf(language: Language): LanguageSpec {
  return SPECS[language];
}
