import type { AnyNode, CallExpression } from 'acorn';
import { childrenOf, isFunction, lineStarts, treeOf } from './javascript-tree.ts';

/**
 * What becomes of the promise that a call answers with: it is awaited there; it is what its function answers with; a
 * handler for its rejection is attached; it is an argument of another call, which will know what to do with it; or it is
 * kept, and nobody can tell.
 */
export type Fate = 'awaited' | 'returned' | 'handled' | 'handed' | 'kept';

/** What the syntax says about a place in a script. */
export interface Place {
  /** It stands in the block of a `try` with a `catch`, of its own function. */
  caught: boolean;
  /** Its function is async: what is thrown in it rejects a promise and does not reach the caller by itself. */
  inAsync: boolean;
  /** Of the promise of the call that stands there. */
  fate: Fate;
  /** The call that stands there is `Promise.reject`. */
  rejects: boolean;
}

interface Span {
  start: number;
  end: number;
}

interface FunctionSpan extends Span {
  isAsync: boolean;
  caught: Span[];
}

/** A call, where its callee stands. */
interface CallSpan extends Span {
  fate: Fate;
  rejects: boolean;
}

/** Larger scripts are bundles, whose tries nobody reads: what is thrown there counts as not caught. */
const MAX_SOURCE = 8 * 1024 * 1024;
const COMBINERS = /^(all|any|race)$/;

/**
 * Where exceptions of a script are caught: its functions, their `try` blocks, and what becomes of promises. The source is
 * what V8 runs, so it is JavaScript.
 */
export class TryBlocks {
  readonly #functions: FunctionSpan[] = [];
  readonly #calls: CallSpan[] = [];
  readonly #lines: number[];

  constructor(source: string) {
    this.#lines = lineStarts(source);
    const tree = source.length > MAX_SOURCE ? undefined : treeOf(source);
    if (tree) this.#read(tree, source.length);
  }

  /** @param line @param column from 0, as V8 counts them */
  at(line: number, column: number): Place {
    const offset = (this.#lines[line] ?? 0) + column;
    const inner = smallest(this.#functions, offset);
    const call = smallest(this.#calls, offset);
    return {
      caught: inner?.caught.some((span) => holds(span, offset)) ?? false,
      inAsync: inner?.isAsync ?? false,
      fate: call?.fate ?? 'kept',
      rejects: call?.rejects ?? false,
    };
  }

  #read(tree: AnyNode, length: number): void {
    // What a module does by itself may await.
    const top: FunctionSpan = { start: 0, end: length + 1, isAsync: true, caught: [] };
    this.#functions.push(top);
    const stack: { node: AnyNode; current: FunctionSpan; fate: Fate }[] = [{ node: tree, current: top, fate: 'kept' }];
    for (let item = stack.pop(); item; item = stack.pop()) {
      const { node, fate } = item;
      let { current } = item;
      if (isFunction(node)) {
        current = { start: node.start, end: node.end, isAsync: node.async, caught: [] };
        this.#functions.push(current);
      } else if (node.type === 'TryStatement' && node.handler) {
        current.caught.push({ start: node.block.start, end: node.block.end });
      } else if (node.type === 'CallExpression') {
        const { callee } = node;
        const rejects = promiseMethod(node) === 'reject';
        this.#calls.push({ start: callee.start, end: callee.end + 1, fate, rejects });
      }
      for (const { child, fate: becomes } of fatesBelow(node, fate))
        stack.push({ node: child, current, fate: becomes });
    }
  }
}

/** The parts of a node, each with what becomes of its value. */
function* fatesBelow(node: AnyNode, fate: Fate): Generator<{ child: AnyNode; fate: Fate }> {
  for (const child of childrenOf(node)) yield { child, fate: fateIn(node, child, fate) };
}

function fateIn(node: AnyNode, child: AnyNode, fate: Fate): Fate {
  switch (node.type) {
    case 'AwaitExpression':
      return 'awaited';
    case 'ReturnStatement':
      return 'returned';
    case 'ArrowFunctionExpression':
      return child === node.body ? 'returned' : 'kept';
    case 'ForOfStatement':
      return node.await && child === node.right ? 'awaited' : 'kept';
    case 'ConditionalExpression':
      return child === node.test ? 'kept' : fate;
    case 'LogicalExpression':
    case 'ArrayExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return fate;
    case 'SequenceExpression':
      return child === node.expressions.at(-1) ? fate : 'kept';
    case 'CallExpression':
      return fateInCall(node, child, fate);
    case 'NewExpression':
      return child === node.callee ? 'kept' : 'handed';
    case 'MemberExpression':
      // `f().then(g)` is as much awaited, or not, as `f()` would be.
      return child === node.object && isNamed(node, /^(then|finally)$/)
        ? fate
        : child === node.object && isNamed(node, /^catch$/)
          ? 'handled'
          : 'kept';
    default:
      return 'kept';
  }
}

function fateInCall(node: CallExpression, child: AnyNode, fate: Fate): Fate {
  if (child === node.callee) return isNamed(node.callee, /^then$/) && node.arguments.length > 1 ? 'handled' : fate;
  const method = promiseMethod(node);
  if (method === undefined) return 'handed';
  if (COMBINERS.test(method)) return fate;
  return method === 'allSettled' ? 'handled' : 'kept';
}

/** The name of a method of `Promise` that is called. */
function promiseMethod({ callee }: CallExpression): string | undefined {
  const isPromise =
    callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Promise';
  return isPromise && 'name' in callee.property ? callee.property.name : undefined;
}

function isNamed(node: AnyNode, name: RegExp): boolean {
  return node.type === 'MemberExpression' && 'name' in node.property && name.test(node.property.name);
}

function smallest<T extends Span>(spans: readonly T[], offset: number): T | undefined {
  let found: T | undefined;
  for (const span of spans) {
    if (holds(span, offset) && (!found || span.end - span.start < found.end - found.start)) found = span;
  }
  return found;
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}
