/** What speaks for or against a file, each between 0 and 1. Their weights are in `weights.ts`. */
export const FEATURES = [
  /** The innermost frame of a trace that is of the repository. */
  'frameTop',
  /** Other frames, the nearer to it the more. */
  'frame',
  /** BM25 of the title, of the prose, of code, of errors: the best chunk against the best of all files. */
  'title',
  'prose',
  'code',
  'error',
  /** BM25 of everything, of the file's best three chunks together. */
  'breadth',
  /** Defines what the report names, the rarer the name the more. */
  'name',
  /** The report names its path, or its name with its ending. */
  'path',
  /** Its name is made of words of the report, the rarer among names the more; the same for its folders. */
  'nameWords',
  'folderWords',
  /** Holds a text of the report as it is, the fewer files do the more. */
  'literal',
  /** A test that other features speak for uses it. */
  'tested',
  /** Is a test; is no code; is an example, a tool, a fixture; comes from elsewhere or was generated. */
  'test',
  'notCode',
  'side',
  'foreign',
] as const;

export type Feature = (typeof FEATURES)[number];
export type Weights = Readonly<Record<Feature, number>>;

export type FeatureRow = Record<Feature, number>;

export function emptyRow(): FeatureRow {
  return Object.fromEntries(FEATURES.map((name) => [name, 0])) as FeatureRow;
}

export function scoreOf(row: FeatureRow, weights: Weights): number {
  let score = 0;
  for (const name of FEATURES) score += row[name] * weights[name];
  return score;
}
