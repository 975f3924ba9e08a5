import type { GraphAction } from '@black-ide/intel';
import { quoted, type ReadFlags } from './read-flags.ts';
import { UsageError } from './usage-error.ts';

export interface GraphInvocation {
  command: 'graph';
  action: GraphAction;
  /** A symbol, a file, or for `dead` a folder; as it was typed. */
  of?: string;
  /** For `path`. */
  to?: string;
  /** For `impact`. */
  depth?: number;
  limit?: number;
  output: 'text' | 'json' | 'dot';
}

export interface CodeSearchInvocation {
  command: 'search';
  query: string;
  limit: number;
  path?: string;
  json: boolean;
}

export interface MapInvocation {
  command: 'map';
  tokens: number;
  for?: string;
  json: boolean;
}

const HITS = 10;
const MAP_TOKENS = 1500;
/** The flag of each action; none of them: explain. */
const ACTIONS: readonly (readonly [flag: string, action: GraphAction])[] = [
  ['callers', 'callers'],
  ['callees', 'callees'],
  ['references', 'references'],
  ['impact', 'impact'],
  ['tests', 'tests'],
  ['path-to', 'path'],
  ['dead', 'dead'],
];

export function parseGraph({ flags, words }: ReadFlags): GraphInvocation {
  const chosen = ACTIONS.filter(([flag]) => flags.has(flag));
  if (chosen.length > 1) {
    throw new UsageError(
      `${chosen.map(([flag]) => `--${flag}`).join(' and ')} are several questions; ask one at a time.`,
    );
  }
  if (flags.has('json') && flags.has('dot'))
    throw new UsageError('--json and --dot say the opposite; give one of them.');
  const action = chosen[0]?.[1] ?? 'explain';
  const [of] = words;
  if (of === undefined && action !== 'dead') {
    throw new UsageError('black graph needs a symbol or a file.', 'black graph saveNote, or black graph src/store.ts');
  }
  const to = flags.get('path-to');
  const depth = flags.get('impact');
  const limit = flags.get('limit');
  return {
    command: 'graph',
    action,
    ...(of === undefined ? {} : { of }),
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof depth === 'string' ? { depth: whole(depth, '--impact', 20) } : {}),
    ...(typeof limit === 'string' ? { limit: whole(limit, '--limit', 10_000) } : {}),
    output: flags.has('json') ? 'json' : flags.has('dot') ? 'dot' : 'text',
  };
}

export function parseCodeSearch({ flags, words }: ReadFlags): CodeSearchInvocation {
  const path = flags.get('path');
  const limit = flags.get('limit');
  const query = words.join(' ').trim();
  if (query === '') throw new UsageError('There is nothing to search for.', 'black search "retry after a rate limit"');
  return {
    command: 'search',
    query,
    limit: typeof limit === 'string' ? whole(limit, '--limit', 1000) : HITS,
    ...(typeof path === 'string' ? { path } : {}),
    json: flags.has('json'),
  };
}

export function parseMap({ flags }: ReadFlags): MapInvocation {
  const tokens = flags.get('tokens');
  const task = flags.get('for');
  return {
    command: 'map',
    tokens: typeof tokens === 'string' ? whole(tokens, '--tokens', 1_000_000) : MAP_TOKENS,
    ...(typeof task === 'string' ? { for: task } : {}),
    json: flags.has('json'),
  };
}

function whole(value: string, flag: string, most: number): number {
  const count = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= most) return count;
  throw new UsageError(`${flag} is a whole number from 1 to ${most}; not ${quoted(value)}.`);
}
