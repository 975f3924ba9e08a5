import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import { readImportPaths } from '../import-paths.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';

const { EXPORTED, ASYNC, PRIVATE, TEST, STATIC } = SymbolFlag;
const BUILT_IN_TYPES = 'bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize str';

export const rust: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/rust.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['pub', EXPORTED],
    ['async', ASYNC],
    ['static', STATIC],
  ]),
  selves: new Map([
    ['self', 'this'],
    ['Self', 'this'],
  ]),
  keywords: new Set('true false match if loop unsafe move fn'.split(' ')),
  constructors: new Set(),
  wrappers: new Set(
    'Option Result Box Rc Arc RefCell Cell Mutex RwLock Cow Pin Ref RefMut MutexGuard NonNull ManuallyDrop Weak'.split(
      ' ',
    ),
  ),
  sequences: new Set('Vec VecDeque HashSet BTreeSet LinkedList BinaryHeap Iterator IntoIterator Receiver'.split(' ')),
  nothing: new Set(BUILT_IN_TYPES.split(' ')),
  typePrefix: /^(?:(?:&(?:'\w+\s*)?|\*const\b|\*mut\b|mut\b|dyn\b|impl\b|ref\b|for<[^>]*>)\s*)+/,
  reads: 'all',
  selfParameter: true,
  readImport,
  normalType,
  normalValue,
  valueType,
  refine,
};

function readImport(statement: string): NamedImport[] {
  return readImportPaths(statement.replace(/^(?:pub(?:\([^)]*\))?\s+)?use\s+(?:::)?/, '').replace(/;\s*$/, ''), {
    link: '::',
    wildcards: new Set(['*']),
    alias: /\s+as\s+(\w+)$/,
  });
}

/** `[Note; 4]` and `[Note]` hold notes, and so does what a map maps to. */
function normalType(written: string): string {
  const array = /^\[([^;\]]+)(?:;[^\]]*)?\]$/.exec(written)?.[1];
  if (array !== undefined) return `${array}[]`;
  const mapped = /^(?:\w+::)*(?:HashMap|BTreeMap|IndexMap|DashMap)<[^,]+,\s*(.+)>$/s.exec(written)?.[1];
  return mapped === undefined ? written : `${mapped}[]`;
}

const UNWRAPPED =
  /(?:\?|\.await|\.(?:unwrap|clone|to_owned|as_ref|as_mut|borrow|borrow_mut|lock|iter|iter_mut|into_iter|unwrap_or_default)\(\)|\.expect\("[^"]*"\))+;?$/;

/** Without what is done to a value that keeps what it is of. */
function normalValue(written: string): string {
  return written.replace(UNWRAPPED, '').replace(/^&(?:mut\s+)?/, '');
}

/** `Store { … }`, and `Store::new(…)` however it is unwrapped: what a constructor by custom returns. */
function valueType(text: string): string | undefined {
  const made = /^&?(?:mut\s+)?((?:\w+::)*\p{Lu}\w*)(?:::<[^>]*>)?\s*(?:\{|::(?:new|default|with_\w+|from)\s*\()/u.exec(
    text,
  )?.[1];
  return made === undefined || made === 'Self' ? undefined : made.replaceAll('::', '.');
}

function refine(symbol: SymbolView): void {
  if (/#\[(?:\w+::)*(?:test|rstest|bench)\b/.test(symbol.decorators)) symbol.flags |= TEST;
  const isOpen = symbol.containerKind === 'trait' || symbol.kind === 'enum-member' || symbol.kind === 'extension';
  if (!isOpen && !(symbol.flags & EXPORTED)) symbol.flags |= PRIVATE;
}
