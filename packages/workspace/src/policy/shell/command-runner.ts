import type { AssignedVariable, Field, WrapperKind } from './facts.ts';
import { type Flow, type Input, merged, same } from './flow.ts';
import { foreignCode } from './foreign-code.ts';
import { knownOutput } from './known-output.ts';
import { isUnknown, SOME, withoutMarkers, withoutUnknown } from './markers.ts';
import { changeState } from './shell-builtins.ts';
import type { ShellNode, ShellParser, SoundSyntax } from './shell-parser.ts';
import { type ShellFunction, type ShellState, UNKNOWN_FOLDER } from './shell-state.ts';
import type { Trail } from './trail.ts';
import type { Unwrapped } from './unwrapped.ts';
import type { WordScope } from './word-evaluator.ts';
import { isWrapper, programName, SHELLS, unwrap } from './wrappers.ts';

/** How a command came to be run. */
export interface Calling {
  source: string;
  assignments: readonly AssignedVariable[];
  stdin: readonly string[] | undefined;
  sweeping?: boolean;
  moreOperands?: boolean;
  speculative?: boolean;
  /** `command` and `builtin` pass by functions. */
  noFunctions?: boolean;
}

/** Follows the statements of functions and scripts. */
export interface StatementHost {
  statement(node: ShellNode, scope: WordScope, input: Input): Flow;
  sequence(nodes: readonly ShellNode[], scope: WordScope, input: Input): Flow;
  /** Told of every script before it is followed. */
  begin(syntax: SoundSyntax): void;
}

/** Programs whose words are text and never a command of their own. */
const TEXT_ONLY =
  /^(echo|printf|e?grep|fgrep|rg|ag|ack|man|which|type|whereis|apropos|info|help|cat|head|tail|ls|less|more|git|gh|glab|true|false|:|\[|\[\[|test|read|export|declare|local|readonly|typeset|unset|set|cd|pushd|history|jq|yq|sed|touch|mkdir|basename|dirname|stat|file|wc|sort|uniq|diff|curl|wget)$/;
/** Names worth a look where they stand among the words of an unknown program. */
const TELLING = /^(rm|dd|chmod|mkfs(\..*)?|rimraf)$/;

/** Follows single commands: functions, programs, and what programs run in their turn. */
export class CommandRunner {
  readonly #parser: ShellParser;
  readonly #trail: Trail;
  readonly #host: StatementHost;
  /** Functions being followed. */
  readonly #calls: ShellNode[] = [];

  constructor(parser: ShellParser, trail: Trail, host: StatementHost) {
    this.#parser = parser;
    this.#trail = trail;
    this.#host = host;
  }

  /** A command with its words worked out: a function, or a program and whatever that runs in its turn. */
  call(words: readonly Field[], scope: WordScope, call: Calling): Flow {
    this.#trail.step();
    const { state } = scope;
    const [name, ...rest] = words;
    if (!name) return same(state);
    if (isUnknown(name.value)) this.#trail.construct('a program whose name is not known', call.source);
    // A name that comes to nothing leaves the next word in its place.
    if (rest.length > 0 && withoutUnknown(name.value) === '') {
      this.#trail.deeper(() => this.call(rest, { ...scope, state: scope.state.clone() }, call));
    }
    const functions = call.noFunctions ? undefined : state.functions.get(name.value);
    if (functions) return this.#callFunction(functions, rest, scope, call);

    const runs = unwrap(words, call.stdin);
    this.record(words, state, call, runs.length > 0 ? kindOf(runs) : undefined);
    for (const code of foreignCode(words, call.stdin)) {
      this.#trail.record({ kind: 'code', code, cwds: state.cwds, source: call.source });
    }
    if (call.moreOperands && runs.some((run) => run.words?.length === 0)) {
      this.#trail.construct('a program whose name is not known', call.source);
    }
    let { ok, fail } = same(state);
    for (const run of runs) {
      const flow = this.#run(run, programName(name), scope, call);
      if (run.sameShell) ({ ok, fail } = { ok: ok.join(flow.ok), fail: fail.join(flow.fail) });
    }
    this.#speculate(words, scope, call);
    this.#scripts(words, scope, call);
    const effect = changeState(words, ok, call.stdin);
    const out = runs.length > 0 ? undefined : knownOutput(words, call.stdin, state);
    return effect ? { ...effect, out } : { ok, fail, out };
  }

  record(words: readonly Field[], state: ShellState, call: Calling, wrapper: WrapperKind | undefined): void {
    if (words.length === 0) return;
    this.#trail.record({
      kind: 'command',
      words,
      assignments: call.assignments,
      cwds: state.cwds,
      source: call.source,
      wrapper,
      sweeping: call.sweeping ?? false,
      moreOperands: call.moreOperands ?? false,
      speculative: call.speculative ?? false,
    });
  }

  #callFunction(functions: readonly ShellFunction[], rest: readonly Field[], scope: WordScope, call: Calling): Flow {
    const outer = scope.state.positional;
    let result: Flow | undefined;
    for (const { source, body } of functions) {
      const state = scope.state.clone();
      state.positional = rest.map(({ value }) => withoutMarkers(value));
      for (const { name: variable, values } of call.assignments)
        state.assign(
          variable,
          values.map((value) => [value]),
        );
      const flow = this.called(body, () => this.#host.statement(body, { source, state }, { stdin: call.stdin }));
      if (flow) result = result ? merged(result, flow) : flow;
    }
    if (!result) return same(scope.state);
    result.ok.positional = outer;
    result.fail.positional = outer;
    return result;
  }

  /** Follows a function's body unless it is being followed already. */
  called(body: ShellNode, follow: () => Flow): Flow | undefined {
    if (this.#calls.includes(body)) return undefined;
    this.#calls.push(body);
    try {
      return this.#trail.deeper(follow);
    } finally {
      this.#calls.pop();
    }
  }

  /** Follows what a wrapper runs. */
  #run(run: Unwrapped, wrapper: string, scope: WordScope, call: Calling): Flow {
    const state = run.sameShell ? scope.state : scope.state.clone();
    if (run.folder !== undefined) state.cwds = isUnknown(run.folder) ? [UNKNOWN_FOLDER] : state.resolve(run.folder);
    for (const { name, values } of [...call.assignments, ...(run.assignments ?? [])]) {
      state.assign(
        name,
        values.map((value) => [value]),
      );
    }
    const inner: Calling = {
      source: call.source,
      assignments: run.assignments ?? [],
      stdin: call.stdin,
      sweeping: run.sweeping ?? call.sweeping ?? false,
      moreOperands: run.moreOperands ?? call.moreOperands ?? false,
      speculative: call.speculative ?? false,
      noFunctions: wrapper !== 'eval',
    };
    const scripts = run.scriptOnInput
      ? call.stdin
      : run.scriptFile !== undefined
        ? this.#fileContents(run.scriptFile, state)
        : run.script !== undefined
          ? [run.script]
          : undefined;
    if (!scripts) {
      if (!run.words) return same(state);
      const [assigned, words] = leadingAssignments(run.words);
      const assignments = [...inner.assignments, ...assigned];
      return this.#trail.deeper(() => this.call(words, { ...scope, state }, { ...inner, assignments }));
    }
    if (run.positional) {
      state.zero = run.positional[0] ?? (call.moreOperands ? SOME : 'bash');
      state.positional = call.moreOperands ? undefined : run.positional.slice(1);
    }
    let result = same(state);
    for (const script of scripts) result = this.script(script, state, call);
    return result;
  }

  /** A script given as text. */
  script(text: string, state: ShellState, call: Calling): Flow {
    if (isUnknown(text)) this.#trail.construct('a script that is not known', call.source);
    const syntax = this.#parser.parse(withoutMarkers(text).replace(/[\uE000\uE001]/g, '$__unknown'));
    if (!syntax.sound) {
      this.#trail.record({ kind: 'unreadable', script: text, cwds: state.cwds, source: call.source });
      return same(state);
    }
    this.#host.begin(syntax);
    return this.#trail.deeper(() =>
      this.#host.sequence(syntax.root.children, { source: syntax.source, state }, { stdin: call.stdin }),
    );
  }

  /** `source x.sh`, `. x.sh`, `./x.sh` where the line itself wrote the file. */
  #scripts(words: readonly Field[], scope: WordScope, call: Calling): void {
    const [name, operand] = words;
    if (!name) return;
    const sourced = name.value === 'source' || name.value === '.';
    const path = sourced ? operand?.value : name.value.includes('/') ? name.value : undefined;
    if (path === undefined) return;
    const contents = /^\/dev\/stdin$/.test(path) ? call.stdin : this.#fileContents(path, scope.state);
    for (const text of contents ?? []) this.script(text, sourced ? scope.state : scope.state.clone(), call);
  }

  /** Looks for a telling command among the words of a program that is not known. */
  #speculate(words: readonly Field[], scope: WordScope, call: Calling): void {
    const [name] = words;
    if (!name || TEXT_ONLY.test(programName(name)) || call.speculative) return;
    let looked = 0;
    words.forEach((word, index) => {
      if (index === 0 || looked >= 4) return;
      const program = programName(word);
      if (!TELLING.test(program) && !SHELLS.has(program) && !isWrapper(word)) return;
      looked += 1;
      const inner = { ...call, assignments: [], speculative: true };
      this.#trail.deeper(() => this.call(words.slice(index), { ...scope, state: scope.state.clone() }, inner));
    });
  }

  #fileContents(path: string, state: ShellState): readonly string[] | undefined {
    const known = state.resolve(path).flatMap((absolute) => state.files.get(absolute) ?? []);
    return known.length > 0 ? known : undefined;
  }
}

function kindOf(runs: readonly Unwrapped[]): WrapperKind {
  return runs.every(({ kind }) => kind === 'transparent') ? 'transparent' : 'opaque';
}

/** `time A=1 cmd`: assignments may follow a keyword that the grammar takes for a command. */
function leadingAssignments(words: readonly Field[]): [AssignedVariable[], readonly Field[]] {
  const count = words.findIndex(
    ({ source, value }) => !(/^[A-Za-z_]\w*=/.test(source) && /^[A-Za-z_]\w*=/.test(value)),
  );
  const assigned = words.slice(0, Math.max(count, 0)).map(({ value }) => {
    const at = value.indexOf('=');
    return { name: value.slice(0, at), values: [withoutMarkers(value.slice(at + 1))] };
  });
  return [assigned, words.slice(Math.max(count, 0))];
}
