import { describe, expect, it } from 'vitest';
import { definitionOn, isComment, isDocText, isImport } from './definitions.ts';

describe('definitions by the line', () => {
  it.each<[path: string, line: string, name: string | undefined, kind?: string, exported?: boolean]>([
    ['a.ts', 'export function save(note: Note): void {', 'save', 'function', true],
    ['a.ts', 'export default async function* walk() {', 'walk', 'function', true],
    ['a.ts', 'const add = (a: number, b: number): number => a + b;', 'add', 'function', false],
    ['a.ts', 'export const MAX = 3;', 'MAX', 'const', true],
    ['a.ts', 'export abstract class Store<T> {', 'Store', 'class', true],
    ['a.ts', 'type Id = string;', 'Id', 'type', false],
    ['a.ts', 'export type Id<T> =', 'Id', 'type', true],
    ['a.ts', '  type Request,', undefined],
    ['a.ts', '  type Request', undefined],
    ['a.ts', '  async save(note: Note): Promise<void> {', 'save', 'method', false],
    ['a.ts', '  #hidden(a = f(1)) {', '#hidden', 'method', false],
    ['a.js', 'exports.save = function () {', 'save', 'export', false],
    ['a.js', 'exports.save = save;', undefined],
    ['a.js', 'const a = require("./a.js");', undefined],
    ['a.ts', '  if (save(note)) {', undefined],
    ['a.ts', '  } else if (x) {', undefined],
    ['a.ts', '  isEmpty(line[3])) {', undefined],
    ['a.ts', '  return save(note);', undefined],
    ['a.py', 'async def save(note):', 'save', 'def', true],
    ['a.py', 'class _Hidden(Base):', '_Hidden', 'class', false],
    ['a.py', 'MAX_TITLE: int = 80', 'MAX_TITLE', 'constant', true],
    ['a.go', 'func (s *Store) Save(n Note) error {', 'Save', 'func', true],
    ['a.go', 'type note struct {', 'note', 'type', false],
    ['a.rs', 'pub(crate) async fn save<T>(note: T) -> Result<()> {', 'save', 'fn', true],
    ['a.rs', 'impl Store {', undefined],
    ['A.java', '    public static void save(Note note) throws IOException {', 'save', 'function', true],
    ['A.java', 'public final class Store implements Closeable {', 'Store', 'class', true],
    ['a.kt', 'data class Note(val title: String)', 'Note', 'class', false],
    ['a.c', 'static int save_note(struct note *n) {', 'save_note', 'function', false],
    ['a.c', '#define MAX_TITLE 80', 'MAX_TITLE', 'define', false],
    ['a.rb', '  def self.save!(note)', 'save!', 'def', true],
    ['a.sh', 'save_note() {', 'save_note', 'function', true],
    ['a.sql', 'CREATE TABLE IF NOT EXISTS notes (', 'notes', 'TABLE', true],
    ['a.md', '## How notes are saved', 'How notes are saved', 'heading', true],
    ['package.json', '  "scripts": {', 'scripts', 'key', false],
    ['Makefile', 'test: build', 'test', 'target', false],
    ['a.unknown', 'function save() {', undefined],
    ['a.ts', `const x = '${'y'.repeat(600)}';`, undefined],
  ])('IDE-28 %s: %s', (path, line, name, kind, exported) => {
    expect(definitionOn(line, path)).toEqual(name === undefined ? undefined : { name, kind, exported });
  });

  it.each([
    ['A user-created :class:`Request <Request>` object.', true],
    ['    :param request: the Request to send', true],
    ['    """Sends a Request.', true],
    ['    >>> r = Request()', true],
    ['This is the Request that was sent.', true],
    ['        raise Request(x) from error', false],
    ['    for request in requests if request is not None', false],
    ['    request: Request | None', false],
    ["        name = 'a Request of mine'", false],
    ['        Request,', false],
  ])('IDE-28 tells docstrings from code in Python: %s', (line, prose) => {
    expect(isDocText(line, 'a.py')).toBe(prose);
    expect(isDocText(line, 'a.ts')).toBe(false);
  });

  it('IDE-28 knows imports and comments', () => {
    const imports = [
      "import a from 'a';",
      "} from './a.ts';",
      'from a import b',
      'use std::fs;',
      '#include <stdio.h>',
      "const a = require('a')",
    ];
    expect(imports.map(isImport)).toEqual(imports.map(() => true));
    expect(isImport('important = 1')).toBe(false);
    expect([
      isComment('  // a', 'a.ts'),
      isComment(' * a', 'a.ts'),
      isComment('# a', 'a.py'),
      isComment('# a', 'a.md'),
      isComment('a * b', 'a.ts'),
    ]).toEqual([true, true, true, false, false]);
  });
});
