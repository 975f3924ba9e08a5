const MAX_LENGTH = 80;

/** A title that cannot be used; the message says why. */
export class TitleError extends Error {
  override name = 'TitleError';
}

/**
 * Checks a note's title and returns it with surrounding space removed.
 * A title has 1 to 80 characters and stands on one line.
 */
export function validateTitle(input: string): string {
  const title = input.trim();
  if (title === '') throw new TitleError('A note needs a title.');
  if (/[\r\n]/.test(title)) throw new TitleError('A title stands on one line.');
  if (title.length >= MAX_LENGTH) throw new TitleError(`A title has at most ${MAX_LENGTH} characters.`);
  return title;
}
