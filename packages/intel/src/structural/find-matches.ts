import type { Node, Tree } from 'web-tree-sitter';
import type { PatternNode, StructuralPattern } from './pattern.ts';
import { type Binding, TreeMatcher } from './tree-matcher.ts';

/** A place in a text. */
export interface Place {
  /** In UTF-16 units. */
  index: number;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
}

export interface Capture {
  /** Of the metavariable, without its sigil. */
  name: string;
  isSequence: boolean;
  text: string;
  /** Of an empty sequence undefined. */
  start: Place | undefined;
}

/** One place where a pattern matches. */
export interface StructuralMatch {
  start: Place;
  end: Place;
  /** Where the last token ends that the pattern has: a replacement takes the place of the text up to here. */
  editEnd: number;
  captures: readonly Capture[];
}

export interface FoundMatches {
  /** In the order of their beginnings; of those that begin at one place the longest first. */
  matches: StructuralMatch[];
  /** Candidates that have too many ways to fit to be tried. */
  gaveUp: number;
}

/** A token of a pattern that stands in each match, and how far below its root. */
interface Anchor {
  text: string;
  kind: number;
  depth: number;
}

/** Every match of a pattern in a tree. */
export function findMatches(pattern: StructuralPattern, tree: Tree, text: string): FoundMatches {
  const matcher = new TreeMatcher(text, pattern.chain);
  const [root] = pattern.nodes;
  const found =
    pattern.nodes.length === 1 && root
      ? nodeMatches(root, tree, text, matcher)
      : runMatches(pattern, tree, text, matcher);
  found.sort((one, other) => one.start.index - other.start.index || other.end.index - one.end.index);
  return { matches: found, gaveUp: matcher.gaveUp };
}

function nodeMatches(root: PatternNode, tree: Tree, text: string, matcher: TreeMatcher): StructuralMatch[] {
  const found: StructuralMatch[] = [];
  for (const node of nodeCandidates(root, tree, text)) {
    const match = matcher.matchNode(root, node);
    if (match) found.push(toMatch(node, node, match.end, match.bindings, text));
  }
  return found;
}

function* nodeCandidates(root: PatternNode, tree: Tree, text: string): Iterable<Node> {
  if (root.type === 'metavariable') return;
  const anchor = anchorOf([root], 0);
  if (anchor) {
    for (const node of anchored(anchor, tree, text)) if (node.typeId === root.kind) yield node;
    return;
  }
  const name = root.type === 'tree' ? root.name : tree.language.nodeTypeForId(root.kind);
  if (name === null) return;
  for (const node of tree.rootNode.descendantsOfType(name)) if (node?.typeId === root.kind) yield node;
}

function runMatches({ nodes }: StructuralPattern, tree: Tree, text: string, matcher: TreeMatcher): StructuralMatch[] {
  const found: StructuralMatch[] = [];
  for (const parent of runParents(nodes, tree, text)) {
    const siblings = parent.children;
    for (let start = 0; start < siblings.length; start += 1) {
      for (const match of matcher.matchRun(nodes, siblings, start)) {
        const last = siblings[start + match.siblings - 1]!;
        found.push(toMatch(siblings[start]!, last, match.end, match.bindings, text));
      }
    }
  }
  return found;
}

function* runParents(nodes: readonly PatternNode[], tree: Tree, text: string): Iterable<Node> {
  const anchor = anchorOf(nodes, 1);
  if (anchor) {
    yield* anchored(anchor, tree, text);
    return;
  }
  const named = nodes.find((node) => node.type !== 'metavariable');
  const name = named?.type === 'tree' ? named.name : named && tree.language.nodeTypeForId(named.kind);
  if (!name) return;
  const seen = new Set<number>();
  for (const node of tree.rootNode.descendantsOfType(name)) {
    const parent = node?.parent;
    if (!parent || seen.has(parent.id)) continue;
    seen.add(parent.id);
    yield parent;
  }
}

/** The longest name of a pattern: the nodes above the places where it stands are the only candidates. */
function anchorOf(nodes: readonly PatternNode[], depth: number): Anchor | undefined {
  let longest: Anchor | undefined;
  for (const node of nodes) {
    const anchor =
      node.type === 'tree'
        ? anchorOf(node.children, depth + 1)
        : node.type === 'token' && node.isNamed
          ? { text: node.text, kind: node.kind, depth }
          : undefined;
    if (anchor && anchor.text.length > (longest?.text.length ?? 0)) longest = anchor;
  }
  return longest;
}

/** The nodes at the anchor's height above each place where it stands, each once. */
function* anchored({ text: word, kind, depth }: Anchor, tree: Tree, text: string): Iterable<Node> {
  const seen = new Set<number>();
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    let node = tree.rootNode.descendantForIndex(at, at + word.length);
    while (node && node.typeId !== kind && node.startIndex === at && node.endIndex === at + word.length) {
      node = node.parent;
    }
    if (node?.startIndex !== at || node.endIndex !== at + word.length) continue;
    for (let up = 0; node && up < depth; up += 1) node = node.parent;
    if (!node || seen.has(node.id)) continue;
    seen.add(node.id);
    yield node;
  }
}

function toMatch(
  first: Node,
  last: Node,
  editEnd: number,
  bindings: readonly Binding[],
  text: string,
): StructuralMatch {
  return {
    start: startOf(first),
    end: endOf(last),
    editEnd,
    captures: bindings.map(({ name, isSequence, nodes }) => ({
      name,
      isSequence,
      text: nodes.length === 0 ? '' : text.slice(nodes[0]!.startIndex, nodes.at(-1)!.endIndex),
      start: nodes[0] && startOf(nodes[0]),
    })),
  };
}

function startOf({ startIndex, startPosition: { row, column } }: Node): Place {
  return { index: startIndex, line: row + 1, column: column + 1 };
}

function endOf({ endIndex, endPosition: { row, column } }: Node): Place {
  return { index: endIndex, line: row + 1, column: column + 1 };
}
