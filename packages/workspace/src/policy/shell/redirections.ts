import type { Field, RedirectFact } from './facts.ts';
import { isUnknown, withoutMarkers } from './markers.ts';
import type { ShellNode } from './shell-parser.ts';
import type { ShellState } from './shell-state.ts';
import type { WordEvaluator, WordScope } from './word-evaluator.ts';

/** What the redirections of one statement come to. */
export interface Redirected {
  /** Possible texts of standard input, where known. */
  stdin: readonly string[] | undefined;
  /** The redirections themselves. */
  facts: RedirectFact[];
  /** Words of the command that stand behind a redirection: the grammar takes them for further targets. */
  extra: ShellNode[];
  /** What the grammar puts inside a here-document though it follows it: `cat <<E | sh`. */
  following: { operator: string; statement: ShellNode }[];
  /** Files that get the output. */
  writes: { targets: readonly Field[]; append: boolean }[];
  /** The output does not reach whoever reads the statement. */
  outputGone: boolean;
}

interface RedirectionHost {
  construct(what: string, node: ShellNode, scope: WordScope): void;
}

const TO_FILE = /^(&?>>?|>\|)$/;

/** Reads redirections: their targets, what they hand to a command, and what the grammar misplaces around them. */
export class Redirections {
  readonly #words: WordEvaluator;
  readonly #host: RedirectionHost;

  constructor(words: WordEvaluator, host: RedirectionHost) {
    this.#words = words;
    this.#host = host;
  }

  read(nodes: readonly ShellNode[], scope: WordScope): Redirected {
    const result: Redirected = { stdin: undefined, facts: [], extra: [], following: [], writes: [], outputGone: false };
    for (const node of nodes) this.#one(node, scope, result);
    return result;
  }

  /** Remembers which text a file holds after the statement printed `out`. */
  keep(given: Redirected, out: readonly string[] | undefined, state: ShellState): void {
    for (const { targets, append } of given.writes) {
      for (const path of targets.flatMap(({ value }) => state.resolve(withoutMarkers(value)))) {
        const before = append ? (state.files.get(path) ?? ['']) : [''];
        if (out && !isUnknown(path)) {
          state.files.set(path, before.flatMap((text) => out.map((more) => text + more)).slice(0, 16));
        }
      }
    }
  }

  #one(node: ShellNode, scope: WordScope, result: Redirected): void {
    if (node.type === 'file_redirect') this.#file(node, scope, result);
    else if (node.type === 'herestring_redirect') {
      const texts = this.#words.texts(node.children.slice(1), scope);
      result.stdin = texts.map((text) => `${text}\n`);
    } else if (node.type === 'heredoc_redirect') this.#document(node, scope, result);
    else if (node.type.length > 1) this.#host.construct(`a ${node.type.replaceAll('_', ' ')}`, node, scope);
  }

  #file(node: ShellNode, scope: WordScope, result: Redirected): void {
    const descriptor = node.children.find((child) => child.type === 'file_descriptor');
    const operator = node.children.find((child) => /^[<>&|-]+$/.test(child.type))?.type ?? '';
    const destinations = node.children.filter((child) => child.field === 'destination');
    const [target, extra] = split(destinations, scope);
    result.extra.push(...extra);
    const fd = descriptor ? scope.source.slice(descriptor.start, descriptor.end) : undefined;
    const targets = target.length > 0 ? this.#words.fields(target, scope).flat() : [];
    const source = scope.source.slice(node.start, target.at(-1)?.end ?? node.end);
    result.facts.push({ kind: 'redirect', operator, targets, cwds: scope.state.cwds, source });
    if (operator === '<') {
      const paths = targets.flatMap(({ value }) => scope.state.resolve(value));
      const contents = paths.flatMap((path) => scope.state.files.get(path) ?? []);
      result.stdin = contents.length > 0 ? contents : undefined;
    } else if (TO_FILE.test(operator) && (fd === undefined || fd === '1')) {
      result.writes.push({ targets, append: operator.endsWith('>>') });
      result.outputGone = true;
    } else if (operator.startsWith('>') && (fd === undefined || fd === '1')) {
      result.outputGone = true;
    }
  }

  #document(node: ShellNode, scope: WordScope, result: Redirected): void {
    let operator = ';';
    let quoted = false;
    for (const child of node.children) {
      const text = scope.source.slice(child.start, child.end);
      if (child.type === 'heredoc_start') quoted = /['"\\]/.test(text);
      else if (child.type === 'heredoc_body') {
        const contents = quoted ? [text] : this.#words.textOf(child.children, child.start, child.end, scope, 'quoted');
        result.stdin = contents.map((content) => content.replace(/^\t+/gm, ''));
      } else if (child.field === 'redirect') this.#one(child, scope, result);
      else if (child.field === 'argument') result.extra.push(child);
      else if (child.field === 'operator') operator = text;
      else if (child.type === 'pipeline') {
        for (const statement of child.children.filter(({ type }) => type.length > 2)) {
          result.following.push({ operator: '|', statement });
        }
      } else if (!/^(<<-?|heredoc_end|file_descriptor)$/.test(child.type)) {
        result.following.push({ operator, statement: child });
      }
    }
  }
}

/** The nodes of the first word, and the others. */
function split(nodes: readonly ShellNode[], scope: WordScope): [ShellNode[], ShellNode[]] {
  const next = nodes.findIndex(
    (node, index) =>
      index > 0 && !/^(\\\n)*$/.test(scope.source.slice((nodes[index - 1] as ShellNode).end, node.start)),
  );
  return next < 0 ? [[...nodes], []] : [nodes.slice(0, next), nodes.slice(next)];
}
