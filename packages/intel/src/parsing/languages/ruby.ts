import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

export const ruby: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/ruby.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map(),
  selves: new Map([['self', 'this']]),
  keywords: new Set('true false nil if unless case begin'.split(' ')),
  constructors: new Set(['initialize']),
  wrappers: new Set(),
  sequences: new Set(),
  nothing: new Set(['nil']),
  reads: 'all',
  overloads: 'all',
  // `attr_reader :name`
  bareName: (written) => written.replace(/^:/, ''),
  valueType,
  refine,
};

/** `Note.new(…)`. */
function valueType(text: string): string | undefined {
  return /^((?:\p{Lu}\w*::)*\p{Lu}\w*)\.new\b/u.exec(text)?.[1]?.replaceAll('::', '.');
}

function refine(symbol: SymbolView): void {
  symbol.flags |= SymbolFlag.EXPORTED;
  if (symbol.name.startsWith('test_') && symbol.kind === 'method') symbol.flags |= SymbolFlag.TEST;
}
