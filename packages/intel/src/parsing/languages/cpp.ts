import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';
import { cFamily } from './c.ts';

export const cpp: LanguageSpec = {
  ...cFamily,
  query: () =>
    readAsset(new URL('../queries/cpp.scm', import.meta.url)) +
    readAsset(new URL('../queries/c.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  overloads: 'all',
  valueType,
  refine,
};

/** `new Note(…)`, `Note{…}`, `std::make_unique<Note>(…)`, `static_cast<Note*>(…)`. */
function valueType(text: string): string | undefined {
  const made =
    /^(?:std::)?(?:make_(?:unique|shared)|static_cast|dynamic_cast|reinterpret_cast)<\s*(?:const\s+)?([\w:]+)/.exec(
      text,
    )?.[1];
  return (made ?? /^(?:new\s+)?((?:\w+::)*\p{Lu}\w*)(?:<[^>]*>)?\s*\{/u.exec(text)?.[1])?.replaceAll('::', '.');
}

function refine(symbol: SymbolView): void {
  const { containerKind } = symbol;
  if (symbol.kind === 'constructor' && containerKind === undefined && symbol.owner === '') symbol.kind = 'function';
  if (symbol.kind === 'method' || symbol.kind === 'constructor' || symbol.kind === 'field') return;
  const isOfFile = symbol.flags & SymbolFlag.STATIC && (containerKind === undefined || containerKind === 'module');
  symbol.flags |= isOfFile ? SymbolFlag.PRIVATE : SymbolFlag.EXPORTED;
}
