import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, PRIVATE, OVERRIDE } = SymbolFlag;
const BUILT_IN_TYPES = 'void char short int long float double signed unsigned bool size_t ssize_t auto decltype(auto)';

/** What C and C++ have in common. */
export const cFamily: Omit<LanguageSpec, 'query' | 'refine'> = {
  flags: new Map<string, number>([
    ['static', STATIC],
    ['override', OVERRIDE],
  ]),
  selves: new Map(),
  keywords: new Set('sizeof true false NULL nullptr return alignof typeid'.split(' ')),
  constructors: new Set(),
  wrappers: new Set('unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic'.split(' ')),
  sequences: new Set('vector array list deque set unordered_set span initializer_list stack queue'.split(' ')),
  nothing: new Set(BUILT_IN_TYPES.split(' ')),
  typePrefix:
    /^(?:(?:const|volatile|struct|union|enum|class|typename|unsigned|signed|static|inline|constexpr|mutable|register|extern)\s+)+/,
  reads: 'all',
  normalType,
};

/** Without pointers, references and qualifiers behind the name, `ns::Note` with dots; a body says nothing. */
function normalType(written: string): string {
  const mapped = /^(?:std::)?(?:unordered_)?map<[^,]+,\s*(.+)>$/s.exec(written)?.[1];
  if (mapped !== undefined) return `${mapped}[]`;
  const plain = written
    .replace(/\s*\{.*$/s, '')
    .replace(/(?:\s*(?:\*|&|\bconst))+$/, '')
    .replace(/^(?:struct|union|enum|class)\s+/, '');
  return /^\w+(?:::\w+)+$/.test(plain) ? plain.replaceAll('::', '.') : plain;
}

export const c: LanguageSpec = {
  ...cFamily,
  query: () =>
    readAsset(new URL('../queries/c.scm', import.meta.url)) +
    readAsset(new URL('../queries/c-own.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  refine,
};

/** `static` at the top of a file keeps a name in it. */
function refine(symbol: SymbolView): void {
  if (symbol.containerKind !== undefined) return;
  if (symbol.flags & STATIC) symbol.flags |= PRIVATE;
  else symbol.flags |= EXPORTED;
}
