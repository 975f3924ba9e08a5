import { describe, expect, it } from 'vitest';
import type { Hit } from '../results/grep-result.ts';
import { bestPlaces, rankPlaces, type Term } from './rank.ts';
import { escapePattern, searchesFor, termsOf } from './search-pattern.ts';

function terms(...words: string[]): Term[] {
  return termsOf({ phrases: [], names: [], words, wants: 'any' });
}

const ANY = { wants: 'any', asked: new Set<never>() } as const;

function hit(path: string, line: number, text: string): Hit {
  return { path, line, text };
}

describe('ranking', () => {
  it('IDE-28 puts the place where all the words meet before those with some of them', () => {
    const hits = [
      hit('src/a.ts', 1, 'const title = 1;'),
      hit('src/b.ts', 5, 'export function checkTitle(note: Note) {'),
      hit('src/c.ts', 9, 'note.save();'),
    ];
    expect(rankPlaces(hits, terms('note', 'title', 'checked'), ANY)[0]).toMatchObject({
      path: 'src/b.ts',
      met: new Set([0, 1, 2]),
    });
  });

  it('IDE-28 puts definitions before uses and imports', () => {
    const hits = [
      hit('src/a.ts', 1, "import { saveNote } from './store.ts';"),
      hit('src/a.ts', 40, '  saveNote(note);'),
      hit('src/store.ts', 3, 'export function saveNote(note: Note) {'),
    ];
    const [first, , last] = rankPlaces(
      hits,
      termsOf({ phrases: [], names: ['saveNote'], words: [], wants: 'any' }),
      ANY,
    );
    expect([first?.line, last?.line]).toEqual([3, 1]);
  });

  it('IDE-28 puts sources before tests, unless tests are asked for', () => {
    const hits = [
      hit('src/lock.ts', 3, '/** Takes the session lock. */'),
      hit('test/lock.test.ts', 3, "it('takes the session lock first', () => {"),
    ];
    const asked = terms('session', 'lock', 'first');
    const places = (kinds: ReadonlySet<'test'>) =>
      bestPlaces(rankPlaces(hits, asked, { wants: 'any', asked: kinds }), asked, 5, 2);
    expect(places(new Set())[0]?.path).toBe('src/lock.ts');
    expect(places(new Set(['test'] as const))[0]?.path).toBe('test/lock.test.ts');
  });

  it.each<[what: string, better: Hit, worse: Hit, words: string[]]>([
    [
      'a definition called by the word before one that only takes it',
      hit('src/b.ts', 5, 'export class NoteStore {'),
      hit('src/a.ts', 5, 'function run(store: NoteStore) {'),
      ['notestore'],
    ],
    [
      'a use before a local value',
      hit('src/b.ts', 5, '  return budgetOf(model);'),
      hit('src/a.ts', 5, '  const budget = 1;'),
      ['budget'],
    ],
    [
      'the program before the kit of its tests',
      hit('src/wait.ts', 5, 'export function waitForTurn() {'),
      hit('packages/testkit/src/wait.ts', 5, 'export function waitForTurn() {'),
      ['turn', 'wait'],
    ],
    [
      'the thing before what is done to it',
      hit('src/b.ts', 5, 'const exitCode = 3;'),
      hit('src/a.ts', 5, 'if (decided) return exits;'),
      ['exit', 'code', 'decided'],
    ],
  ])('IDE-28 puts %s', (_, better, worse, words) => {
    expect(rankPlaces([worse, better], terms(...words), ANY)[0]).toMatchObject(better);
  });

  it('IDE-28 counts words near by, and words in the path', () => {
    const hits = [hit('src/note/title.ts', 10, '  if (value === "") fail();'), hit('src/x.ts', 10, '  fail(fail)')];
    expect(rankPlaces(hits, terms('note', 'title', 'fail'), ANY)[0]?.path).toBe('src/note/title.ts');
    const near = [
      hit('src/a.ts', 1, 'title'),
      hit('src/a.ts', 4, 'note'),
      hit('src/b.ts', 1, 'title'),
      hit('src/b.ts', 90, 'note'),
    ];
    expect(rankPlaces(near, terms('note', 'title'), ANY)[0]?.path).toBe('src/a.ts');
  });

  it('IDE-28 lets no line win by holding everything', () => {
    const hits = [hit('src/a.js', 1, `note title check ${'x'.repeat(400)}`), hit('src/b.ts', 1, 'check(note, title)')];
    expect(rankPlaces(hits, terms('note', 'title', 'check'), ANY)[0]?.path).toBe('src/b.ts');
  });

  it('IDE-28 answers with nothing for nothing', () => {
    expect(bestPlaces(rankPlaces([], terms('note'), ANY), terms('note'), 5, 2)).toEqual([]);
  });

  it('IDE-28 escapes what it searches for', () => {
    expect(new RegExp(escapePattern('a.*(b)+[c]$^|{d}\\')).test('a.*(b)+[c]$^|{d}\\')).toBe(true);
    const patterns = searchesFor(
      termsOf({ phrases: ['f(x)'], names: ['save_note'], words: ['id', 'a+b'], wants: 'any' }),
      'src',
    );
    expect(patterns).toContainEqual({ pattern: 'f(x)', literal: true, ignore_case: true, path: 'src' });
    expect(patterns).toContainEqual({ pattern: 'save[_-]?note', ignore_case: true, path: 'src' });
    expect(patterns).toContainEqual({ pattern: '(?:\\b|_)id', ignore_case: true, path: 'src' });
  });
});
