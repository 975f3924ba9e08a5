import type { Weights } from './features.ts';

/**
 * Learnt on bugs of public repositories, each repository judged by weights that were learnt on others; see
 * docs/diagnosis.md. Frames and quoted messages are rare there, so their weights are set by hand.
 */
export const WEIGHTS: Weights = {
  frameTop: 3.2,
  frame: 2.2,
  title: 0.8,
  prose: 3.2,
  code: 1.7,
  error: 0.5,
  breadth: 3.7,
  name: 0.8,
  path: 1.8,
  nameWords: 2.6,
  folderWords: 3.1,
  literal: 0.9,
  tested: 0.2,
  test: -5.7,
  notCode: -4.6,
  side: -4.4,
  foreign: -4.9,
};
