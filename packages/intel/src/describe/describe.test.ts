import { describe, expect, it } from 'vitest';
import type { CodeSymbol } from '../graph/code-graph-api.ts';
import { docOf } from './doc-of.ts';
import { signatureOf } from './signature-of.ts';

/** A symbol of these lines; its name on the first line that has it. */
function symbolIn(lines: readonly string[], name: string, more: Partial<CodeSymbol> = {}): CodeSymbol {
  const nameLine = lines.findIndex((line) => line.includes(name)) + 1 || 1;
  return {
    ...{ id: 0, name, kind: 'function', container: [], file: 0, path: 'a', exported: true, isTest: false },
    ...{ startLine: nameLine, endLine: lines.length, nameLine, nameColumn: 0, doc: undefined },
    signatureEndLine: nameLine,
    ...more,
  };
}

function reader(lines: readonly string[]) {
  return { lines: (_path: string, start: number, end: number) => lines.slice(start - 1, end) };
}

describe('signatureOf', () => {
  it.each([
    ['export function save(a: A): void {', 'export function save(a: A): void'],
    ['export function save(a: A): void { return go(a); }', 'export function save(a: A): void'],
    ['export function save({ a }: { a: A }): void {', 'export function save({ a }: { a: A }): void'],
    ['export const save = async (a) => {', 'export const save = async (a)'],
    ['  def save(self, a: int = 1) -> None:', 'def save(self, a: int = 1) -> None'],
    ['func (s *Store) Save(a int) error {', 'func (s *Store) Save(a int) error'],
    ['pub fn save<T: Into<A>>(a: T) -> Result<()> {', 'pub fn save<T: Into<A>>(a: T) -> Result<()>'],
    ['  save(a: A): void;', 'save(a: A): void'],
    ['type save = { a: string };', 'type save'],
    ['enum save {', 'enum save'],
    ['save() {', 'save()'],
    ["it('can save', async () => { go(); });", "it('can save')"],
  ])('INT-1 %s', (line, signature) => {
    expect(
      signatureOf(
        reader([line]),
        symbolIn([line], signature.toLowerCase().includes('save') ? /save/i.exec(line)![0] : ''),
      ),
    ).toBe(signature);
  });

  it('INT-1 puts a signature of several lines on one', () => {
    const lines = ['export function save(', '  a: A,', '  b: B,', '): void {', '  go();', '}'];
    const symbol = symbolIn(lines, 'save', { signatureEndLine: 4 });
    expect(signatureOf(reader(lines), symbol)).toBe('export function save(a: A, b: B): void');
  });

  it('INT-1 leaves out comments, and the value of a long constant', () => {
    const line = 'app: Proxy = LocalProxy(  # type: ignore[assignment]';
    const lines = [line, '    _context, "app", unbound_message=NO_APPLICATION_TO_TALK_OF', ')'];
    expect(signatureOf(reader(lines), symbolIn(lines, 'app', { kind: 'constant', signatureEndLine: 3 }))).toBe(
      'app: Proxy',
    );
    expect(
      signatureOf(reader(['const MOST = 8; // so many']), symbolIn(['const MOST = 8;'], 'MOST', { kind: 'constant' })),
    ).toBe('const MOST = 8');
    const commented = ['function save(/* what */ a: A): void {'];
    expect(signatureOf(reader(commented), symbolIn(commented, 'save'))).toBe('function save(a: A): void');
  });

  it('INT-5 says nothing of a file that has changed or is gone', () => {
    const symbol = symbolIn(['function save() {'], 'save');
    expect(signatureOf(reader(['', '']), symbol)).toBeUndefined();
    expect(signatureOf({ lines: () => undefined }, symbol)).toBeUndefined();
  });
});

describe('docOf', () => {
  it.each([
    [['/** Saves a note. Then more. */'], 'Saves a note.'],
    [['/**', ' * Saves a note', ' * to the disk.', ' *', ' * More.', ' */'], 'Saves a note to the disk.'],
    [['/**', ' * Saves e.g. a note.', ' * @param a what', ' */'], 'Saves e.g. a note.'],
    [['/// Saves a note.', '/// More.'], 'Saves a note.'],
    [['// Save saves a note', '// and more'], 'Save saves a note and more'],
    [['# Saves a note.'], 'Saves a note.'],
    [['"""Saves a note."""'], 'Saves a note.'],
    [['"""', '    Saves a note.', '', '    More.', '"""'], 'Saves a note.'],
    [['--- Saves a note.'], 'Saves a note.'],
    [['/// <summary>', '/// Saves a note.', '/// </summary>'], 'Saves a note.'],
    [['/** শিরোনাম রাখে। আরও। */'], 'শিরোনাম রাখে। আরও।'],
    [['/**', ' */'], undefined],
  ])('INT-1 %j', (lines, sentence) => {
    const doc = { startLine: 1, endLine: lines.length };
    expect(docOf(reader(lines), symbolIn(lines, 'x', { doc }))).toBe(sentence);
  });
});
