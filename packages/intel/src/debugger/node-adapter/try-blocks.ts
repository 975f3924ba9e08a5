import { type AnyNode, parse } from 'acorn';

/** What the syntax says about a place in a script. */
export interface Place {
  /** It stands in the block of a `try` with a `catch`, of its own function. */
  caught: boolean;
  /** Its function is async: what is thrown in it rejects a promise and does not reach the caller by itself. */
  inAsync: boolean;
  /** Its value is awaited there: the rejection of a promise that comes from it arrives here. */
  awaited: boolean;
  /** Its value is what its function returns: a rejection goes on to who called that. */
  returned: boolean;
}

interface Span {
  start: number;
  end: number;
}

interface FunctionSpan extends Span {
  isAsync: boolean;
  caught: Span[];
  awaited: Span[];
  returned: Span[];
}

const NOTHING: Place = { caught: false, inAsync: false, awaited: false, returned: false };
/** Larger scripts are bundles, whose tries nobody reads: what is thrown there counts as not caught. */
const MAX_SOURCE = 8 * 1024 * 1024;

/**
 * Where exceptions of a script are caught: its functions, their `try` blocks, and what is awaited in them. The source is
 * what V8 runs, so it is JavaScript.
 */
export class TryBlocks {
  /** By their start; an inner function stands behind the one around it. */
  readonly #functions: FunctionSpan[];
  readonly #lines: number[];

  constructor(source: string) {
    this.#lines = lineStarts(source);
    this.#functions = source.length > MAX_SOURCE ? [] : functionsOf(source);
  }

  /** @param line @param column from 0, as V8 counts them */
  at(line: number, column: number): Place {
    const offset = (this.#lines[line] ?? 0) + column;
    const inner = this.#functions.findLast((each) => holds(each, offset));
    if (!inner) return NOTHING;
    const isIn = (spans: readonly Span[]): boolean => spans.some((span) => holds(span, offset));
    return {
      caught: isIn(inner.caught),
      inAsync: inner.isAsync,
      awaited: isIn(inner.awaited),
      returned: isIn(inner.returned),
    };
  }

  /** The place, from 0, at which the file itself begins to do something; undefined where it does nothing, or is no JavaScript. */
  static firstStatement(source: string): { line: number; column: number } | undefined {
    const tree = treeOf(source);
    const statements = tree?.type === 'Program' ? tree.body : [];
    const first = statements.find(
      (each) =>
        !/^(ImportDeclaration|FunctionDeclaration|ExportAllDeclaration)$/.test(each.type) &&
        !(each.type === 'ExpressionStatement' && each.directive !== undefined) &&
        !(each.type.startsWith('Export') && 'declaration' in each && each.declaration?.type === 'FunctionDeclaration'),
    );
    return first && placeAt(lineStarts(source), first.start);
  }

  /** The places, from 0, at which the functions of this name begin to do something: `name`, or `Class.name`. */
  static bodiesOf(source: string, name: string): { line: number; column: number }[] {
    const lines = lineStarts(source);
    const found: number[] = [];
    const [last = '', owner] = name.split('.').reverse();
    for (const { node, names } of namedFunctions(source)) {
      if (names[0] !== last || (owner !== undefined && names[1] !== owner)) continue;
      const { body } = node;
      found.push(body.type === 'BlockStatement' ? (body.body[0]?.start ?? body.start) : body.start);
    }
    return found.map((offset) => placeAt(lines, offset));
  }
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}

function placeAt(lines: readonly number[], offset: number): { line: number; column: number } {
  const line = lines.findLastIndex((start) => start <= offset);
  return { line, column: offset - lines[line]! };
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

function isFunction(node: AnyNode): node is FunctionNode {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function functionsOf(source: string): FunctionSpan[] {
  const tree = treeOf(source);
  if (!tree) return [];
  const top: FunctionSpan = { start: 0, end: source.length + 1, isAsync: true, caught: [], awaited: [], returned: [] };
  const all = [top];
  const stack: { node: AnyNode; current: FunctionSpan }[] = [{ node: tree, current: top }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, current } = item;
    const span = { start: node.start, end: node.end };
    let inner = current;
    if (isFunction(node)) {
      inner = { ...span, isAsync: node.async, caught: [], awaited: [], returned: [] };
      all.push(inner);
      // An arrow's expression is what it returns.
      if (node.body.type !== 'BlockStatement') inner.returned.push({ start: node.body.start, end: node.body.end });
    } else if (node.type === 'TryStatement' && node.handler) {
      current.caught.push({ start: node.block.start, end: node.block.end });
    } else if (node.type === 'AwaitExpression') current.awaited.push(span);
    else if (node.type === 'ForOfStatement' && node.await) {
      current.awaited.push({ start: node.right.start, end: node.right.end });
    } else if (node.type === 'ReturnStatement') current.returned.push(span);
    for (const child of childrenOf(node)) stack.push({ node: child, current: inner });
  }
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Functions with the names that lead to them, the nearest first. */
function* namedFunctions(source: string): Generator<{ node: FunctionNode; names: string[] }> {
  const tree = treeOf(source);
  if (!tree) return;
  const stack: { node: AnyNode; names: string[] }[] = [{ node: tree, names: [] }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node } = item;
    const own = nameOf(node);
    const names = own === undefined ? item.names : [own, ...item.names];
    if (isFunction(node)) yield { node, names };
    const below = isFunction(node) ? [] : names;
    for (const child of childrenOf(node)) stack.push({ node: child, names: below });
  }
}

/** The name that a node gives to the function or class in it. */
function nameOf(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'VariableDeclarator':
      return node.id?.type === 'Identifier' ? node.id.name : undefined;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return 'name' in node.key ? node.key.name : undefined;
    case 'AssignmentExpression':
      return node.left.type === 'MemberExpression' && 'name' in node.left.property
        ? node.left.property.name
        : undefined;
    default:
      return undefined;
  }
}

function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield child as AnyNode;
    }
  }
}

/** The script is a module or none; what is neither (a function compiled by itself) is not read. */
function treeOf(source: string): AnyNode | undefined {
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowHashBang: true } as const;
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(source, { ...options, sourceType, allowAwaitOutsideFunction: true });
    } catch {
      // The other kind is tried; what neither reads is not read.
    }
  }
  return undefined;
}
