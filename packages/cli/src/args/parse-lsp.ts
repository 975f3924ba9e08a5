import type { EngineCommandInput, LanguageOperation } from '@black-ide/protocol';
import { nearest } from './nearest.ts';
import { quoted, type ReadFlags } from './read-flags.ts';
import { UsageError } from './usage-error.ts';

export interface LspInvocation {
  command: 'lsp';
  question: Omit<Extract<EngineCommandInput, { type: 'askLanguages' }>, 'type'>;
  trust: boolean;
  json: boolean;
}

/** Words of the command line, and what they ask. */
const OPERATIONS: Readonly<Record<string, LanguageOperation>> = {
  status: 'status',
  diagnostics: 'diagnostics',
  definition: 'definition',
  'type-definition': 'type_definition',
  implementation: 'implementation',
  references: 'references',
  hover: 'hover',
  symbols: 'symbols',
  search: 'workspace_symbols',
  rename: 'rename',
  actions: 'code_actions',
  callers: 'callers',
  callees: 'callees',
};
const EXAMPLE = 'black lsp definition src/store.ts:12:9';

/** Reads `black lsp OPERATION …`. @throws UsageError */
export function parseLsp({ flags, words }: ReadFlags): LspInvocation {
  const [name = '', ...rest] = words;
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation) {
    const meant = nearest(name, Object.keys(OPERATIONS));
    const next = meant ? `Did you mean black lsp ${meant}?` : `One of ${Object.keys(OPERATIONS).join(', ')}.`;
    throw new UsageError(`black lsp cannot ${quoted(name)}.`, next);
  }
  const symbol = flags.get('symbol');
  const question = { operation, ...argumentsOf(operation, rest), ...(typeof symbol === 'string' ? { symbol } : {}) };
  return { command: 'lsp', question, trust: flags.has('trust'), json: flags.has('json') };
}

function argumentsOf(operation: LanguageOperation, words: readonly string[]) {
  switch (operation) {
    case 'status':
      return none(words);
    case 'diagnostics':
      return words.length > 0 ? placeOf(one(words)) : {};
    case 'workspace_symbols': {
      const [query = '', path, ...more] = words;
      none(more);
      if (query === '') throw new UsageError('What is to be searched for is missing.', 'black lsp search save');
      return { query, ...(path ? { path } : {}) };
    }
    case 'rename': {
      const [place, newName, ...more] = words;
      none(more);
      if (!place || !newName)
        throw new UsageError('A place and a new name are needed.', 'black lsp rename a.ts:3:7 total');
      return { ...placeOf(place), newName };
    }
    default:
      return placeOf(one(words));
  }
}

function one(words: readonly string[]): string {
  const [word, ...more] = words;
  none(more);
  if (word) return word;
  throw new UsageError('The file is missing.', EXAMPLE);
}

function none(words: readonly string[]): Record<string, never> {
  if (words.length === 0) return {};
  throw new UsageError(`That is one word too many: ${quoted(words[0]!)}.`, EXAMPLE);
}

/** `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`. */
function placeOf(word: string): { path: string; line?: number; column?: number } {
  const [, path = word, line, column] = /^(.+?)(?::(\d+))?(?::(\d+))?$/.exec(word) ?? [];
  const place = { path, ...(line ? { line: Number(line) } : {}), ...(column ? { column: Number(column) } : {}) };
  if (place.line === 0 || place.column === 0) throw new UsageError('Lines and columns count from 1.', EXAMPLE);
  return place;
}
