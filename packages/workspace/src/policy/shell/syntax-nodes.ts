import type { Field } from './facts.ts';
import type { ShellNode } from './shell-parser.ts';
import type { WordScope } from './word-evaluator.ts';

const WORD =
  /^(word|number|string|raw_string|ansi_c_string|translated_string|concatenation|simple_expansion|expansion|command_substitution|process_substitution|arithmetic_expansion|brace_expression|extglob_pattern|regex|variable_name|special_variable_name|test_operator|\$|==|=~|=)$/;
const STATEMENT =
  /(_statement|_command|_definition|_assignments?|_clause|_group)$|^(command|list|pipeline|subshell|program)$/;

/** The source of a node. */
export function textOf(node: ShellNode, scope: WordScope): string {
  return scope.source.slice(node.start, node.end);
}

/** A word that stands for itself. */
export function plainField(text: string): Field {
  return { value: text, source: text, literal: /^[\w./=:+-]*$/.test(text) };
}

/** Whether the node is a word or a part of one. */
export function isWord(node: ShellNode): boolean {
  return WORD.test(node.type);
}

/** Whether the node is something that runs. */
export function isStatement(node: ShellNode): boolean {
  return STATEMENT.test(node.type);
}

/** Nodes that touch, or that only a backslash and a line's end part, make one word. */
export function grouped(nodes: readonly ShellNode[], scope: WordScope): ShellNode[][] {
  const words: ShellNode[][] = [];
  let end = -1;
  for (const node of nodes) {
    const gap = end < 0 ? ' ' : scope.source.slice(end, node.start);
    const open = words.at(-1);
    if (open && node.start >= end && /^(\\\n)*$/.test(gap)) open.push(node);
    else words.push([node]);
    end = node.end;
  }
  return words;
}

/** Assignments on a line of their own, which the grammar takes for a part of the command on the next. */
export function splitAtLineEnd(node: ShellNode, scope: WordScope): [ShellNode[], ShellNode[]] {
  const end = node.children.findIndex((child, index) => {
    const next = node.children[index + 1];
    if (child.type !== 'variable_assignment' || !next) return false;
    return scope.source.slice(child.end, next.start).replaceAll('\\\n', '').includes('\n');
  });
  return [node.children.slice(0, end + 1), node.children.slice(end + 1)];
}
