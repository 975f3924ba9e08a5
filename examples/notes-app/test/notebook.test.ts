import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatList } from '../src/format-note.ts';
import { Notebook } from '../src/notebook.ts';

const now = () => new Date('2026-01-02T03:04:05Z');

function notebook(): Notebook {
  const book = new Notebook([], now);
  book.add({ title: 'Shopping list', text: 'Milk and bread', tags: ['home', 'food'] });
  book.add({ title: 'Call Ada', tags: ['work'] });
  return book;
}

test('notes are numbered from 1 and dated', () => {
  const [first, second] = notebook().list();
  assert.deepEqual([first?.id, second?.id, first?.createdAt], [1, 2, '2026-01-02T03:04:05.000Z']);
});

test('notes can be listed by tag', () => {
  assert.deepEqual(
    notebook()
      .list('Work')
      .map((note) => note.title),
    ['Call Ada'],
  );
});

test('search looks at title and text', () => {
  assert.equal(notebook().search('BREAD').length, 1);
});

test('a removed id is not used again', () => {
  const book = notebook();
  book.remove(2);
  assert.equal(book.add({ title: 'Next' }).id, 3);
});

test('a list has a line for each note', () => {
  assert.equal(formatList(notebook().list()), '#1 Shopping list (home, food) Milk and bread\n#2 Call Ada (work)');
});
