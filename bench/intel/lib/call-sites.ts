import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Language, type Node, Parser } from 'web-tree-sitter';

/** Of a name. Lines and columns count from 0. */
export interface Place {
  line: number;
  column: number;
}

/** A call or construction as it stands in the syntax. Lines and columns count from 0. */
export interface CallSite {
  /** Of the called name: the last one of `a.b.c()`. */
  line: number;
  column: number;
  name: string;
  /** Something stands before the name: `a.b()`. */
  qualified: boolean;
  /** Where the name of the innermost named function, method or class around it stands; undefined at the top of the file. */
  caller: Place | undefined;
}

/** A function, method or class that can be called. */
export interface Callable {
  line: number;
  column: number;
  name: string;
  /** For a constructor the name of its class: calling one is calling the other. */
  constructs: Place | undefined;
  /** Equal for those of one name in one function, class or file: overloads, or definitions in several branches. */
  group: string;
}

export interface CallSyntax {
  sites: CallSite[];
  callables: Callable[];
}

const require = createRequire(import.meta.url);
const GRAMMARS: Record<string, string> = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'tsx',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascript',
  '.py': 'python',
  '.pyi': 'python',
};

/** Nodes that define something callable under their field `name`. */
const DEFINITIONS = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'method_definition',
  'method_signature',
  'abstract_method_signature',
  'class_declaration',
  'abstract_class_declaration',
  'function_definition',
  'class_definition',
]);
/** Nodes that give a name to a value, by the fields of the name and of the value. */
const NAMED_VALUES: Record<string, [name: string, value: string]> = {
  variable_declarator: ['name', 'value'],
  public_field_definition: ['name', 'value'],
  field_definition: ['property', 'value'],
  pair: ['key', 'value'],
  assignment: ['left', 'right'],
};
const FUNCTION_VALUES = new Set(['arrow_function', 'function_expression', 'generator_function', 'class', 'lambda']);
const CLASSES = new Set(['class_declaration', 'abstract_class_declaration', 'class', 'class_definition']);
const CONSTRUCTORS = new Set(['constructor', '__init__', '__new__']);

/** Finds calls and what can be called in TypeScript, JavaScript and Python, from the syntax alone. */
export class CallSyntaxReader {
  readonly #parser: Parser;
  readonly #languages = new Map<string, Language>();

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  static async create(): Promise<CallSyntaxReader> {
    await Parser.init();
    return new CallSyntaxReader(new Parser());
  }

  /** @returns undefined for a file of another language. */
  async read(path: string, text: string): Promise<CallSyntax | undefined> {
    const grammar = GRAMMARS[extname(path)];
    if (grammar === undefined) return undefined;
    this.#parser.setLanguage(await this.#language(grammar));
    const tree = this.#parser.parse(text);
    if (tree === null) return undefined;
    try {
      const found: CallSyntax = { sites: [], callables: [] };
      collect(tree.rootNode, { caller: undefined, inClass: undefined }, found);
      return found;
    } finally {
      tree.delete();
    }
  }

  dispose(): void {
    this.#parser.delete();
  }

  async #language(grammar: string): Promise<Language> {
    let language = this.#languages.get(grammar);
    if (language === undefined) {
      const file = require.resolve(`@repomix/tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`);
      language = await Language.load(readFileSync(file));
      this.#languages.set(grammar, language);
    }
    return language;
  }
}

interface Around {
  caller: Place | undefined;
  /** Name of the innermost class. */
  inClass: Place | undefined;
}

function collect(node: Node, around: Around, found: CallSyntax): void {
  let inside = around;
  const name = definedName(node);
  if (name !== undefined) {
    const place = placeOf(name);
    const constructs = CONSTRUCTORS.has(name.text) ? around.inClass : undefined;
    const group = `${around.caller?.line}:${around.caller?.column} ${name.text}`;
    found.callables.push({ ...place, name: name.text, constructs, group });
    inside = { caller: place, inClass: isClass(node) ? place : around.inClass };
  }
  const called = calledName(node);
  if (called !== undefined) {
    const qualified = called.parent?.type === 'member_expression' || called.parent?.type === 'attribute';
    found.sites.push({ ...placeOf(called), name: called.text, qualified, caller: around.caller });
  }
  for (const child of node.namedChildren) if (child !== null) collect(child, inside, found);
}

/** The name under which a node defines something callable. */
function definedName(node: Node): Node | undefined {
  if (DEFINITIONS.has(node.type)) return node.childForFieldName('name') ?? undefined;
  const fields = NAMED_VALUES[node.type];
  if (fields === undefined) return undefined;
  const value = node.childForFieldName(fields[1]);
  if (value === null || !FUNCTION_VALUES.has(value.type)) return undefined;
  return node.childForFieldName(fields[0]) ?? undefined;
}

function isClass(node: Node): boolean {
  if (CLASSES.has(node.type)) return true;
  const fields = NAMED_VALUES[node.type];
  return fields !== undefined && node.childForFieldName(fields[1])?.type === 'class';
}

/** Nodes that call something, and the field that says what. */
const CALLS: Record<string, string> = {
  call_expression: 'function',
  call: 'function',
  new_expression: 'constructor',
  jsx_opening_element: 'name',
  jsx_self_closing_element: 'name',
};

/** The last name of what a call or construction calls; undefined for `super()`, `import()` and expressions without a name. */
function calledName(node: Node): Node | undefined {
  const field = CALLS[node.type];
  let called = field === undefined ? null : node.childForFieldName(field);
  while (called !== null) {
    if (called.type === 'identifier') return called;
    if (called.type === 'member_expression') return called.childForFieldName('property') ?? undefined;
    if (called.type === 'attribute') return called.childForFieldName('attribute') ?? undefined;
    if (called.type !== 'non_null_expression' && called.type !== 'parenthesized_expression') return undefined;
    called = called.namedChild(0);
  }
  return undefined;
}

function placeOf(node: Node): Place {
  return { line: node.startPosition.row, column: node.startPosition.column };
}
