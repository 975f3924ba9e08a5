import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ASYNC, ABSTRACT, PRIVATE, OVERRIDE } = SymbolFlag;

const ecmascript: Omit<LanguageSpec, 'query'> = {
  flags: new Map<string, number>([
    ['static', STATIC],
    ['async', ASYNC],
    ['abstract', ABSTRACT],
    ['private', PRIVATE],
    ['override', OVERRIDE],
  ]),
  selves: new Map(),
  keywords: new Set('function class async true false null undefined typeof void delete if return throw'.split(' ')),
  constructors: new Set(['constructor']),
  wrappers: new Set(
    'Promise PromiseLike Awaited Readonly Partial Required NonNullable Omit Pick Ref WeakRef Signal'.split(' '),
  ),
  sequences: new Set(
    'Array ReadonlyArray Set ReadonlySet Iterable Iterator IterableIterator AsyncIterable AsyncIterator Generator AsyncGenerator'.split(
      ' ',
    ),
  ),
  nothing: new Set(['null', 'undefined', 'void', 'never']),
  typePrefix: /^(?:readonly|asserts)\s+/,
  reads: 'known',
  overloads: 'without-body',
  bareName: (written) => written.replace(/^(['"])(.*)\1$/s, '$2'),
  isTypeImport: (before) => /^(?:import|export)\s+type\b|[{,\s]type\s+$/.test(before),
  refine,
};

/** Constants, exports by assignment, and names that only their class knows. */
function refine(symbol: SymbolView): void {
  if (symbol.name.startsWith('#')) symbol.flags |= PRIVATE;
  if (symbol.kind === 'variable' && symbol.head === 'const') symbol.kind = 'constant';
  if (symbol.owner !== 'exports' && symbol.owner !== 'module.exports') return;
  symbol.kind = 'function';
  symbol.flags |= EXPORTED;
}

export const typescript: LanguageSpec = {
  ...ecmascript,
  query: () => asset(new URL('../queries/typescript.scm', import.meta.url)) + common(),
};

export const tsx: LanguageSpec = {
  ...ecmascript,
  query: () => asset(new URL('../queries/typescript.scm', import.meta.url)) + jsx() + common(),
};

export const javascript: LanguageSpec = {
  ...ecmascript,
  query: () => asset(new URL('../queries/javascript.scm', import.meta.url)) + jsx() + common(),
};

const asset = readAsset;

function jsx(): string {
  return asset(new URL('../queries/jsx.scm', import.meta.url));
}

function common(): string {
  return (
    asset(new URL('../queries/ecmascript.scm', import.meta.url)) +
    asset(new URL('../queries/identifiers.scm', import.meta.url))
  );
}
