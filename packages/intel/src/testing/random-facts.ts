import fc from 'fast-check';
import { detectLanguage } from '../parsing/detect-language.ts';
import {
  type FileFacts,
  ImportFlag,
  REFERENCE_KINDS,
  SYMBOL_KINDS,
  SymbolFlag,
  type SymbolKind,
} from '../parsing/file-facts.ts';

/** Paths whose files import each other in the ways of their language, and a few of others. */
export const RANDOM_WORKSPACES = [
  ['m.ts', 'n.ts', 'lib/m.ts', 'lib/index.ts', 'lib/util.js', 'q.py'],
  ['q.py', 'p/__init__.py', 'p/q.py', 'p/r.py', 'm.ts'],
  ['go/x.go', 'go/y.go', 'main.go', 'q.py'],
  ['J.java', 'src/K.java', 'src/L.java', 'M.kt'],
  ['c.h', 'd.h', 'c.c', 'lib/d.c', 'e.cpp'],
  ['lib.rs', 'r.rs', 'r/mod.rs', 'q/x.rs'],
  ['A.rb', 'b.rb', 'lib/b.rb', 'q.py'],
  ['A.swift', 'b.swift', 'M.kt', 'src/L.kt', 'm.lua', 'p.lua'],
] as const;

const VALUES = ['a', 'run', 'x'];
const TYPES = ['A', 'B'];
const MODULES = ['m', 'p', 'q', 'r', 'lib', 'go'];
const NAMES = [...VALUES, ...VALUES, ...TYPES, ...TYPES, ...MODULES];
const RECEIVERS = ['this', 'super', 'x', 'm', 'A', 'B', 'a()', 'x.run()', 'this.x', 'm.A', 'p.q', 'go', 'x.x', '?'];
const TYPE_TEXTS = ['A', 'B', 'A', 'B', 'm.A', '[]A', '=x', '=this.x', 'a()', 'this.run()', 'x.run()', '=x[]', '=A'];
const SPECIFIERS: Record<string, string[]> = {
  ts: ['./m', './n', './lib', '../m', './index', './util.js', '@x/lib', './lib/m', 'react'],
  js: ['./m', './index', '../n'],
  py: ['p', 'p.q', 'p.r', 'q', '.', '.q', '..', '..q', 'os'],
  go: ['example.com/x/go', 'fmt'],
  java: ['pkg', 'pkg.A', 'pkg.sub', 'pkg.A.B', 'java.util'],
  kt: ['pkg', 'pkg.A', 'pkg.sub'],
  h: ['c.h', 'd.h', 'stdio.h'],
  c: ['c.h', 'd.h', '../c.h', 'd.c'],
  cpp: ['c.h', 'd.h'],
  rs: ['crate::r', 'self::r', 'super', 'crate', 'std::io'],
  rb: ['b', './A', 'json'],
  swift: ['Foundation'],
  lua: ['m', 'p'],
};

const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const optional = (values: readonly string[]): fc.Arbitrary<string | undefined> =>
  values.length === 0 ? fc.constant(undefined) : fc.option(oneOf(values), { nil: undefined });

/** What is random of a file, in lists whose entries can be changed one by one. */
export interface RandomFile {
  symbols: RandomSymbol[];
  references: RandomReference[];
  imports: RandomImport[];
  bindings: RandomBinding[];
}

interface RandomSymbol {
  name: string;
  kind: SymbolKind;
  flags: number;
  /** How many levels up from the symbol before it its container is. */
  up: number;
  type: string | undefined;
  arity: number;
  owner: string | undefined;
}

interface RandomReference {
  name: string;
  kind: number;
  owner: number;
  receiver: string | undefined;
  arity: number;
}

interface RandomImport {
  specifier: string;
  imported: string | undefined;
  local: string | undefined;
  flags: number;
  owner: number;
}

interface RandomBinding {
  name: string;
  owner: number;
  type: string | undefined;
  line: number;
}

const shape = {
  flags: fc.constantFrom(
    0,
    SymbolFlag.EXPORTED,
    SymbolFlag.EXPORTED | SymbolFlag.DEFAULT,
    SymbolFlag.TEST,
    SymbolFlag.ABSTRACT,
    SymbolFlag.PRIVATE,
  ),
  up: fc.nat(3),
  arity: fc.constantFrom(-1, 0, 1, 1001),
};
const symbolArbitrary: fc.Arbitrary<RandomSymbol> = fc.oneof(
  fc.record({
    ...shape,
    name: oneOf(TYPES),
    kind: oneOf<SymbolKind>(['class', 'class', 'interface', 'extension', 'extension']),
    type: optional([]),
    owner: optional([]),
  }),
  fc.record({
    ...shape,
    name: oneOf(VALUES),
    kind: oneOf<SymbolKind>(['function', 'method', 'method', 'constructor']),
    type: optional(TYPE_TEXTS),
    owner: optional(['A', 'B', 'm', 'm.A', 'p.A']),
  }),
  fc.record({
    ...shape,
    name: oneOf([...VALUES, ...TYPES, 'm']),
    kind: oneOf<SymbolKind>(['constant', 'field', 'module', 'function', 'class']),
    type: optional(TYPE_TEXTS),
    owner: optional([]),
  }),
);
const referenceArbitrary: fc.Arbitrary<RandomReference> = fc.record({
  name: oneOf(NAMES),
  kind: fc.oneof(fc.constant(0), fc.nat(REFERENCE_KINDS.length - 1)),
  owner: fc.nat(20),
  receiver: optional(RECEIVERS),
  arity: fc.constantFrom(-1, 0, 1, 1001),
});
const bindingArbitrary: fc.Arbitrary<RandomBinding> = fc.record({
  name: oneOf(['x', 'a', 'm', 'this.x', 'this.run']),
  owner: fc.nat(20),
  type: optional(TYPE_TEXTS),
  line: fc.nat(20),
});

function importArbitrary(path: string): fc.Arbitrary<RandomImport> {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  const specifier = oneOf(SPECIFIERS[ending]!);
  const nothing = fc.constant(undefined);
  const owner = fc.constantFrom(0, 0, 0, 1, 2);
  const include = fc.record({
    specifier,
    imported: nothing,
    local: nothing,
    flags: fc.constant(ImportFlag.WILDCARD),
    owner: fc.constant(0),
  });
  if (['h', 'c', 'cpp'].includes(ending)) return include;
  const plain = oneOf([...VALUES, ...TYPES]).chain((name) =>
    fc.record({ specifier, imported: fc.constant(name), local: fc.constant(name), flags: fc.constant(0), owner }),
  );
  const module = fc.record({
    specifier,
    imported: fc.constant('*'),
    local: oneOf(MODULES),
    flags: fc.constant(0),
    owner,
  });
  const declared = { specifier, imported: nothing, local: nothing, flags: fc.constant(ImportFlag.PACKAGE), owner };
  const any = fc.record({
    specifier,
    imported: optional([...NAMES, '*', 'default', 'export=']),
    local: optional([...NAMES, 'p.q']),
    flags: fc.constantFrom(
      0,
      ImportFlag.RE_EXPORT,
      ImportFlag.WILDCARD,
      ImportFlag.RE_EXPORT | ImportFlag.WILDCARD,
      ImportFlag.LOCAL_EXPORT,
      ImportFlag.PACKAGE,
    ),
    owner,
  });
  return ['java', 'kt'].includes(ending) ? fc.oneof(fc.record(declared), plain, any) : fc.oneof(plain, module, any);
}

/** What a file has that hardly makes sense, but uses the names and paths of the others. */
export function randomFile(path: string): fc.Arbitrary<RandomFile> {
  return fc.record({
    symbols: fc.array(symbolArbitrary, { minLength: 1, maxLength: 7 }),
    references: fc.array(referenceArbitrary, { maxLength: 10 }),
    imports: fc.array(importArbitrary(path), { maxLength: 4 }),
    bindings: fc.array(bindingArbitrary, { maxLength: 4 }),
  });
}

/** An edit: some entries are replaced or, with undefined, taken out; others stay. */
export function randomEdit(path: string): fc.Arbitrary<(file: RandomFile) => RandomFile> {
  const change = <T>(entry: fc.Arbitrary<T>): fc.Arbitrary<(list: T[]) => T[]> =>
    fc
      .option(fc.tuple(fc.nat(20), fc.option(entry, { nil: undefined })), { nil: undefined, freq: 2 })
      .map((edit) => (list) => {
        if (edit === undefined || list.length === 0) return list;
        const [at, value] = edit;
        return value === undefined ? list.toSpliced(at % list.length, 1) : list.with(at % list.length, value);
      });
  return fc
    .record({
      symbols: change(symbolArbitrary),
      references: change(referenceArbitrary),
      imports: change(importArbitrary(path)),
      bindings: change(bindingArbitrary),
    })
    .map((edit) => (file) => ({
      symbols: edit.symbols(file.symbols),
      references: edit.references(file.references),
      imports: edit.imports(file.imports),
      bindings: edit.bindings(file.bindings),
    }));
}

/** The facts that a parse of such a file would find. */
export function factsOf(path: string, file: RandomFile): FileFacts {
  const names: string[] = [];
  const name = (text: string | undefined): number => {
    if (text === undefined) return -1;
    if (!names.includes(text)) names.push(text);
    return names.indexOf(text);
  };
  const owner = (number: number): number => (number % (file.symbols.length + 1)) - 1;
  const lineIn = (row: number): number => (row < 0 ? 1 : 2 + 3 * row);
  const containers: number[] = [];
  const ends = file.symbols.map((_, row) => 3 + 3 * row);
  file.symbols.forEach(({ up }, row) => {
    let container = row - 1;
    for (let level = 0; level < up && container >= 0; level++) container = containers[container]!;
    containers.push(container);
    for (let outer = container; outer >= 0; outer = containers[outer]!) ends[outer] = 3 + 3 * row;
  });
  const symbols = file.symbols.map(({ name: own, kind, flags, type, arity, owner: of }, row) => {
    const line = 1 + 3 * row;
    const kindNumber = SYMBOL_KINDS.indexOf(kind);
    const place = [line, ends[row]!, line, 2, 0, 0, line];
    return [name(own), kindNumber, containers[row]!, flags, ...place, name(type), arity, name(of)];
  });
  const references = file.references
    .map((each, index) => ({ ...each, row: owner(each.owner), index }))
    .sort((one, other) => lineIn(one.row) - lineIn(other.row) || one.index - other.index)
    .map((each) => {
      return [name(each.name), each.kind, each.row, lineIn(each.row), 10 * each.index, name(each.receiver), each.arity];
    });
  const imports = file.imports.map(({ specifier, imported, local, flags, owner: own }, index) => {
    const from = (flags & ImportFlag.LOCAL_EXPORT) !== 0 ? undefined : specifier;
    return [name(from), name(imported), name(local), index + 1, flags, owner(own)];
  });
  const bindings = file.bindings.map((each) => [name(each.name), owner(each.owner), each.line, name(each.type)]);
  return {
    language: detectLanguage(path, () => ''),
    state: 'parsed',
    lines: 100,
    symbols: Int32Array.from(symbols.flat()),
    references: Int32Array.from(references.flat()),
    imports: Int32Array.from(imports.flat()),
    bindings: Int32Array.from(bindings.flat()),
    names,
  };
}
