import type { ShellNode } from './shell-parser.ts';
import type { ShellState } from './shell-state.ts';

/** Outputs longer than this are not kept. */
const MAX_OUTPUT = 20_000;
/** More possible outputs are not told apart. */
const MAX_OUTPUTS = 16;

/** What is known after a statement: where it succeeded, where it failed, what it printed (if that can be told). */
export interface Flow {
  ok: ShellState;
  fail: ShellState;
  out: readonly string[] | undefined;
}

/** What a statement gets from around it. */
export interface Input {
  /** Its standard input, where known. */
  stdin?: readonly string[] | undefined;
  /** Words that belong to it but stand behind a redirection. */
  extra?: readonly ShellNode[];
}

/** Nothing changed and nothing was printed. */
export function same(state: ShellState): Flow {
  return { ok: state, fail: state, out: [''] };
}

/** Either of the two ways was gone. */
export function merged(a: Flow, b: Flow): Flow {
  const out = a.out && b.out ? [...new Set([...a.out, ...b.out])].slice(0, MAX_OUTPUTS) : undefined;
  return { ok: a.ok.join(b.ok), fail: a.fail.join(b.fail), out };
}

/** The outputs of two statements one after the other. */
export function together(a: Flow['out'], b: Flow['out']): Flow['out'] {
  if (!a || !b) return undefined;
  const all = [...new Set(a.flatMap((first) => b.map((second) => first + second)))];
  return all.length > MAX_OUTPUTS || all.some((text) => text.length > MAX_OUTPUT) ? undefined : all;
}
