import type { Weights } from './features.ts';

/**
 * Learnt on bugs of public repositories, each repository judged by weights that were learnt on others; see
 * docs/diagnosis.md. Frames are rare there, so theirs, and those of names and paths, are held near what was set by hand.
 */
export const WEIGHTS: Weights = {
  frameTop: 3.2,
  frame: 2.2,
  title: 1.1,
  prose: 4.2,
  code: 2.2,
  error: 0.3,
  breadth: 2.7,
  name: 0.5,
  path: 1.8,
  stem: 0.2,
  nameWords: 2.5,
  folderWords: 1.3,
  literal: 2.5,
  tested: 1.5,
  test: -4.6,
  notCode: -4.8,
  side: -4,
  foreign: -3.1,
};
