import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

export const bash: LanguageSpec = {
  query: () => readAsset(new URL('../queries/bash.scm', import.meta.url)),
  flags: new Map(),
  selves: new Map(),
  keywords: new Set(),
  constructors: new Set(),
  wrappers: new Set(),
  sequences: new Set(),
  nothing: new Set(),
  reads: 'known',
  refine,
};

/** What is not `local` is known everywhere. */
function refine(symbol: SymbolView): void {
  symbol.flags |= SymbolFlag.EXPORTED;
}
