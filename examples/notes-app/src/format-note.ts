import type { Note } from './note.ts';

/** One line for a list: `#3 Shopping list (home, food) Milk and bread`. */
export function formatNote(note: Note): string {
  const tags = note.tags.length > 0 ? ` (${note.tags.join(', ')})` : '';
  const text = note.text === '' ? '' : ` ${note.text}`;
  return `#${note.id} ${note.title}${tags}${text}`;
}

/** All notes, a line each, or a word on how to begin. */
export function formatList(notes: Note[]): string {
  return notes.length > 0 ? notes.map(formatNote).join('\n') : 'No notes yet. Begin with: notes add "A title"';
}
