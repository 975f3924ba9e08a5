import { BlackError } from '@black-ide/protocol';
import type { Tree } from 'web-tree-sitter';
import type { StructuralMatch } from './find-matches.ts';
import { findMatches } from './find-matches.ts';
import type { StructuralPattern } from './pattern.ts';
import type { PatternParsers } from './pattern-parsers.ts';
import type { Replacement } from './replacement.ts';
import { countFaults, syntaxProblem } from './syntax-problem.ts';

/** A text with every match of a pattern replaced. */
export interface RewrittenText {
  text: string;
  /** Number of matches that were replaced. */
  places: number;
}

/**
 * Replaces every match of a pattern in a text; undefined where there is none.
 * @param path for messages
 * @throws BlackError `overlapping_matches`, `replacement_unparsable`, `not_rewritten` (INT-30)
 */
export async function rewriteText(
  parsers: PatternParsers,
  pattern: StructuralPattern,
  replacement: Replacement,
  path: string,
  text: string,
): Promise<RewrittenText | undefined> {
  const tree = await parsers.parse(pattern.language, text);
  if (!tree) throw notRewritten(path, 'it takes too long to parse');
  try {
    const { matches, gaveUp } = findMatches(pattern, tree, text);
    if (gaveUp > 0) throw notRewritten(path, 'a place in it has too many ways to match');
    if (matches.length === 0) return undefined;
    refuseOverlaps(matches, path);
    const parts: string[] = [];
    let at = 0;
    for (const match of matches) {
      parts.push(text.slice(at, match.start.index), replacement.textFor(match, tree, text));
      at = match.editEnd;
    }
    const rewritten = parts.join('') + text.slice(at);
    await refuseUnparsable(parsers, pattern, path, tree, rewritten);
    return { text: rewritten, places: matches.length };
  } finally {
    tree.delete();
  }
}

function refuseOverlaps(matches: readonly StructuralMatch[], path: string): void {
  for (const [index, { start, editEnd }] of matches.entries()) {
    const next = matches[index + 1];
    if (!next || next.start.index >= editEnd) continue;
    throw new BlackError(
      'overlapping_matches',
      `Matches overlap: the one at ${path}:${start.line}:${start.column} holds the one at ${next.start.line}:${next.start.column}. Only one of them could be replaced.`,
      'Make the pattern narrower, or rewrite these places one by one with edit_file.',
    );
  }
}

/** A file may have had faults before; it must not have more of them now. */
async function refuseUnparsable(
  parsers: PatternParsers,
  { language }: StructuralPattern,
  path: string,
  before: Tree,
  text: string,
): Promise<void> {
  const after = await parsers.parse(language, text);
  if (!after) throw notRewritten(path, 'the result takes too long to parse');
  try {
    if (countFaults(after.rootNode) <= countFaults(before.rootNode)) return;
    const problem = syntaxProblem(after.rootNode);
    const line = text.slice(0, problem?.index ?? 0).split('\n').length;
    const shown = text.split('\n')[line - 1]!.trim().slice(0, 120);
    throw new BlackError(
      'replacement_unparsable',
      `The replacement does not parse in ${path}: ${problem?.what} in line ${line} of the result: ${shown}`,
      'Write the replacement so that it is code in every place that the pattern matches.',
    );
  } finally {
    after.delete();
  }
}

function notRewritten(path: string, why: string): BlackError {
  return new BlackError('not_rewritten', `${path} cannot be rewritten: ${why}.`, 'Leave the file out by naming paths.');
}
