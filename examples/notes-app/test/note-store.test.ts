import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { NoteStore } from '../src/note-store.ts';
import { Notebook } from '../src/notebook.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'));
});
after(() => rm(folder, { recursive: true }));

test('a missing file holds no notes', async () => {
  assert.deepEqual(await new NoteStore(join(folder, 'missing.json')).load(), []);
});

test('saved notes come back', async () => {
  const store = new NoteStore(join(folder, 'notes.json'));
  const book = new Notebook();
  book.add({ title: 'Äpfel 🍎', tags: ['food'] });
  await store.save(book.list());
  assert.deepEqual(await store.load(), book.list());
});

test('a file with something else is refused', async () => {
  const file = join(folder, 'other.json');
  await writeFile(file, '{}');
  await assert.rejects(new NoteStore(file).load(), /list of notes/);
});
