import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import { readImportPaths } from '../import-paths.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';
import { normalType } from './java.ts';

const { EXPORTED, ASYNC, ABSTRACT, PRIVATE, TEST, OVERRIDE } = SymbolFlag;

export const kotlin: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/kotlin.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['private', PRIVATE],
    ['suspend', ASYNC],
    ['abstract', ABSTRACT],
    ['override', OVERRIDE],
    ['Test', TEST],
    ['ParameterizedTest', TEST],
  ]),
  selves: new Map(),
  keywords: new Set('true false null if when object fun'.split(' ')),
  constructors: new Set(),
  wrappers: new Set('Lazy Flow StateFlow MutableStateFlow Deferred Result Optional KClass LiveData'.split(' ')),
  sequences: new Set(
    'List MutableList ArrayList Set MutableSet Collection Iterable Sequence Array ArrayDeque Channel'.split(' '),
  ),
  nothing: new Set('Unit Nothing Any Int Long Short Byte Double Float Boolean Char'.split(' ')),
  typePrefix: /^(?:out|in|suspend)\s+/,
  reads: 'all',
  overloads: 'all',
  readImport,
  normalType,
  valueType,
  refine,
};

function readImport(statement: string): NamedImport[] {
  return readImportPaths(statement.replace(/^import\s+/, '').replace(/;\s*$/, ''), {
    link: '.',
    wildcards: new Set(['*']),
    alias: /\s+as\s+(\S+)$/,
  });
}

/** The type of a cast: `x as Note`. */
function valueType(text: string): string | undefined {
  return /\bas\??\s+(\p{Lu}[\p{L}\p{N}_.]*)(?:<[^>]*>)?\??$/u.exec(text)?.[1];
}

function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
