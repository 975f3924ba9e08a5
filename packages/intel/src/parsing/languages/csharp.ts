import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';
import { valueType as castType, normalType } from './java.ts';

const { EXPORTED, STATIC, ASYNC, ABSTRACT, PRIVATE, TEST, OVERRIDE } = SymbolFlag;
const BUILT_IN_TYPES =
  'void bool byte sbyte char short ushort int uint long ulong float double decimal string object var dynamic nint';

export const csharp: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/csharp.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['public', EXPORTED],
    ['protected', EXPORTED],
    ['internal', EXPORTED],
    ['private', PRIVATE],
    ['static', STATIC],
    ['async', ASYNC],
    ['abstract', ABSTRACT],
    ['override', OVERRIDE],
    ...['Fact', 'Theory', 'Test', 'TestCase', 'TestMethod'].map((word): [string, number] => [word, TEST]),
  ]),
  selves: new Map([['base', 'super']]),
  keywords: new Set('true false null default typeof nameof'.split(' ')),
  constructors: new Set(),
  wrappers: new Set('Task ValueTask Nullable Lazy WeakReference Func'.split(' ')),
  sequences: new Set(
    'List IList IEnumerable IReadOnlyList ICollection IReadOnlyCollection HashSet ISet Queue Stack IQueryable IAsyncEnumerable Span'.split(
      ' ',
    ),
  ),
  nothing: new Set(BUILT_IN_TYPES.split(' ')),
  typePrefix: /^(?:ref|readonly|scoped)\s+/,
  reads: 'all',
  overloads: 'all',
  normalType,
  valueType,
  refine,
};

/** `new Note { … }` and `(Note)x`. */
function valueType(text: string): string | undefined {
  return /^new\s+([\p{L}_][\p{L}\p{N}_.]*)/u.exec(text)?.[1] ?? castType(text);
}

/** What says nothing is private in a class, and known in its assembly at the top. */
function refine(symbol: SymbolView): void {
  const isOpen =
    symbol.containerKind === undefined || symbol.containerKind === 'interface' || symbol.kind === 'enum-member';
  if (isOpen) symbol.flags |= EXPORTED;
  else if (!(symbol.flags & EXPORTED)) symbol.flags |= PRIVATE;
}
