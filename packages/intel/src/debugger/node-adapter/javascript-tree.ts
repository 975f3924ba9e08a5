import { type AnyNode, parse } from 'acorn';

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

/** Line and column, from 0. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A script's syntax: a module's or a script's; undefined for what is neither, such as TypeScript. */
export function treeOf(source: string): AnyNode | undefined {
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

export function isFunction(node: AnyNode): node is FunctionNode {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

export function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield child as AnyNode;
    }
  }
}

/** The offsets at which lines begin. */
export function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The place at which a file itself begins to do something; undefined where it does nothing, or is no JavaScript. */
export function firstStatement(source: string): TextPlace | undefined {
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

/** Where the functions of this name begin to do something: `name`, or `Class.name`. */
export function functionBodies(source: string, name: string): TextPlace[] {
  const lines = lineStarts(source);
  const [last = '', owner] = name.split('.').reverse();
  const found: number[] = [];
  for (const { node, names } of namedFunctions(source)) {
    if (names[0] !== last || (owner !== undefined && names[1] !== owner)) continue;
    const { body } = node;
    found.push(body.type === 'BlockStatement' ? (body.body[0]?.start ?? body.start) : body.start);
  }
  return found.map((offset) => placeAt(lines, offset));
}

function placeAt(lines: readonly number[], offset: number): TextPlace {
  const line = lines.findLastIndex((start) => start <= offset);
  return { line, column: offset - lines[line]! };
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
