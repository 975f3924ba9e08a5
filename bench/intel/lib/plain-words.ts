/** A search by plain words: what there is to beat. BM25 over `\w+` in small letters, each text for itself. */
export class PlainWords {
  readonly #lengths: number[] = [];
  /** Text and frequency of each word, by word. */
  readonly #postings = new Map<string, [text: number, count: number][]>();

  constructor(texts: readonly string[]) {
    texts.forEach((text, i) => {
      const words = wordsOf(text);
      this.#lengths.push(words.length);
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts) {
        const known = this.#postings.get(word);
        if (known) known.push([i, count]);
        else this.#postings.set(word, [[i, count]]);
      }
    });
  }

  /** Numbers of the texts that fit best. */
  search(query: string, limit: number): number[] {
    const all = this.#lengths.length;
    const mean = this.#lengths.reduce((sum, length) => sum + length, 0) / all;
    const scores = new Map<number, number>();
    for (const word of wordsOf(query)) {
      const having = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (all - having.length + 0.5) / (having.length + 0.5));
      for (const [text, count] of having) {
        const part = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * this.#lengths[text]!) / mean));
        scores.set(text, (scores.get(text) ?? 0) + rarity * part);
      }
    }
    const ranked = [...scores].sort(([x, a], [y, b]) => b - a || x - y);
    return ranked.slice(0, limit).map(([text]) => text);
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}
