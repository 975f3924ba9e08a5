#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { formatList, formatNote } from './format-note.ts';
import { NoteStore } from './note-store.ts';
import { Notebook } from './notebook.ts';
import { parseTags } from './parse-tags.ts';

const USAGE = 'Usage: notes add TITLE [TEXT] [--tags a,b] | list [--tag a] | search WORDS | remove ID';

/** Carries out one command and returns what to print. Throws with a message for the person. */
async function run(argv: string[], store: NoteStore): Promise<string> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { tags: { type: 'string' }, tag: { type: 'string' } },
  });
  const [command, first, second] = positionals;
  const notebook = new Notebook(await store.load());
  switch (command) {
    case 'add': {
      const note = notebook.add({ title: first ?? '', text: second, tags: parseTags(values.tags ?? '') });
      await store.save(notebook.list());
      return formatNote(note);
    }
    case 'list':
      return formatList(notebook.list(values.tag));
    case 'search':
      return formatList(notebook.search(first ?? ''));
    case 'remove': {
      const note = notebook.remove(Number(first));
      if (!note) throw new Error(`There is no note #${first}.`);
      await store.save(notebook.list());
      return `Removed ${formatNote(note)}`;
    }
    default:
      throw new Error(USAGE);
  }
}

try {
  console.log(await run(process.argv.slice(2), new NoteStore(process.env.NOTES_FILE ?? 'notes.json')));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
