import type { Parser, Tree } from 'web-tree-sitter';

/** The parser tells of its progress some hundred times a millisecond; the clock is looked at now and then. */
const CLOCK_EVERY = 64;

/**
 * Parses a text, or gives up.
 *
 * @param old the tree of an earlier text, edited to fit this one
 * @param maxTime processor time in milliseconds
 */
export function parseWithin(parser: Parser, text: string, old: Tree | null, maxTime: number): Tree | undefined {
  const start = processorTime();
  let calls = 0;
  const progressCallback = () => {
    calls += 1;
    return calls % CLOCK_EVERY === 0 && processorTime() - start > maxTime;
  };
  const tree = parser.parse(text, old, { progressCallback });
  if (tree) return tree;
  // It would go on with this text else.
  parser.reset();
  return undefined;
}

/** Milliseconds of this thread; a busy machine must not make a file too slow to parse. */
function processorTime(): number {
  const usage = process.threadCpuUsage?.();
  return usage ? (usage.user + usage.system) / 1_000 : performance.now();
}
