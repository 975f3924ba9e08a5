import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import { readImportPaths } from '../import-paths.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';

const { EXPORTED, ABSTRACT, PRIVATE, OVERRIDE } = SymbolFlag;

export const scala: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/scala.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['private', PRIVATE],
    ['abstract', ABSTRACT],
    ['override', OVERRIDE],
  ]),
  selves: new Map(),
  keywords: new Set('true false null if for match'.split(' ')),
  constructors: new Set(['this']),
  wrappers: new Set('Option Some Future IO Try Either Eval Ref Resource Task'.split(' ')),
  sequences: new Set(
    'List Seq Vector Array Set Iterable Iterator Stream LazyList IndexedSeq Chain NonEmptyList Queue Buffer'.split(' '),
  ),
  nothing: new Set('Unit Nothing Any AnyRef AnyVal Int Long Short Byte Double Float Boolean Char'.split(' ')),
  typePrefix: /^=>\s*/,
  reads: 'all',
  overloads: 'all',
  readImport,
  normalType,
  refine,
};

function readImport(statement: string): NamedImport[] {
  return readImportPaths(statement.replace(/^import\s+/, ''), {
    link: '.',
    wildcards: new Set(['_', '*', 'given']),
    alias: /\s+(?:=>|as)\s+(\S+)$/,
  });
}

/** What a map maps to is what it holds. */
function normalType(written: string): string {
  const mapped = /^(?:\w+\.)*\w*Map\[[^,]+,\s*(.+)\]$/s.exec(written)?.[1];
  return mapped === undefined ? written.replace(/\*$/, '[]') : `${mapped}[]`;
}

/** A test framework gives tests names in strings, so nothing here is a test by itself. */
function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
