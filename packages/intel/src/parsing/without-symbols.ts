import type { FileFacts } from './file-facts.ts';
import type { Language } from './language.ts';

/** Of a file that has no symbols, or of which they are not known. */
export function withoutSymbols(state: FileFacts['state'], lines: number, language?: Language, why?: string): FileFacts {
  const none = new Int32Array(0);
  return {
    language,
    state,
    ...(why === undefined ? {} : { why }),
    lines,
    names: [],
    symbols: none,
    references: none,
    imports: none,
    bindings: none,
  };
}
