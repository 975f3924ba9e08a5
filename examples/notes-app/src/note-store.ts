import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Note } from './note.ts';

/** Keeps the notes in one JSON file. */
export class NoteStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The stored notes; none if the file is not there yet. Throws if it holds something else. */
  async load(): Promise<Note[]> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    const data: unknown = JSON.parse(text);
    if (!Array.isArray(data)) throw new Error(`${this.#file} does not hold a list of notes.`);
    return data;
  }

  /** Writes the notes in one step: a reader sees the old list or the new one. */
  async save(notes: Note[]): Promise<void> {
    const temporary = `${this.#file}.tmp`;
    await writeFile(temporary, `${JSON.stringify(notes, null, 2)}\n`);
    await rename(temporary, this.#file);
  }
}
