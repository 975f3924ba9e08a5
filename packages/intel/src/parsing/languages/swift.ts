import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ASYNC, PRIVATE, TEST, OVERRIDE } = SymbolFlag;

export const swift: LanguageSpec = {
  query: () => readAsset(new URL('../queries/swift.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['private', PRIVATE],
    ['fileprivate', PRIVATE],
    ['static', STATIC],
    ['async', ASYNC],
    ['override', OVERRIDE],
    ['Test', TEST],
  ]),
  selves: new Map([
    ['self', 'this'],
    ['Self', 'this'],
  ]),
  keywords: new Set('true false nil if switch'.split(' ')),
  constructors: new Set(),
  wrappers: new Set('Optional Result AnyPublisher Published Binding Weak'.split(' ')),
  sequences: new Set('Array Set Sequence Collection ArraySlice AsyncStream AsyncSequence'.split(' ')),
  nothing: new Set('Void Any AnyObject Int UInt Double Float Bool Character Never'.split(' ')),
  typePrefix: /^(?:inout|some|any|@escaping|@autoclosure)\s+/,
  reads: 'all',
  overloads: 'all',
  readImport,
  normalType,
  normalValue,
  valueType,
  refine,
};

/** `import Acme`, `import struct Acme.Note`. */
function readImport(statement: string): NamedImport[] {
  const path = statement.replace(/^(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+/, '').trim();
  const named = /^(?:struct|class|enum|protocol|func|var|let|typealias)\s+(.+)\.(\w+)$/.exec(path);
  if (named) return [{ specifier: named[1] ?? '', imported: named[2] ?? '', local: named[2] }];
  return path === '' ? [] : [{ specifier: path, imported: '*', local: undefined }];
}

/** `[Note]` and `[String: Note]` hold notes. */
function normalType(written: string): string {
  const held = /^\[(?:[^:[\]]+:\s*)?(.+)\]$/s.exec(written)?.[1];
  return held === undefined ? written : `${held}[]`;
}

/** Without `try` and `await`, and without what unwraps it. */
function normalValue(written: string): string {
  return written.replace(/^(?:try[!?]?\s+|await\s+)+/, '').replace(/!$/, '');
}

/** The type of a cast: `x as? Note`. */
function valueType(text: string): string | undefined {
  return /\bas[!?]?\s+(\p{Lu}[\p{L}\p{N}_.]*)(?:<[^>]*>)?$/u.exec(text)?.[1];
}

function refine(symbol: SymbolView): void {
  if (!(symbol.flags & PRIVATE)) symbol.flags |= EXPORTED;
}
