import type { Node } from 'web-tree-sitter';
import type { Metavariable } from './metavariables.ts';
import type { PatternNode } from './pattern.ts';

/** What a metavariable stands for in a match. */
export interface Binding {
  name: string;
  isSequence: boolean;
  /** In the order of the text; of a sequence perhaps none. */
  nodes: readonly Node[];
}

/** A match that succeeded. */
export interface TreeMatch {
  bindings: readonly Binding[];
  /** Where the last token ends that the pattern has; what follows in the node was not asked about. */
  end: number;
  /** Number of siblings that it takes. */
  siblings: number;
}

/** Patterns with several `$$$` next to each other have very many ways to fit a long list. */
const MAX_STEPS = 100_000;

/**
 * Compares the nodes of a pattern with those of a tree. Every node of the pattern has to be there, in its order; tokens
 * without a name (`async`) and comments before a token or a metavariable are passed over, and so is what follows in a node
 * after all that the pattern has of it. These are the rules of ast-grep's strictness `smart`, so that patterns mean the
 * same here. Other than there, a `$$$` takes more when the rest does not fit otherwise, and may be empty at the end of a node.
 */
export class TreeMatcher {
  readonly #text: string;
  readonly #chain: ReadonlySet<number>;
  readonly #bindings: Binding[] = [];
  #end = 0;
  #steps = 0;
  #gaveUp = 0;

  constructor(text: string, chain: ReadonlySet<number>) {
    this.#text = text;
    this.#chain = chain;
  }

  /** How many candidates were left because they had too many ways to fit. */
  get gaveUp(): number {
    return this.#gaveUp;
  }

  matchNode(pattern: PatternNode, node: Node): TreeMatch | undefined {
    this.#begin();
    return this.#guarded(() => this.#node(pattern, node) === 'match') ? this.#done(1) : undefined;
  }

  /** Every way in which a run of siblings that begins at one of them fits: a chain of calls may end at several. */
  matchRun(patterns: readonly PatternNode[], siblings: readonly Node[], start: number): TreeMatch[] {
    const [head] = patterns;
    const first = siblings[start]!;
    if (first.isExtra || !head) return [];
    const isHeadFree = head.type === 'metavariable' && !head.isSequence;
    // What only goes on with a chain is nothing by itself.
    if (isHeadFree && this.#chain.has(first.typeId)) return [];
    const longest = isHeadFree ? this.#chainLength(siblings, start) : 1;
    const found: TreeMatch[] = [];
    for (let length = longest; length >= 1; length -= 1) {
      this.#begin();
      let last = start;
      const fits = this.#guarded(() => {
        const isHead = isHeadFree
          ? first.isNamed && this.#bind(head, siblings.slice(start, start + length))
          : this.#node(head, first) === 'match';
        return isHead && this.#siblings(patterns, 1, siblings, start + length, (next) => (last = next));
      });
      if (fits) found.push(this.#done(Math.max(last, start + length) - start));
    }
    return found;
  }

  #begin(): void {
    this.#bindings.length = 0;
    this.#end = 0;
    this.#steps = 0;
  }

  #done(siblings: number): TreeMatch {
    return { bindings: [...this.#bindings], end: this.#end, siblings };
  }

  #guarded(match: () => boolean): boolean {
    const fits = match();
    if (this.#steps <= MAX_STEPS) return fits;
    this.#gaveUp += 1;
    return false;
  }

  #node(pattern: PatternNode, node: Node): 'match' | 'pass over' | 'no match' {
    if (pattern.type === 'metavariable') {
      if (node.isExtra) return 'pass over';
      return node.isNamed && this.#bind(pattern, [node]) ? 'match' : 'no match';
    }
    if (pattern.kind === node.typeId) {
      if (pattern.type === 'tree') return this.#siblings(pattern.children, 0, node.children, 0) ? 'match' : 'no match';
      // Some grammars give a token without a name more room than it takes.
      if (!pattern.isNamed || pattern.text === this.#textOf(node)) {
        this.#end = node.endIndex;
        return 'match';
      }
    }
    return pattern.type === 'token' && (node.isExtra || !node.isNamed) ? 'pass over' : 'no match';
  }

  /** Whether the patterns from one on fit siblings from one on. @param onEnd is told where the siblings go on after that */
  #siblings(
    patterns: readonly PatternNode[],
    at: number,
    siblings: readonly Node[],
    from: number,
    onEnd: (next: number) => void = () => undefined,
  ): boolean {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) return false;
    const pattern = patterns[at];
    if (!pattern) {
      onEnd(from);
      return true;
    }
    if (pattern.type === 'metavariable' && pattern.isSequence) {
      return this.#sequence(pattern, patterns, at, siblings, from, onEnd);
    }
    const [mark, end] = [this.#bindings.length, this.#end];
    for (let next = from; next < siblings.length; next += 1) {
      if (
        pattern.type === 'metavariable' &&
        this.#chain.size > 0 &&
        siblings[next]!.isNamed &&
        !siblings[next]!.isExtra
      ) {
        for (let length = this.#chainLength(siblings, next); length > 1; length -= 1) {
          const isBound = this.#bind(pattern, siblings.slice(next, next + length));
          if (isBound && this.#siblings(patterns, at + 1, siblings, next + length, onEnd)) return true;
          this.#undo(mark, end);
        }
      }
      const outcome = this.#node(pattern, siblings[next]!);
      if (outcome === 'match' && this.#siblings(patterns, at + 1, siblings, next + 1, onEnd)) return true;
      this.#undo(mark, end);
      if (outcome !== 'pass over') return false;
    }
    return false;
  }

  /** A `$$$`: as few siblings as possible, up to all. Separators between it and the next pattern are none of it. */
  #sequence(
    variable: Metavariable,
    patterns: readonly PatternNode[],
    at: number,
    siblings: readonly Node[],
    from: number,
    onEnd: (next: number) => void,
  ): boolean {
    let next = at + 1;
    while (isSeparator(patterns[next])) next += 1;
    const separators = next - at - 1;
    const goal = patterns[next];
    if (!goal) {
      onEnd(siblings.length);
      const taken = siblings.slice(from);
      if (!this.#bind(variable, withoutLast(taken, separators))) return false;
      if (taken.length > 0) this.#end = taken.at(-1)!.endIndex;
      return true;
    }
    const isSequence = goal.type === 'metavariable' && goal.isSequence;
    const [mark, end] = [this.#bindings.length, this.#end];
    for (let until = from; until <= siblings.length; until += 1) {
      // What comes next has to begin at this very sibling.
      const begins = isSequence || (until < siblings.length && this.#begins(goal, siblings[until]!, mark, end));
      if (begins) {
        const isBound = this.#bind(variable, withoutLast(siblings.slice(from, until), separators));
        if (isBound && this.#siblings(patterns, next, siblings, until, onEnd)) return true;
        this.#undo(mark, end);
      }
      if (this.#steps > MAX_STEPS) return false;
    }
    return false;
  }

  #begins(goal: PatternNode, node: Node, mark: number, end: number): boolean {
    this.#steps += 1;
    const fits = this.#node(goal, node) === 'match';
    this.#undo(mark, end);
    return fits;
  }

  #bind({ name, isSequence }: Metavariable, nodes: readonly Node[]): boolean {
    const last = nodes.at(-1);
    if (last) this.#end = last.endIndex;
    if (name === undefined) return true;
    const earlier = this.#bindings.find((binding) => binding.name === name);
    if (earlier) return this.#sameCode(earlier.nodes, nodes);
    this.#bindings.push({ name, isSequence, nodes });
    return true;
  }

  #undo(mark: number, end: number): void {
    this.#bindings.length = mark;
    this.#end = end;
  }

  /** The number of siblings from one on that are one expression. */
  #chainLength(siblings: readonly Node[], from: number): number {
    let next = from + 1;
    while (next < siblings.length && this.#chain.has(siblings[next]!.typeId)) next += 1;
    return next - from;
  }

  /** Whether two runs of nodes are the same text, however it is spaced (INT-23). */
  #sameCode(some: readonly Node[], others: readonly Node[]): boolean {
    const [one, other] = [some, others].map((nodes) =>
      nodes.length === 0 ? '' : this.#text.slice(nodes[0]!.startIndex, nodes.at(-1)!.endIndex),
    ) as [string, string];
    if (one === other) return true;
    if (one.replaceAll(/\s/g, '') !== other.replaceAll(/\s/g, '')) return false;
    const [tokens, otherTokens] = [some, others].map((nodes) => nodes.flatMap((node) => this.#tokens(node)));
    return tokens!.length === otherTokens!.length && tokens!.every((token, index) => token === otherTokens![index]);
  }

  #tokens(node: Node): string[] {
    if (node.isExtra) return [];
    const { children } = node;
    return children.length === 0 ? [this.#textOf(node)] : children.flatMap((child) => this.#tokens(child));
  }

  #textOf(node: Node): string {
    return this.#text.slice(node.startIndex, node.endIndex);
  }
}

function isSeparator(pattern: PatternNode | undefined): boolean {
  return pattern?.type === 'token' && !pattern.isNamed;
}

function withoutLast(nodes: readonly Node[], count: number): readonly Node[] {
  return count === 0 ? nodes : nodes.slice(0, Math.max(0, nodes.length - count));
}
