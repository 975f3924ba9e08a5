import { type Entry, eventsOf, isRecord, type SearchMatch, textOf } from '@black-ide/protocol';
import { wellFormedJson } from '../well-formed-json.ts';
import type { SearchTerm } from './parse-query.ts';

/** Places told of each session. */
const MOST_MATCHES = 3;
const BEFORE = 50;
const AFTER = 110;
/** Of a longer message only the beginning is searched. */
const LONGEST_TEXT = 1_000_000;

/** Searches one session, line by line; keeps no more than the best few places. */
export class SessionSearch {
  readonly #terms: readonly SearchTerm[];
  readonly #found = new Set<SearchTerm>();
  #matches: { match: SearchMatch; terms: number }[] = [];

  constructor(terms: readonly SearchTerm[]) {
    this.#terms = terms;
  }

  /** Whether every term was found. */
  get complete(): boolean {
    return this.#found.size === this.#terms.length;
  }

  get matches(): SearchMatch[] {
    return this.#matches.map(({ match }) => match);
  }

  title(text: string): void {
    this.#look(text, { in: 'title' });
  }

  /** @returns false where nothing better can come. */
  line(line: string): boolean {
    if (!this.#mayMatch(line)) return true;
    const entry = parse(line);
    for (const said of entry ? saidIn(entry as unknown as Entry) : []) {
      const place = typeof entry?.id === 'string' ? { in: said.in, entryId: entry.id } : { in: said.in };
      this.#look(said.text, place);
    }
    return !(this.#matches.length === MOST_MATCHES && this.#matches.every(({ terms }) => terms === this.#terms.length));
  }

  /** Without reading JSON: most lines of a log hold nothing that is looked for. */
  #mayMatch(line: string): boolean {
    return this.#terms.some(({ hint }) => hint === undefined || hint.test(line)) || line.includes('\\u');
  }

  #look(text: string, place: Pick<SearchMatch, 'in' | 'entryId'>): void {
    const searched = text.slice(0, LONGEST_TEXT).normalize('NFC');
    const hits = this.#terms.flatMap((term) => {
      const at = firstMatch(term.pattern, searched);
      return at === undefined ? [] : [{ term, at }];
    });
    if (hits.length === 0) return;
    for (const { term } of hits) this.#found.add(term);
    const weakest = this.#matches.findLastIndex(({ terms }) => terms < hits.length);
    if (this.#matches.length === MOST_MATCHES) {
      if (weakest < 0) return;
      this.#matches.splice(weakest, 1);
    }
    const at = Math.min(...hits.map((hit) => hit.at));
    this.#matches.push({ match: { ...place, ...this.#excerpt(searched, at) }, terms: hits.length });
  }

  #excerpt(text: string, at: number): Pick<SearchMatch, 'text' | 'ranges'> {
    const from = Math.max(0, at - BEFORE);
    const to = Math.min(text.length, at + AFTER);
    const line = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim();
    const shown = `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`;
    return { text: shown, ranges: rangesOf(this.#terms, shown) };
  }
}

function firstMatch(pattern: RegExp, text: string): number | undefined {
  const match = pattern.exec(text);
  pattern.lastIndex = 0;
  return match && match[0] !== '' ? match.index : undefined;
}

/** Where the terms stand, in order and without overlaps. */
function rangesOf(terms: readonly SearchTerm[], text: string): [number, number][] {
  const all = terms
    .flatMap(({ pattern }) => [...text.matchAll(pattern)])
    .filter((match) => match[0] !== '')
    .map((match): [number, number] => [match.index, match.index + match[0].length])
    .sort(([a], [b]) => a - b);
  const ranges: [number, number][] = [];
  for (const [start, end] of all) {
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** What people and the model said in an entry; tool results are not searched. */
function saidIn(entry: Entry): { in: SearchMatch['in']; text: string }[] {
  return eventsOf(entry).flatMap((event): { in: SearchMatch['in']; text: string }[] => {
    switch (event.type) {
      case 'UserMessageAdded':
        return [{ in: 'user', text: textOf(event.content) }];
      case 'AssistantMessageAdded':
        return [{ in: 'assistant', text: textOf(event.content) }];
      case 'Compacted':
      case 'BranchSummarised':
        return [{ in: 'summary', text: event.summary }];
      case 'CommandRan':
        return [{ in: 'command', text: event.command }];
      case 'SessionRenamed':
        return [{ in: 'title', text: event.name }];
      default:
        return [];
    }
  });
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(wellFormedJson(line));
    return isRecord(value) && typeof value.type === 'string' ? value : undefined;
  } catch {
    // Cut off or garbage: there is nothing to be found in it.
    return undefined;
  }
}
