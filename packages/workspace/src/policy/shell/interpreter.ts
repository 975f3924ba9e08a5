import { posix } from 'node:path';
import { combined } from './combined.ts';
import { CommandRunner } from './command-runner.ts';
import type { AssignedVariable, Fact, Field } from './facts.ts';
import { type Flow, type Input, merged, same, together } from './flow.ts';
import { isForkBomb } from './fork-bomb.ts';
import { ANY, withoutMarkers } from './markers.ts';
import { type Redirected, Redirections } from './redirections.ts';
import type { ShellNode, ShellParser, SoundSyntax } from './shell-parser.ts';
import { lengthened, ShellState, type ShellSurroundings } from './shell-state.ts';
import { grouped, isStatement, isWord, plainField, splitAtLineEnd, textOf } from './syntax-nodes.ts';
import { Trail } from './trail.ts';
import { WordEvaluator, type WordScope } from './word-evaluator.ts';

/**
 * Follows a parsed command line the way a shell would, with sets of possible values in place of values, and collects
 * every command, redirection and assignment it may come to, also those inside substitutions, functions, wrappers and
 * scripts given as text. Nothing is ever run. Where the way forks, both ways are followed.
 */
export class ShellInterpreter {
  readonly #trail = new Trail();
  readonly #words: WordEvaluator;
  readonly #redirections: Redirections;
  readonly #runner: CommandRunner;
  #anyOutcome = false;
  #paths = 0;

  constructor(parser: ShellParser) {
    const construct = (what: string, node: ShellNode, scope: WordScope) =>
      this.#trail.construct(what, textOf(node, scope));
    this.#words = new WordEvaluator({
      commandOutputs: (node, scope) => this.#substituted(node, scope),
      processPath: (node, scope) => this.#processPath(node, scope),
      backticks: (script, scope) => {
        this.#runner.script(script, scope.state.clone(), { source: script, assignments: [], stdin: undefined });
      },
      construct,
    });
    this.#redirections = new Redirections(this.#words, { construct });
    this.#runner = new CommandRunner(parser, this.#trail, {
      statement: (node, scope, input) => this.#statement(node, scope, input),
      sequence: (nodes, scope, input) => this.#sequence(nodes, scope, input),
      begin: (syntax) => this.#begin(syntax),
    });
  }

  /** What was met so far. */
  get facts(): readonly Fact[] {
    return this.#trail.facts;
  }

  /** Follows a whole line. @throws TooComplex */
  run(syntax: SoundSyntax, surroundings: ShellSurroundings): void {
    this.#begin(syntax);
    const state = new ShellState(surroundings);
    this.#sequence(syntax.root.children, { source: syntax.source, state }, {});
  }

  #begin({ root, source, anyOutcome }: SoundSyntax): void {
    if (anyOutcome) this.#anyOutcome = true;
    if (isForkBomb(root, source)) this.#trail.record({ kind: 'fork-bomb', source });
  }

  #sequence(nodes: readonly ShellNode[], scope: WordScope, input: Input): Flow {
    let flow = same(scope.state);
    nodes.forEach((node, index) => {
      if (!isStatement(node)) return;
      const before = flow.ok.join(flow.fail);
      const next = this.#statement(node, { source: scope.source, state: before }, input);
      const background = nodes[index + 1]?.type === '&';
      flow = background ? { ...same(before), out: flow.out } : { ...next, out: together(flow.out, next.out) };
    });
    return flow;
  }

  #statement(node: ShellNode, scope: WordScope, input: Input): Flow {
    this.#trail.step();
    switch (node.type) {
      case 'command':
        return this.#command(node, scope, input);
      case 'list':
        return this.#list(node, scope, input);
      case 'pipeline':
        return this.#pipeline(node, scope, input);
      case 'redirected_statement':
        return this.#redirected(node, scope, input);
      case 'negated_command': {
        const flow = this.#sequence(node.children.slice(1), scope, input);
        return { ok: flow.fail, fail: flow.ok, out: flow.out };
      }
      case 'subshell': {
        const flow = this.#sequence(node.children, { ...scope, state: scope.state.clone() }, input);
        return { ...same(scope.state), out: flow.out };
      }
      case 'compound_statement':
      case 'do_group':
      case 'program':
        if (node.children[0]?.type === '((') return this.#calculation(node, scope);
        return this.#sequence(node.children, scope, input);
      case 'if_statement':
      case 'elif_clause':
        return this.#condition(node, scope, input);
      case 'else_clause':
        return this.#sequence(node.children, scope, input);
      case 'while_statement':
        return this.#loop(node, scope, input, (state) =>
          this.#sequence(
            node.children.filter((child) => child.field === 'condition'),
            { ...scope, state },
            input,
          ),
        );
      case 'for_statement':
        return this.#forEach(node, scope, input);
      case 'c_style_for_statement':
        this.#trail.construct('arithmetic', textOf(node, scope));
        this.#visit(
          node.children.filter((child) => child.field !== 'body'),
          scope,
        );
        return this.#loop(node, scope, input, same);
      case 'case_statement':
        return this.#cases(node, scope, input);
      case 'function_definition':
        return this.#define(node, scope);
      case 'variable_assignment':
      case 'variable_assignments':
        this.#assign(node, scope);
        // `ls | A=1 >f cmd`: a command stands behind what the grammar took for an assignment alone.
        return input.extra?.length ? this.#displaced(input.extra, scope, { stdin: input.stdin }) : same(scope.state);
      case 'declaration_command':
      case 'unset_command':
        return this.#declare(node, scope);
      case 'test_command':
        return this.#test(node, scope);
      default:
        this.#trail.construct(`a ${node.type.replaceAll('_', ' ')}`, textOf(node, scope));
        this.#visit([node], scope);
        return same(scope.state);
    }
  }

  #succeeded(flow: Flow): ShellState {
    return this.#anyOutcome ? flow.ok.join(flow.fail) : flow.ok;
  }

  #failed(flow: Flow): ShellState {
    return this.#anyOutcome ? flow.ok.join(flow.fail) : flow.fail;
  }

  /** `a && b`, `a || b`: the right side sees what holds after the left one went well, or did not. */
  #list(node: ShellNode, scope: WordScope, input: Input): Flow {
    const operator = node.children.find((child) => child.type === '&&' || child.type === '||')?.type;
    const [left, right] = node.children.filter(isStatement);
    if (!left) return same(scope.state);
    const { extra, ...leftInput } = input;
    const first = this.#statement(left, scope, right ? leftInput : input);
    if (!right) return first;
    const start = operator === '&&' ? this.#succeeded(first) : this.#failed(first);
    const second = this.#statement(
      right,
      { ...scope, state: start.clone() },
      { ...leftInput, ...(extra ? { extra } : {}) },
    );
    const out = together(first.out, second.out);
    return operator === '&&'
      ? { ok: second.ok, fail: first.fail.join(second.fail), out }
      : { ok: first.ok.join(second.ok), fail: second.fail, out };
  }

  #pipeline(node: ShellNode, scope: WordScope, input: Input): Flow {
    const stages = node.children.filter(isStatement);
    let { stdin } = input;
    let last = scope.state;
    stages.forEach((stage, index) => {
      const extra = index === stages.length - 1 && input.extra ? { extra: input.extra } : {};
      const flow = this.#statement(stage, { ...scope, state: scope.state.clone() }, { stdin, ...extra });
      stdin = flow.out;
      last = flow.ok;
    });
    // The last stage may run in the shell itself (`lastpipe`, zsh).
    return { ...same(scope.state.join(last)), out: stdin };
  }

  #redirected(node: ShellNode, scope: WordScope, input: Input): Flow {
    const body = node.children.find((child) => child.field === 'body');
    const given = this.#redirections.read(
      node.children.filter((child) => child !== body),
      scope,
    );
    const extra = [...given.extra, ...(input.extra ?? [])];
    const inner = { stdin: given.stdin ?? input.stdin, extra };
    let flow: Flow;
    if (body) flow = this.#statement(body, scope, inner);
    else if (extra.length > 0) flow = this.#displaced(extra, scope, inner);
    else flow = same(scope.state);
    if (body && extra.length > 0 && !/^(command|pipeline|list|negated_command)$/.test(body.type)) {
      this.#trail.construct('words behind a redirection', textOf(node, scope));
    }
    this.#noteRedirections(given, flow, scope.state);
    for (const { operator, statement } of given.following) {
      if (operator === '|') {
        const piped = this.#statement(statement, { ...scope, state: flow.ok.clone() }, { stdin: flow.out });
        flow = { ...same(scope.state), out: piped.out };
      } else {
        flow = this.#statement(statement, { ...scope, state: flow.ok.join(flow.fail) }, {});
      }
    }
    return given.outputGone ? { ...flow, out: undefined } : flow;
  }

  /** `>f X=1 cmd`: the grammar takes a whole command for further targets of the redirection before it. */
  #displaced(nodes: readonly ShellNode[], scope: WordScope, input: Input): Flow {
    const [first = [], ...rest] = grouped(nodes, scope);
    const [start] = first;
    const assigning = start && /^([A-Za-z_]\w*)=/.exec(scope.source.slice(start.start, first.at(-1)?.end));
    if (!assigning?.[1]) return this.#wordsAsCommand(nodes, scope, input);
    const [whole, name] = assigning;
    const values = this.#words.fields(first, scope).flat();
    scope.state.assign(
      name,
      values.map(({ value }) => [withoutMarkers(value).slice(whole.length)]),
    );
    this.#trail.construct('an assignment behind a redirection', whole);
    return this.#displaced(rest.flat(), scope, input);
  }

  /** The grammar hangs a redirection on a whole chain, though it belongs to the last command of it, where `cd` counts. */
  #noteRedirections(given: Redirected, flow: Flow, state: ShellState): void {
    const cwds = [...new Set([...state.cwds, ...flow.ok.cwds])];
    this.#trail.record(...given.facts.map((fact) => ({ ...fact, cwds })));
    for (const after of new Set([state, flow.ok, flow.fail])) this.#redirections.keep(given, flow.out, after);
  }

  #condition(node: ShellNode, scope: WordScope, input: Input): Flow {
    const then = node.children.findIndex((child) => child.type === 'then');
    const alternatives = node.children.filter((child) => /^(elif|else)_clause$/.test(child.type));
    const asked = this.#sequence(node.children.slice(0, then), scope, input);
    const body = node.children.slice(then + 1).filter((child) => !alternatives.includes(child));
    let result = this.#sequence(body, { ...scope, state: this.#succeeded(asked).clone() }, input);
    for (const alternative of alternatives) {
      result = merged(result, this.#statement(alternative, { ...scope, state: this.#failed(asked).clone() }, input));
    }
    const skipped = this.#failed(asked);
    return { ok: result.ok.join(skipped), fail: result.fail.join(skipped), out: undefined };
  }

  /** The body is followed twice, so that the second round sees what the first one set. */
  #loop(node: ShellNode, scope: WordScope, input: Input, enter: (state: ShellState) => Flow): Flow {
    const body = node.children.filter((child) => child.field === 'body' || child.type === 'do_group');
    let state = scope.state;
    for (let round = 0; round < 2; round += 1) {
      const flow = this.#sequence(body, { ...scope, state: this.#succeeded(enter(state.clone())) }, input);
      state = state.join(flow.ok).join(flow.fail);
    }
    return { ...same(state), out: undefined };
  }

  #forEach(node: ShellNode, scope: WordScope, input: Input): Flow {
    const variable = node.children.find((child) => child.field === 'variable');
    const listed = grouped(
      node.children.filter((child) => child.field === 'value'),
      scope,
    );
    const values = listed.flatMap((word) => this.#words.fields(word, scope).flat());
    const inWords = node.children.some((child) => child.type === 'in');
    const name = variable ? textOf(variable, scope) : '_';
    const items = inWords
      ? values.map(({ value }) => [withoutMarkers(value)])
      : (scope.state.positional ?? [ANY]).map((value) => [value]);
    return this.#loop(node, scope, input, (state) => {
      state.assign(name, items.length > 0 ? items : [['']]);
      return same(state);
    });
  }

  #cases(node: ShellNode, scope: WordScope, input: Input): Flow {
    let result = same(scope.state);
    this.#visit(
      node.children.filter((child) => child.field === 'value'),
      scope,
    );
    for (const item of node.children.filter((child) => child.type === 'case_item')) {
      this.#visit(
        item.children.filter((child) => child.field === 'value'),
        scope,
      );
      const body = item.children.filter((child) => child.field !== 'value');
      result = merged(result, this.#sequence(body, { ...scope, state: scope.state.clone() }, input));
    }
    return { ...result, out: undefined };
  }

  #define(node: ShellNode, scope: WordScope): Flow {
    const name = node.children.find((child) => child.field === 'name');
    const body = node.children.find((child) => child.field === 'body');
    if (!name || !body) return same(scope.state);
    this.#trail.record(
      ...this.#redirections.read(
        node.children.filter((child) => child.field === 'redirect'),
        scope,
      ).facts,
    );
    const state = scope.state.clone();
    state.positional = undefined;
    this.#runner.called(body, () => this.#statement(body, { ...scope, state }, {}));
    scope.state.functions.set(textOf(name, scope), [{ source: scope.source, body }]);
    return same(scope.state);
  }

  #calculation(node: ShellNode, scope: WordScope): Flow {
    this.#trail.construct('arithmetic', textOf(node, scope));
    this.#visit(node.children, scope);
    return same(scope.state);
  }

  #assign(node: ShellNode, scope: WordScope): void {
    const all = node.type === 'variable_assignment' ? [node] : node.children;
    for (const assignment of all.filter((child) => child.type === 'variable_assignment')) {
      const assigned = this.#assignment(assignment, scope);
      this.#trail.record({ kind: 'assignment', assigned, source: textOf(assignment, scope) });
    }
  }

  /** Works out one assignment and makes it in the scope's state. */
  #assignment(node: ShellNode, scope: WordScope): AssignedVariable {
    const target = node.children.find((child) => child.field === 'name');
    const nameNode = target?.type === 'subscript' ? target.children.find((child) => child.field === 'name') : target;
    const name = nameNode ? textOf(nameNode, scope) : '';
    const operator = node.children.findIndex((child) => child.type === '=' || child.type === '+=');
    const valueNodes = node.children.slice(operator + 1);
    if (target?.type === 'subscript') {
      this.#trail.construct('an element of a list is set', textOf(node, scope));
      this.#visit([target], scope);
    }
    const array = valueNodes.find((child) => child.type === 'array');
    const values = array ? this.#elements(array, scope) : this.#words.texts(valueNodes, scope).map((text) => [text]);
    const appends = node.children[operator]?.type === '+=';
    const before = scope.state.lookup(name);
    const added = before.flatMap((old) =>
      values.flatMap((value) => (array ? lengthened(old, value) : [[(old[0] ?? '') + (value[0] ?? '')]])),
    );
    scope.state.assign(name, target?.type === 'subscript' ? [[ANY]] : appends ? added : values);
    return { name, values: values.map((value) => value.join(' ')) };
  }

  #elements(array: ShellNode, scope: WordScope): string[][] {
    let lists: string[][] = [[]];
    for (const word of grouped(
      array.children.filter((child) => isWord(child)),
      scope,
    )) {
      const choices = this.#words.fields(word, scope).map((fields) => fields.map(({ value }) => withoutMarkers(value)));
      lists = combined(lists, choices);
    }
    return lists;
  }

  #declare(node: ShellNode, scope: WordScope): Flow {
    const [keyword, ...rest] = node.children;
    if (!keyword) return same(scope.state);
    const word = (child: ShellNode): Field => plainField(textOf(child, scope));
    const words = [word(keyword)];
    for (const child of rest) {
      if (child.type === 'variable_assignment') this.#assignment(child, scope);
      else if (isWord(child)) this.#visit([child], scope);
      if (keyword.type === 'unset') scope.state.assign(textOf(child, scope), [['']]);
      words.push(word(child));
    }
    if (words.some(({ value }) => /^-\w*n/.test(value)))
      this.#trail.construct('a reference to a variable', textOf(node, scope));
    this.#runner.record(
      words,
      scope.state,
      { source: textOf(node, scope), assignments: [], stdin: undefined },
      undefined,
    );
    return same(scope.state);
  }

  #test(node: ShellNode, scope: WordScope): Flow {
    const words: Field[] = [];
    const walk = (child: ShellNode): void => {
      if (/^(unary|binary|parenthesized|ternary|postfix)_expression$/.test(child.type)) child.children.forEach(walk);
      else if (isWord(child)) words.push(...(this.#words.fields([child], scope)[0] ?? []));
      else words.push(plainField(textOf(child, scope)));
    };
    node.children.forEach(walk);
    this.#runner.record(
      words,
      scope.state,
      { source: textOf(node, scope), assignments: [], stdin: undefined },
      undefined,
    );
    return same(scope.state);
  }

  #command(node: ShellNode, scope: WordScope, input: Input): Flow {
    const [before, after] = splitAtLineEnd(node, scope);
    if (before.length > 0) {
      this.#assign({ ...node, type: 'variable_assignments', children: before }, scope);
      return this.#command({ ...node, children: after }, scope, input);
    }
    const parts = node.children.flatMap((child) => (child.type === 'command_name' ? child.children : [child]));
    const redirects = parts.filter((child) => /_redirect$/.test(child.type));
    const assigning = parts.filter((child) => child.type === 'variable_assignment');
    const given = this.#redirections.read(redirects, scope);
    const wordNodes = parts.filter((child) => !redirects.includes(child) && !assigning.includes(child));
    // A command sees the assignments before it in its environment; its words are expanded without them.
    const inner = { ...scope, state: scope.state.clone() };
    const assignments = assigning.map((child) => this.#assignment(child, inner));
    const wordState = assignments.length > 0 ? scope.state.join(inner.state) : scope.state;
    const flow = this.#wordsAsCommand(
      [...wordNodes, ...given.extra, ...(input.extra ?? [])],
      { ...scope, state: wordState },
      { stdin: given.stdin ?? input.stdin },
      assignments,
    );
    this.#noteRedirections(given, flow, scope.state);
    if (assignments.length === 0) return given.outputGone ? { ...flow, out: undefined } : flow;
    const restore = (state: ShellState): ShellState => {
      for (const { name } of assignments) state.assign(name, scope.state.lookup(name));
      return state;
    };
    return { ok: restore(flow.ok), fail: restore(flow.fail), out: given.outputGone ? undefined : flow.out };
  }

  #wordsAsCommand(
    nodes: readonly ShellNode[],
    scope: WordScope,
    input: Input,
    assignments: readonly AssignedVariable[] = [],
  ): Flow {
    const first = nodes[0];
    const last = nodes.at(-1);
    if (!first || !last) return same(scope.state);
    const source = scope.source.slice(first.start, last.end);
    let lists: Field[][] = [[]];
    for (const word of grouped(nodes, scope)) {
      const choices = this.#words.fields(word, scope);
      lists = combined(lists, choices);
    }
    let result: Flow | undefined;
    for (const words of lists) {
      const call = { source, assignments, stdin: input.stdin };
      const flow = this.#runner.call(
        words,
        { ...scope, state: lists.length > 1 ? scope.state.clone() : scope.state },
        call,
      );
      result = result ? merged(result, flow) : flow;
    }
    return result ?? same(scope.state);
  }

  #substituted(node: ShellNode, scope: WordScope): readonly string[] | undefined {
    const text = textOf(node, scope);
    const state = scope.state.clone();
    const redirect = node.children.find((child) => child.field === 'redirect');
    if (redirect) {
      const given = this.#redirections.read([redirect], scope);
      this.#trail.record(...given.facts);
      return given.stdin?.map((output) => output.trimEnd());
    }
    let flow: Flow;
    if (text.startsWith('`')) {
      // In backticks a backslash escapes once more, which the grammar does not follow.
      const inner = text.slice(1, -1).replace(/\\([\\`$])/g, '$1');
      flow = this.#runner.script(inner, state, { source: text, assignments: [], stdin: undefined });
    } else {
      flow = this.#trail.deeper(() => this.#sequence(node.children, { ...scope, state }, {}));
    }
    return flow.out?.map((output) => output.replace(/\n+$/, ''));
  }

  #processPath(node: ShellNode, scope: WordScope): string {
    const flow = this.#trail.deeper(() => this.#sequence(node.children, { ...scope, state: scope.state.clone() }, {}));
    this.#paths += 1;
    const path = posix.join('/dev/fd', String(100 + this.#paths));
    if (flow.out) scope.state.files.set(path, flow.out);
    return path;
  }

  /** Follows every substitution below nodes whose value does not matter. */
  #visit(nodes: readonly ShellNode[], scope: WordScope): void {
    for (const node of nodes) {
      if (
        /^(command_substitution|process_substitution|expansion|simple_expansion|string|concatenation)$/.test(node.type)
      ) {
        this.#words.fields([node], scope);
      } else {
        this.#visit(node.children, scope);
      }
    }
  }
}
