import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const { EXPORTED, PRIVATE } = SymbolFlag;

export const lua: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/lua.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([['local', PRIVATE]]),
  selves: new Map([['self', 'this']]),
  keywords: new Set('true false nil function not'.split(' ')),
  constructors: new Set(),
  wrappers: new Set(),
  sequences: new Set(),
  nothing: new Set(['nil']),
  reads: 'all',
  valueType,
  refine,
};

/** `Note.new(…)` and `Note:new(…)`, and the class of `setmetatable({}, Store)`. */
function valueType(text: string): string | undefined {
  return (
    /^([A-Za-z_][\w.]*)[.:]new\s*\(/.exec(text)?.[1] ??
    /^setmetatable\(\s*\{\s*\}\s*,\s*([A-Za-z_]\w*)\s*\)/.exec(text)?.[1]
  );
}

function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
