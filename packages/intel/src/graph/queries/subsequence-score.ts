/**
 * How well a name fits letters that it has in their order: above 0 and below 100, -1 when it does not have them. Letters at
 * the start of a word of the name and letters in a row count more, a long name less; the first place of each is taken.
 * @param lower The letters, in lower case.
 */
export function subsequenceScore(name: string, lower: string): number {
  let [at, points, before] = [0, 0, -2];
  for (let index = 0; index < name.length && at < lower.length; index++) {
    const letter = name[index]!;
    if (letter.toLowerCase() !== lower[at]) continue;
    points += startsWord(name, index) ? 3 : before === index - 1 ? 2 : 0.5;
    before = index;
    at++;
  }
  if (at < lower.length) return -1;
  return (99 * points) / (3 * lower.length) / (1 + 0.02 * (name.length - lower.length));
}

function startsWord(name: string, index: number): boolean {
  const before = name[index - 1];
  if (before === undefined || before === '_' || before === '$' || before === '-') return true;
  const letter = name[index]!;
  return letter !== letter.toLowerCase() && before === before.toLowerCase();
}
