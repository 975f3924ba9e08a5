import type { Node } from 'web-tree-sitter';

export interface SyntaxProblem {
  /** What is wrong, e.g. `` `)` is missing ``. */
  what: string;
  /** Where, in the text that was parsed. */
  index: number;
}

const SHOWN = 40;

/** The first place in this part of a tree where the text is no code of the language; undefined where there is none. */
export function syntaxProblem(root: Node, start = 0, end = Number.POSITIVE_INFINITY): SyntaxProblem | undefined {
  let first: SyntaxProblem | undefined;
  for (const node of faultsOf(root)) {
    if (node.endIndex < start || node.startIndex > end) continue;
    const index = Math.max(node.startIndex, start);
    if (first && first.index <= index) continue;
    first = { what: whatIsWrong(node), index };
  }
  return first;
}

/** How many places of a tree are no code of the language. */
export function countFaults(root: Node): number {
  return root.hasError ? faultsOf(root).length : 0;
}

function faultsOf(root: Node): Node[] {
  const faults: Node[] = [];
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.isMissing || node.isError) faults.push(node);
    else if (node.hasError) todo.push(...node.children);
  }
  return faults;
}

function whatIsWrong(node: Node): string {
  if (node.isMissing) return `\`${node.type}\` is missing`;
  const text = node.text.trim().replaceAll(/\s+/g, ' ');
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
  return text === '' ? 'something is missing' : `\`${shown}\` does not fit`;
}
