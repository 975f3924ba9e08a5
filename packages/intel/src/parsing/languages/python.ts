import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ASYNC, ABSTRACT, PRIVATE, OVERRIDE, TEST } = SymbolFlag;

export const python: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/python.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([['async', ASYNC]]),
  selves: new Map([
    ['self', 'this'],
    ['cls', 'this'],
    ['super()', 'super'],
  ]),
  keywords: new Set('None True False not lambda if else yield'.split(' ')),
  constructors: new Set(['__init__']),
  wrappers: new Set('Optional Annotated Final ClassVar Type type Awaitable Coroutine Required NotRequired'.split(' ')),
  sequences: new Set(
    'list List set Set frozenset FrozenSet tuple Tuple Iterable Iterator Sequence MutableSequence Collection Generator AsyncIterator AsyncIterable AsyncGenerator deque'.split(
      ' ',
    ),
  ),
  nothing: new Set(['None']),
  reads: 'known',
  selfParameter: true,
  overloads: 'all',
  refine,
};

function refine(symbol: SymbolView): void {
  const { name, decorators, listed, containerKind } = symbol;
  if (
    /@(?:\w+\.)*(?:cached_)?property\b|@\w+\.(?:setter|getter|deleter)\b/.test(decorators) &&
    symbol.kind === 'method'
  ) {
    symbol.kind = 'property';
  }
  if (/@(?:staticmethod|classmethod)\b/.test(decorators)) symbol.flags |= STATIC;
  if (/@(?:abc\.)?abstract\w+/.test(decorators)) symbol.flags |= ABSTRACT;
  if (/@(?:typing\.|typing_extensions\.)?override\b/.test(decorators)) symbol.flags |= OVERRIDE;
  if (symbol.kind === 'function' || symbol.kind === 'method') {
    if (name.startsWith('test_') || name === 'test') symbol.flags |= TEST;
  }
  const isPrivate = name.startsWith('_') && !(name.startsWith('__') && name.endsWith('__'));
  if (isPrivate) symbol.flags |= PRIVATE;
  if (containerKind === undefined && (listed ? listed.has(name) : !isPrivate)) symbol.flags |= EXPORTED;
  if (symbol.kind === 'variable' && /^[A-Z][A-Z0-9_]*$/.test(name)) symbol.kind = 'constant';
}
