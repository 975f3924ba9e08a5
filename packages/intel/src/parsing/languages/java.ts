import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ABSTRACT, PRIVATE, TEST, OVERRIDE } = SymbolFlag;
const BUILT_IN_TYPES = 'void boolean byte char short int long float double var Object';

export const java: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/java.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['public', EXPORTED],
    ['protected', EXPORTED],
    ['private', PRIVATE],
    ['static', STATIC],
    ['abstract', ABSTRACT],
    ['Override', OVERRIDE],
    ...['Test', 'ParameterizedTest', 'RepeatedTest', 'TestFactory'].map((word): [string, number] => [word, TEST]),
  ]),
  selves: new Map(),
  keywords: new Set('true false null switch'.split(' ')),
  constructors: new Set(),
  wrappers: new Set(
    'Optional CompletableFuture Future Supplier Provider AtomicReference WeakReference Mono Callable Class'.split(' '),
  ),
  sequences: new Set(
    'List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet Collection Iterable Iterator Stream Queue Deque Flux'.split(
      ' ',
    ),
  ),
  nothing: new Set(BUILT_IN_TYPES.split(' ')),
  typePrefix: /^(?:final|@\w+(?:\([^)]*\))?)\s+/,
  reads: 'all',
  overloads: 'all',
  normalType,
  valueType,
  refine,
};

/** What a map maps to is what it holds; of a wildcard its bound. */
export function normalType(written: string): string {
  const mapped = /^(?:\w+\.)*\w*(?:Map|Dictionary)<[^,]+,\s*(.+)>$/s.exec(written)?.[1];
  return mapped === undefined ? written.replace(/^\?\s*(?:extends|super)\s+/, '') : `${mapped}[]`;
}

/** The type of a cast: `(Note) x`. */
export function valueType(text: string): string | undefined {
  return /^\(\s*(\p{Lu}[\p{L}\p{N}_.]*)(?:<[^>]*>)?\s*\)\s*[\p{L}_(]/u.exec(text)?.[1];
}

/** Members of an interface are public, and what says nothing is known in its package: nothing here hides it. */
function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
