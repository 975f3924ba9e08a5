import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, SymbolView } from '../language-spec.ts';

const BUILT_IN_TYPES =
  'bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any';

export const go: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/go.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map(),
  selves: new Map(),
  keywords: new Set('func nil true false struct interface map chan range'.split(' ')),
  constructors: new Set(),
  wrappers: new Set(),
  sequences: new Set(),
  nothing: new Set(BUILT_IN_TYPES.split(' ')),
  typePrefix: /^(?:\*|&)+/,
  reads: 'all',
  normalType,
  importName,
  valueType,
  refine,
};

/** `[]*Note`, `[4]Note`, `map[string]*Note`, `chan Note` hold notes. */
function normalType(written: string): string {
  const holder = /^(?:\.\.\.|\[[^\]]*\]|map\[[^\]]*\]|(?:<-\s*)?chan(?:\s*<-)?\s+)\s*\**/.exec(written)?.[0];
  return holder === undefined ? written : `${written.slice(holder.length)}[]`;
}

/** The last part of the path that is no version: what the package most likely calls itself. */
function importName(specifier: string): string {
  const parts = specifier.split('/').filter((part) => part !== '' && !/^v\d+$/.test(part));
  return (parts.at(-1) ?? specifier).replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '');
}

const LITERAL = /^&?\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[[^\]{]*\])?\{/u;
const SEQUENCE = /^(?:&\s*)?(?:\[[^\]]*\]|map\[[^\]]*\])\s*\*?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\{/u;
const NEW = /^new\(\s*\**([\p{L}_][\p{L}\p{N}_.]*)/u;
const MAKE = /^make\(\s*(?:\[\]|map\[[^\]]*\]|chan\s+)\s*\*?([\p{L}_][\p{L}\p{N}_.]*)/u;
const ASSERTION = /\.\(\s*\**([\p{L}_][\p{L}\p{N}_.]*)\s*\)$/u;

function valueType(text: string): string | undefined {
  const one = LITERAL.exec(text)?.[1] ?? NEW.exec(text)?.[1] ?? ASSERTION.exec(text)?.[1];
  if (one !== undefined) return one;
  const many = SEQUENCE.exec(text)?.[1] ?? MAKE.exec(text)?.[1];
  return many === undefined ? undefined : `[]${many}`;
}

function refine(symbol: SymbolView): void {
  if (/^\p{Lu}/u.test(symbol.name)) symbol.flags |= SymbolFlag.EXPORTED;
  else symbol.flags |= SymbolFlag.PRIVATE;
  if (symbol.kind === 'function' && !(symbol.flags & SymbolFlag.TEST)) return;
  if (symbol.kind !== 'function' || !/^(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})/u.test(symbol.name)) return;
  symbol.flags |= SymbolFlag.TEST;
}
