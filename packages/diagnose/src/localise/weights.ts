import type { Weights } from './features.ts';

/** By hand; to be learnt (`black eval --tune`). */
export const WEIGHTS: Weights = {
  frameTop: 3.2,
  frame: 2.2,
  title: 1.6,
  prose: 2.2,
  code: 1.2,
  error: 0.8,
  breadth: 0.6,
  name: 1.4,
  path: 1.8,
  stem: 0.8,
  nameWords: 1,
  folderWords: 0.4,
  literal: 1.8,
  neighbour: 0.8,
  tested: 0.6,
  central: 0.4,
  test: -2.5,
  notCode: -3,
  side: -2,
  foreign: -2.5,
};
