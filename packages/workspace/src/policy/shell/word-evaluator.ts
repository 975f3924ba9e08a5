import { posix } from 'node:path';
import { decodeAnsiC } from './ansi-c.ts';
import { expandBraces } from './brace-expansion.ts';
import type { Field } from './facts.ts';
import {
  ANY,
  activateGlobs,
  BLANK,
  BRACE_CLOSE,
  BRACE_OPEN,
  BREAK,
  COMMA,
  isUnknown,
  MARKER,
  QUESTION,
  QUOTED,
  SET_CLOSE,
  SET_OPEN,
  SOME,
  STAR,
  TILDE,
  withoutMarkers,
} from './markers.ts';
import {
  changeCase,
  neverEmpty,
  type ParameterForm,
  parameterForm,
  replaceByPattern,
  substring,
  trimByPattern,
  withDefault,
} from './parameter-expansion.ts';
import type { ShellNode } from './shell-parser.ts';
import { type ShellState, UNKNOWN_FOLDER, type Value } from './shell-state.ts';
import { TooComplex } from './too-complex.ts';

/** What the evaluator needs from the one who follows the statements. */
export interface SubstitutionHost {
  /** Follows what is in `$(…)` or backticks; its possible outputs without the newlines at the end, if known. */
  commandOutputs(node: ShellNode, scope: WordScope): readonly string[] | undefined;
  /** Follows what is in `<(…)` or `>(…)`; the path the word becomes. */
  processPath(node: ShellNode, scope: WordScope): string;
  /** Follows the script in backticks that the grammar took for plain text. */
  backticks(script: string, scope: WordScope): void;
  /** Told of anything that cannot be shown to be harmless. */
  construct(what: string, node: ShellNode, scope: WordScope): void;
}

/** The text a word comes from, and what is known where it stands. */
export interface WordScope {
  readonly source: string;
  readonly state: ShellState;
}

/** How a piece of a word is read: outside quotes, in double quotes, or as the value of an assignment. */
type Reading = 'bare' | 'quoted' | 'assigned';

/** More possible forms of one word are not followed. */
const MAX_FORMS = 64;
const WORD_LIKE = new Set(['word', 'number', 'extglob_pattern', 'regex', 'variable_name', 'test_operator']);
const ACTIVE: Readonly<Record<string, string>> = {
  '*': STAR,
  '?': QUESTION,
  '[': SET_OPEN,
  ']': SET_CLOSE,
  '{': BRACE_OPEN,
  '}': BRACE_CLOSE,
  ',': COMMA,
  '~': TILDE,
};
/** Characters that end a word in bash; inside one they mean that grammar and shell differ. */
const METACHARACTER = /[;&|<>()'"]/;
/** A word without a single character that means something to a shell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:@%+-]+$/;
/** Longer texts are not worked out: a few lines can double a variable to any length. */
const MAX_TEXT = 20_000;

/** Works out what words become: quotes, escapes, variables, braces, tildes (bash manual, "Shell Expansions"). */
export class WordEvaluator {
  readonly #host: SubstitutionHost;

  constructor(host: SubstitutionHost) {
    this.#host = host;
  }

  /** The possible lists of fields a word becomes; a word may be made of several nodes that touch. */
  fields(nodes: readonly ShellNode[], scope: WordScope): Field[][] {
    const first = nodes[0];
    const last = nodes.at(-1);
    if (!first || !last) return [[]];
    const source = scope.source.slice(first.start, last.end);
    // The most usual word, and on a long line the one that there are thousands of.
    if (nodes.length === 1 && first.type === 'word' && PLAIN_WORD.test(source)) {
      return [[{ value: source, source, literal: true }]];
    }
    const forms = this.#span(nodes, first.start, last.end, scope, 'bare');
    return this.#distinct(forms.map((form) => this.#finish(form, scope.state))).map((texts) =>
      texts.map((value) => ({
        value,
        source,
        literal:
          forms.length === 1 && !MARKER.test(value) && isLiteral(nodes) && withoutMarkers(forms[0] ?? '') === value,
      })),
    );
  }

  /** The possible values of a word as the value of an assignment or the text of a here-document: it stays one. */
  texts(nodes: readonly ShellNode[], scope: WordScope, reading: 'quoted' | 'assigned' = 'assigned'): string[] {
    const first = nodes[0];
    const last = nodes.at(-1);
    if (!first || !last) return [''];
    return this.textOf(nodes, first.start, last.end, scope, reading);
  }

  /** The same for a stretch of the source with the nodes that lie in it. */
  textOf(
    nodes: readonly ShellNode[],
    from: number,
    to: number,
    scope: WordScope,
    reading: 'quoted' | 'assigned',
  ): string[] {
    const forms = this.#span(nodes, from, to, scope, reading);
    const texts = forms.flatMap((form) => (reading === 'assigned' ? this.#tilde(form, scope.state) : [form]));
    return [...new Set(texts.map(withoutMarkers))];
  }

  #distinct(forms: string[][][]): string[][] {
    const all = forms.flat();
    return [...new Map(all.map((texts) => [texts.join('\0'), texts])).values()];
  }

  /** Braces, tildes, splitting, in the shell's order. */
  #finish(form: string, state: ShellState): string[][] {
    const words = form.split(BLANK).flatMap((word) => {
      const expanded = expandBraces(word);
      if (!expanded) throw new TooComplex();
      return expanded;
    });
    let lists: string[][] = [[]];
    for (const word of words) {
      const choices = this.#tilde(word, state).map((text) =>
        text
          .split(BREAK)
          .filter((part) => part !== '')
          .map((part) => settleBrackets(part.replaceAll(QUOTED, '').replaceAll(TILDE, '~'))),
      );
      lists = lists.flatMap((list) => choices.map((choice) => [...list, ...choice]));
      if (lists.length > MAX_FORMS) throw new TooComplex();
    }
    return lists;
  }

  #tilde(word: string, state: ShellState): string[] {
    if (!word.startsWith(TILDE)) return [word];
    const slash = word.indexOf('/');
    const end = slash < 0 ? word.length : slash;
    const name = word.slice(1, end);
    if (name.includes(QUOTED)) return [word];
    return homesOf(name, state).map((home) => home + word.slice(end));
  }

  /** The forms of the text between two offsets, of which the nodes cover the parts that are not plain. */
  #span(nodes: readonly ShellNode[], from: number, to: number, scope: WordScope, reading: Reading): string[] {
    let forms = [''];
    let at = from;
    const add = (more: readonly string[]): void => {
      if (forms.length * more.length > MAX_FORMS) throw new TooComplex();
      forms = forms.flatMap((form) => more.map((text) => form + text));
      if (forms.some((form) => form.length > MAX_TEXT)) throw new TooComplex();
    };
    nodes.forEach((node, index) => {
      if (node.start < at || node.end > to) return;
      if (node.start > at) add([this.#text(scope.source.slice(at, node.start), node, scope, reading)]);
      at = node.end;
      // `$"…"` is a string to be translated: the grammar reads a `$` and a string that touches it.
      if (scope.source.slice(node.start, node.end) === '$' && nodes[index + 1]?.type === 'string') return;
      add(this.#piece(node, scope, reading));
    });
    if (to > at) add([this.#text(scope.source.slice(at, to), undefined, scope, reading)]);
    return forms;
  }

  /** Plain text, unless a substitution is in it that the grammar does not see (as in here-documents). */
  #text(text: string, node: ShellNode | undefined, scope: WordScope, reading: Reading): string {
    const active = text.replace(/\\[\s\S]/g, '');
    if (!/`|\$[({]/.test(active)) return literal(text, reading);
    const place = node ?? { type: 'text', field: undefined, start: 0, end: scope.source.length, children: [] };
    this.#host.construct('a substitution within text', place, scope);
    // Unescaped the way the shell does it before it runs what is in backticks.
    for (const [, inner = ''] of text.matchAll(/`((?:\\[\s\S]|[^`\\])*)`/g)) {
      this.#host.backticks(inner.replace(/\\([\\`$])/g, '$1'), scope);
    }
    return /\$[({]/.test(active) ? SOME : literal(text, reading);
  }

  #piece(node: ShellNode, scope: WordScope, reading: Reading): string[] {
    const text = scope.source.slice(node.start, node.end);
    switch (node.type) {
      case 'string':
        if (isTricky(text)) this.#host.construct('quotes in which a separator may hide', node, scope);
        return this.#span(node.children, node.start + 1, node.end - 1, scope, 'quoted').map((form) =>
          // `"$@"` without any parameter is no word at all.
          form === '' && /^"\$(@|\{\w+\[@\]\})"$/.test(text) ? '' : QUOTED + form,
        );
      case 'translated_string':
        return this.#span(node.children, node.start + 1, node.end, scope, reading);
      case 'raw_string':
        return [QUOTED + text.slice(1, -1)];
      case 'ansi_c_string':
        return [QUOTED + decodeAnsiC(text.slice(2, -1))];
      case 'concatenation':
        return this.#span(node.children, node.start, node.end, scope, reading);
      case 'simple_expansion':
        return this.#parameter(text.slice(1), undefined, scope, reading);
      case 'expansion':
        return this.#expansion(node, text, scope, reading);
      case 'command_substitution': {
        const outputs = this.#host.commandOutputs(node, scope);
        return deliver(outputs?.map((output) => [output]) ?? [[SOME]], reading, scope.state, false);
      }
      case 'process_substitution':
        return [this.#host.processPath(node, scope)];
      case 'arithmetic_expansion':
        this.#visit(node, scope);
        if (!/^\$\(\([\d\s+*/%-]*\)\)$/.test(text)) this.#host.construct('arithmetic', node, scope);
        return [SOME];
      case 'brace_expression':
        return [literal(text, reading)];
      default:
        return this.#plain(node, text, scope, reading);
    }
  }

  #plain(node: ShellNode, text: string, scope: WordScope, reading: Reading): string[] {
    if (node.children.length > 0) {
      this.#visit(node, scope);
      this.#host.construct(`a ${node.type.replaceAll('_', ' ')} in a word`, node, scope);
      return [ANY];
    }
    if (reading !== 'quoted' && WORD_LIKE.has(node.type) && METACHARACTER.test(text.replace(/\\[\s\S]/g, ''))) {
      this.#host.construct('a word that may be read in two ways', node, scope);
    }
    return [this.#text(text, node, scope, reading)];
  }

  /** Follows every substitution below a node whose value does not matter. */
  #visit(node: ShellNode, scope: WordScope): void {
    for (const child of node.children) {
      if (/^(command_substitution|process_substitution|expansion|simple_expansion)$/.test(child.type)) {
        this.#piece(child, scope, 'quoted');
      } else {
        this.#visit(child, scope);
      }
    }
  }

  #expansion(node: ShellNode, text: string, scope: WordScope, reading: Reading): string[] {
    const form = parameterForm(text);
    if (!form) {
      this.#visit(node, scope);
      this.#host.construct('an expansion of an unusual form', node, scope);
      return [ANY];
    }
    if (form.operator === '@') this.#host.construct(`\`${text}\`, which may run what a variable holds`, node, scope);
    if (form.index !== undefined && !/^([@*]|\d+)$/.test(form.index)) {
      this.#visit(node, scope);
      this.#host.construct('an index that is calculated', node, scope);
    }
    if (form.operator === '' && !form.length && !form.indirect) {
      return this.#parameter(form.name, form.index, scope, reading);
    }
    const values = this.#formed(form, node, scope);
    return deliver(
      [...new Set(values)].map((value) => [value]),
      reading,
      scope.state,
      false,
    );
  }

  #formed(form: ParameterForm, node: ShellNode, scope: WordScope): string[] {
    const named = this.#values(form.name, form.index, scope.state).map((value) => value.join(' '));
    const values = form.indirect
      ? named.flatMap((name) => (isUnknown(name) ? [ANY] : scope.state.lookup(name).map((value) => value.join(' '))))
      : named;
    const operand = (): string[] =>
      this.textOf(node.children, node.start + form.operandAt, node.end - 1, scope, 'assigned');
    if (form.length) return [SOME];
    switch (form.operator) {
      case ':-':
      case '-':
        return withDefault(values, operand());
      case ':=':
      case '=': {
        const either = withDefault(values, operand());
        scope.state.assign(
          form.name,
          either.map((value) => [value]),
        );
        return either;
      }
      case ':+':
      case '+':
        return ['', ...operand()];
      case ':?':
      case '?':
        operand();
        return neverEmpty(values);
      case '':
        return values;
      default:
        return this.#transformed(form, values, node, scope);
    }
  }

  #transformed(form: ParameterForm, values: readonly string[], node: ShellNode, scope: WordScope): string[] {
    const { operator } = form;
    const from = node.start + form.operandAt;
    const operand = scope.source.slice(from, node.end - 1);
    if (operator === ':') {
      this.#visit(node, scope);
      return values.map((value) => substring(value, operand));
    }
    if (/^[#%]/.test(operator)) {
      const patterns = this.#span(node.children, from, node.end - 1, scope, 'bare');
      return values.flatMap((value) => patterns.map((pattern) => trimByPattern(value, operator, pattern)));
    }
    if (operator.startsWith('/')) {
      const slash = operand.indexOf('/');
      const end = slash < 0 ? operand.length : slash;
      const patterns = this.#span(node.children, from, from + end, scope, 'bare');
      const replacements = this.textOf(
        node.children,
        Math.min(from + end + 1, node.end - 1),
        node.end - 1,
        scope,
        'assigned',
      );
      return values.flatMap((value) =>
        patterns.flatMap((pattern) =>
          replacements.map((replacement) => replaceByPattern(value, operator, pattern, replacement)),
        ),
      );
    }
    this.#visit(node, scope);
    return /^[,^]/.test(operator) && operand === '' ? values.map((value) => changeCase(value, operator)) : [ANY];
  }

  #parameter(name: string, index: string | undefined, scope: WordScope, reading: Reading): string[] {
    return deliver(this.#values(name, index, scope.state), reading, scope.state, name === '@' || index === '@');
  }

  #values(name: string, index: string | undefined, state: ShellState): readonly Value[] {
    if (name === '@' || name === '*') return [state.positional ?? [SOME]];
    if (/^[1-9]\d*$/.test(name)) return [[state.positional ? (state.positional[Number(name) - 1] ?? '') : SOME]];
    if (name === '0') return [[state.zero]];
    if (!/^[A-Za-z_]/.test(name)) return [[SOME]];
    const values = state.lookup(name);
    if (index === '@' || index === '*') return values;
    if (index === undefined) return values.map((value) => [value[0] ?? '']);
    // A list that is not known has any number of elements.
    const known = (value: Value) => /^\d+$/.test(index) && !(value.length === 1 && value[0] === ANY);
    return values.map((value) => [known(value) ? (value[Number(index)] ?? '') : ANY]);
  }
}

/** The forms a value takes where it is inserted. */
function deliver(values: readonly Value[], reading: Reading, state: ShellState, separate: boolean): string[] {
  if (reading === 'quoted') {
    return values.map((value) => value.join(separate ? QUOTED + BREAK + QUOTED : ' '));
  }
  if (reading === 'assigned') return values.map((value) => value.join(' '));
  const separators = state
    .lookup('IFS')
    .flat()
    .join('')
    .replace(/[\uE000-\uE00F]/g, '');
  return values.map((value) =>
    value
      .map((text) => activateGlobs([...text].map((symbol) => (separators.includes(symbol) ? BREAK : symbol)).join('')))
      .join(BREAK),
  );
}

function literal(text: string, reading: Reading): string {
  if (reading === 'quoted')
    return text.replace(/\\([$`"\\])|\\\n/g, (_whole, escaped: string | undefined) => escaped ?? '');
  return text.replace(/\\\n|\\([\s\S])|[*?[\]{},~]|\s/g, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return QUOTED + escaped;
    // The grammar takes `} }` for one word.
    if (/^\s$/.test(whole)) return reading === 'bare' ? BLANK : whole;
    return whole === '\\\n' ? '' : (ACTIVE[whole] ?? whole);
  });
}

function homesOf(name: string, state: ShellState): string[] {
  if (name === '') return state.lookup('HOME').map((value) => value.join(' '));
  if (name === '+') return state.cwds.map((cwd) => (cwd === UNKNOWN_FOLDER ? SOME : cwd));
  if (name === '-') return state.left.length > 0 ? [...state.left] : [SOME];
  return [name === 'root' ? '/root' : posix.join('/home', name)];
}

/** Whether the nodes are nothing but characters, quoted or not. */
function isLiteral(nodes: readonly ShellNode[]): boolean {
  return nodes.every(
    (node) =>
      /^(word|number|raw_string|string_content)$/.test(node.type) ||
      (/^(string|concatenation)$/.test(node.type) && isLiteral(node.children)) ||
      node.type === '"',
  );
}

/** `"…\"…;…"`: quoting in which a separator may hide from one reader or the other. */
function isTricky(text: string): boolean {
  return /\\["'`]/.test(text) && /[;&|\n`]/.test(text);
}

/** Brackets that make no set are plain characters: `[` is a command. */
function settleBrackets(text: string): string {
  const open = text.indexOf(SET_OPEN);
  if (open >= 0 && text.indexOf(SET_CLOSE, open + 2) > 0) return text;
  return text.replaceAll(SET_OPEN, '[').replaceAll(SET_CLOSE, ']');
}
