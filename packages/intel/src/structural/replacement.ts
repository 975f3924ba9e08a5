import { BlackError } from '@black-ide/protocol';
import type { Tree } from 'web-tree-sitter';
import type { StructuralMatch } from './find-matches.ts';
import { type FoundMetavariable, findMetavariables } from './metavariables.ts';

/** What the places that a pattern matches become: code with the metavariables of the pattern. */
export class Replacement {
  readonly #template: string;
  readonly #variables: readonly FoundMetavariable[];

  /** @throws BlackError `unknown_metavariable` where the pattern has none of that name. */
  constructor(template: string, names: ReadonlySet<string>) {
    this.#template = template.replaceAll('\r\n', '\n');
    this.#variables = findMetavariables(this.#template);
    const unknown = this.#variables.find(({ name }) => name === undefined || !names.has(name));
    if (!unknown) return;
    const known = [...names].map((name) => `$${name}`).join(', ');
    throw new BlackError(
      'unknown_metavariable',
      `The replacement uses ${unknown.source}, for which the pattern captures nothing.`,
      known ? `The pattern captures ${known}.` : 'Name the part of the pattern that it is to stand for, e.g. $X.',
    );
  }

  /**
   * The text for one match. Lines of the template get the indentation of the match, and lines of what was captured that
   * of the place where they go; what lies in a string stays as it is.
   */
  textFor(match: StructuralMatch, tree: Tree, text: string): string {
    const base = indentationAt(text, match.start.index);
    const captures = new Map(match.captures.map((capture) => [capture.name, capture]));
    let result = '';
    let at = 0;
    for (const { name = '', start, end } of this.#variables) {
      const capture = captures.get(name);
      const before = this.#template.slice(at, start);
      at = end;
      if (!capture?.start) {
        // A list that is empty leaves no comma behind.
        const isAfterComma = /,\s*$/.test(before);
        result += indented(isAfterComma ? before.replace(/,\s*$/, '') : before, base);
        if (!isAfterComma) at += /^\s*,\s*/.exec(this.#template.slice(at))?.[0].length ?? 0;
        continue;
      }
      result += indented(before, base);
      const line = this.#template.lastIndexOf('\n', start - 1) + 1;
      const target = line === 0 ? base : base + indentationAt(this.#template, start);
      result += moved(capture.text, capture.start.index, target, tree, text);
    }
    return withLineEndings(result + indented(this.#template.slice(at), base), text);
  }
}

function indented(lines: string, indentation: string): string {
  return lines.replaceAll(/\n(?=[^\n])/g, `\n${indentation}`);
}

/** What was captured, with the lines after its first as far to the right of `target` as they were of its own place. */
function moved(captured: string, start: number, target: string, tree: Tree, text: string): string {
  const source = indentationAt(text, start);
  if (source === target || !captured.includes('\n')) return captured;
  let result = '';
  let at = 0;
  for (let end = captured.indexOf('\n'); end >= 0; end = captured.indexOf('\n', at)) {
    result += captured.slice(at, end + 1);
    at = end + 1;
    const isMoved = captured.startsWith(source, at) && !/^\r?(?:\n|$)/.test(captured.slice(at, at + 2));
    if (!isMoved || isInString(tree, start + end)) continue;
    result += target;
    at += source.length;
  }
  return result + captured.slice(at);
}

/** Whether a line ends inside of a token: what follows is part of its value. */
function isInString(tree: Tree, index: number): boolean {
  const node = tree.rootNode.descendantForIndex(index, index + 1);
  if (!node || /comment/i.test(node.type)) return false;
  return /string|heredoc|template|text|content/i.test(node.type) || (node.childCount === 0 && node.startIndex < index);
}

function indentationAt(text: string, index: number): string {
  const line = text.lastIndexOf('\n', index - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, index))![0];
}

function withLineEndings(result: string, text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? result.replaceAll(/\r?\n/g, '\r\n') : result;
}
