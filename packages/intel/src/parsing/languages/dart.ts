import { readAsset } from '@black-ide/workspace';
import { SymbolFlag } from '../file-facts.ts';
import type { LanguageSpec, NamedImport, SymbolView } from '../language-spec.ts';

const { EXPORTED, STATIC, ABSTRACT, PRIVATE, OVERRIDE } = SymbolFlag;

export const dart: LanguageSpec = {
  query: () =>
    readAsset(new URL('../queries/dart.scm', import.meta.url)) +
    readAsset(new URL('../queries/identifiers.scm', import.meta.url)),
  flags: new Map<string, number>([
    ['static', STATIC],
    ['abstract', ABSTRACT],
  ]),
  selves: new Map(),
  keywords: new Set('true false null switch'.split(' ')),
  constructors: new Set(),
  wrappers: new Set('Future FutureOr Stream ValueNotifier AsyncValue'.split(' ')),
  sequences: new Set('List Set Iterable Iterator Queue'.split(' ')),
  nothing: new Set('void dynamic Object Never int double num bool var'.split(' ')),
  reads: 'all',
  readImport,
  normalType,
  refine,
};

/** `import 'a.dart' as a show B, C hide D`, `export …`, `part …`. */
function readImport(statement: string): NamedImport[] {
  const specifier = /['"]([^'"]+)['"]/.exec(statement)?.[1];
  if (specifier === undefined) return [];
  const prefix = /\bas\s+(\w+)/.exec(statement)?.[1];
  const shown = /\bshow\s+([\w\s,]+?)(?=\bhide\b|;|$)/.exec(statement)?.[1];
  if (prefix !== undefined || shown === undefined) return [{ specifier, imported: '*', local: prefix }];
  return shown.split(',').map((name) => ({ specifier, imported: name.trim(), local: name.trim() }));
}

/** What a map maps to is what it holds. */
function normalType(written: string): string {
  const mapped = /^\w*Map<[^,]+,\s*(.+)>$/s.exec(written)?.[1];
  return mapped === undefined ? written : `${mapped}[]`;
}

function refine(symbol: SymbolView): void {
  if (/@override\b/.test(symbol.decorators)) symbol.flags |= OVERRIDE;
  symbol.flags |= symbol.name.startsWith('_') ? PRIVATE : EXPORTED;
}
