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

/** Paths whose files import each other in the ways of their languages. */
export const RANDOM_PATHS = [
  'm.ts',
  'n.ts',
  'lib/m.ts',
  'lib/index.ts',
  'lib/util.js',
  'q.py',
  'p/__init__.py',
  'p/q.py',
  'p/r.py',
  'go/x.go',
  'go/y.go',
  'main.go',
  'J.java',
  'src/K.java',
  'c.h',
  'c.c',
  'lib/d.c',
  'lib.rs',
  'r.rs',
  'r/mod.rs',
  'A.rb',
  'b.rb',
] as const;

const VALUES = ['a', 'b', 'run', 'get', 'x', 'default'];
const TYPES = ['A', 'B', 'C'];
const MODULES = ['m', 'n', 'p', 'q', 'r', 'lib', 'go'];
const NAMES = [...VALUES, ...TYPES, ...MODULES];
const RECEIVERS = ['this', 'super', 'x', 'm', 'A', 'a()', 'x.run()', 'this.x', 'm.A', 'p.q', 'go', 'this.x.get()', '?'];
const TYPE_TEXTS = [
  'A',
  'B',
  'm.A',
  'p.q.C',
  '[]A',
  '=x',
  '=this.x',
  'a()',
  'this.run()',
  'x.get()',
  '=x[]',
  '=m.a',
  '=A',
];
const SPECIFIERS: Record<string, string[]> = {
  ts: ['./m', './n', './lib', '../m', './index', './util.js', '@x/lib', 'react', './lib/m'],
  js: ['./m', './index', '../n'],
  py: ['p', 'p.q', 'p.r', 'q', '.', '.q', '..', '..q', 'os'],
  go: ['example.com/x/go', 'fmt'],
  java: ['pkg', 'pkg.A', 'pkg.sub', 'pkg.A.B', 'java.util'],
  h: ['c.h', 'stdio.h'],
  c: ['c.h', 'd.h', '../c.h', 'd.c'],
  rs: ['crate::r', 'self::r', 'super', 'crate', 'std::io'],
  rb: ['b', './A', 'json'],
};

const kindNumber = (kind: SymbolKind): number => SYMBOL_KINDS.indexOf(kind);
const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const optional = (values: readonly string[]): fc.Arbitrary<string | undefined> =>
  fc.option(oneOf(values), { nil: undefined });

const flags = fc.constantFrom(0, SymbolFlag.EXPORTED, SymbolFlag.EXPORTED | SymbolFlag.DEFAULT, SymbolFlag.TEST);
const symbolArbitrary = fc.record({
  name: oneOf([...VALUES, ...TYPES]),
  kind: oneOf<SymbolKind>(['function', 'method', 'class', 'interface', 'constant', 'field', 'module', 'constructor']),
  flags,
  /** How many levels up from the symbol before it its container is. */
  up: fc.nat(3),
  type: optional(TYPE_TEXTS),
  arity: fc.constantFrom(-1, 0, 1, 2, 1001),
});
const referenceArbitrary = fc.record({
  name: oneOf(NAMES),
  kind: fc.nat(REFERENCE_KINDS.length - 1),
  owner: fc.nat(20),
  receiver: optional(RECEIVERS),
  arity: fc.constantFrom(-1, 0, 1, 1001),
});
const bindingArbitrary = fc.record({
  name: oneOf(['x', 'a', 'm', 'this.x', 'this.get']),
  owner: fc.nat(20),
  type: optional(TYPE_TEXTS),
  line: fc.nat(40),
});

function importArbitrary(path: string): fc.Arbitrary<{ specifier: string | undefined } & Record<string, unknown>> {
  const specifiers = SPECIFIERS[path.slice(path.lastIndexOf('.') + 1)]!;
  return fc.record({
    specifier: oneOf(specifiers),
    imported: optional([...NAMES, '*', 'default', 'export=']),
    local: optional([...NAMES, 'p.q']),
    flags: fc.constantFrom(
      0,
      0,
      0,
      ImportFlag.RE_EXPORT,
      ImportFlag.WILDCARD,
      ImportFlag.RE_EXPORT | ImportFlag.WILDCARD,
      ImportFlag.LOCAL_EXPORT,
      ImportFlag.PACKAGE,
    ),
    owner: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
  });
}

/** Facts of a file that hardly make sense, but use the names and paths of the others. */
export function randomFacts(path: string): fc.Arbitrary<FileFacts> {
  return fc
    .record({
      symbols: fc.array(symbolArbitrary, { maxLength: 8 }),
      references: fc.array(referenceArbitrary, { maxLength: 10 }),
      imports: fc.array(importArbitrary(path), { maxLength: 4 }),
      bindings: fc.array(bindingArbitrary, { maxLength: 4 }),
    })
    .map((file) => {
      const names: string[] = [];
      const name = (text: string | undefined): number => {
        if (text === undefined) return -1;
        if (!names.includes(text)) names.push(text);
        return names.indexOf(text);
      };
      const count = file.symbols.length;
      const owner = (number: number): number => (count === 0 ? -1 : (number % (count + 1)) - 1);
      const ends = file.symbols.map((_, row) => 3 + 3 * row);
      const containers: number[] = [];
      const symbols = file.symbols.flatMap((symbol, row) => {
        let container = row - 1;
        for (let up = 0; up < symbol.up && container >= 0; up++) container = containers[container]!;
        containers.push(container);
        for (let outer = container; outer >= 0; outer = containers[outer]!) ends[outer] = 3 + 3 * row;
        return [{ ...symbol, row, container }];
      });
      const lineIn = (row: number): number => (row < 0 ? 1 : 2 + 3 * row);
      return {
        language: detectLanguage(path, () => ''),
        state: 'parsed' as const,
        lines: 100,
        symbols: Int32Array.from(
          symbols.flatMap(({ name: text, kind, flags: own, type, arity, row, container }) => {
            const line = 1 + 3 * row;
            const type2 = name(type);
            return [name(text), kindNumber(kind), container, own, line, ends[row]!, line, 2, 0, 0, line, type2, arity];
          }),
        ),
        references: Int32Array.from(
          file.references
            .map((each, index) => ({ ...each, row: owner(each.owner), index }))
            .sort((one, other) => lineIn(one.row) - lineIn(other.row) || one.index - other.index)
            .flatMap(({ name: text, kind, row, receiver, arity, index }) => {
              return [name(text), kind, row, lineIn(row), 10 * index, name(receiver), arity];
            }),
        ),
        imports: Int32Array.from(
          file.imports.flatMap((each, index) => {
            const own = each.flags as number;
            const specifier = (own & ImportFlag.LOCAL_EXPORT) !== 0 ? -1 : name(each.specifier);
            const row = each.owner === undefined ? -1 : owner(each.owner as number);
            const imported = name(each.imported as string | undefined);
            return [specifier, imported, name(each.local as string | undefined), index + 1, own, row];
          }),
        ),
        bindings: Int32Array.from(
          file.bindings.flatMap((each) => [name(each.name), owner(each.owner), each.line, name(each.type)]),
        ),
        names,
      };
    });
}
