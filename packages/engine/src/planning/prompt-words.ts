/**
 * A prompt as words (IDE-29): counted by Unicode segmentation, so that scripts without blanks, or with marks that simple
 * patterns take for borders, are counted as their readers would.
 */
export class PromptWords {
  /** In lower case, without marks between them, at most `limit` of them. */
  readonly words: readonly string[];
  /** The same with one blank between, before and behind, to look for several in a row. */
  readonly #line: string;

  /** @param limit so many words are looked at: a prompt may be a pasted book. */
  constructor(text: string, limit = 2_000) {
    const words = wordsIn(text.slice(0, limit * 20), limit);
    this.words = words;
    this.#line = ` ${words.join(' ')} `;
  }

  get count(): number {
    return this.words.length;
  }

  /** Whether one of the entries occurs. */
  hasAny(entries: readonly string[]): boolean {
    return entries.some((entry) => this.#has(entry));
  }

  /** The entry that the prompt begins with, the longest; undefined where none does. */
  opener(entries: readonly string[]): string | undefined {
    const begun = entries.filter((entry) =>
      isUnspaced(entry) ? this.#unspaced.startsWith(entry) : this.#line.startsWith(` ${entry} `),
    );
    return begun.sort((a, b) => b.length - a.length)[0];
  }

  #has(entry: string): boolean {
    return isUnspaced(entry) ? this.#unspaced.includes(entry) : this.#line.includes(` ${entry} `);
  }

  get #unspaced(): string {
    return this.words.join('');
  }
}

/** Text without a mark that could stand inside of a word: every way of counting counts it alike. */
const PLAIN = /^(?:[A-Za-z0-9 ?!\n]|,(?= ))*$/;

function wordsIn(text: string, limit: number): string[] {
  // Making a segmenter takes longer than all the rest of routing.
  if (PLAIN.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, limit);
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter('und', { granularity: 'word' }).segment(
    text.normalize('NFC'),
  )) {
    if (isWordLike) words.push(segment.toLowerCase().replaceAll('’', "'"));
    if (words.length >= limit) break;
  }
  return words;
}

/** Words of scripts that set no blanks are split by a dictionary that need not know ours. */
function isUnspaced(entry: string): boolean {
  return /^\p{Script=Han}+$/u.test(entry);
}
