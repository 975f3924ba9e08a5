import type { Note } from './note.ts';
import { validateTitle } from './validate-title.ts';

/** What a new note is made of. */
export interface NoteInput {
  title: string;
  text?: string;
  tags?: string[];
}

/** The notes in memory, and what can be done with them. */
export class Notebook {
  #notes: Note[];
  #lastId: number;
  readonly #now: () => Date;

  constructor(notes: Note[] = [], now: () => Date = () => new Date()) {
    this.#notes = [...notes];
    this.#lastId = Math.max(0, ...notes.map((note) => note.id));
    this.#now = now;
  }

  /** Adds a note. Throws a `TitleError` if its title cannot be used. */
  add({ title, text = '', tags = [] }: NoteInput): Note {
    const note: Note = {
      id: this.#lastId + 1,
      title: validateTitle(title),
      text: text.trim(),
      tags,
      createdAt: this.#now().toISOString(),
    };
    this.#lastId = note.id;
    this.#notes.push(note);
    return note;
  }

  /** All notes, oldest first, or only those with a tag. */
  list(tag?: string): Note[] {
    return this.#notes.filter((note) => tag === undefined || note.tags.includes(tag.toLowerCase()));
  }

  /** Notes whose title or text contains the words, in any case. */
  search(words: string): Note[] {
    const wanted = words.toLowerCase();
    return this.#notes.filter((note) => `${note.title}\n${note.text}`.toLowerCase().includes(wanted));
  }

  /** Removes a note and returns it, or undefined if there is none with that id. */
  remove(id: number): Note | undefined {
    const note = this.#notes.find((each) => each.id === id);
    this.#notes = this.#notes.filter((each) => each !== note);
    return note;
  }
}
