import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import { readImportPaths } from '../import-paths.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ABSTRACT, PRIVATE } = SymbolFlag;

export const php: LanguageSpec = {
  query: () => readAsset(new URL('../queries/php.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['private', PRIVATE],
    ['static', STATIC],
    ['abstract', ABSTRACT],
  ]),
  selves: new Map([
    ['$this', 'this'],
    ['self', 'this'],
    ['static', 'this'],
    ['parent', 'super'],
  ]),
  keywords: new Set('true false null fn function match array'.split(' ')),
  constructors: new Set(['__construct']),
  wrappers: new Set(),
  sequences: new Set('iterable Collection Iterator Generator'.split(' ')),
  nothing: new Set('void mixed null bool int float string array object callable never false true'.split(' ')),
  typePrefix: /^[?\\]+/,
  reads: 'all',
  readImport,
  normalType: (written) => written.replaceAll('\\', '.'),
  refine,
};

/** `use A\B`, `use A\{B, C as D}`, `use function A\b`; the `use` of a trait in a class is no import. */
function readImport(statement: string): NamedImport[] {
  return readImportPaths(statement.replace(/^use\s+(?:function\s+|const\s+)?\\?/, '').replace(/;\s*$/, ''), {
    link: '\\',
    wildcards: new Set(),
    alias: /\s+as\s+(\w+)$/i,
  });
}

function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
