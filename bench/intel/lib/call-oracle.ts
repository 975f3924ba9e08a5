import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallSyntaxReader } from './call-sites.ts';
import { readScip, type ScipDocument } from './scip.ts';

/** What the type checker behind a SCIP index says of one call. */
export interface JudgedSite {
  path: string;
  /** Of the called name, from 0. */
  line: number;
  column: number;
  name: string;
  /** Something stands before the name: `a.b()`. */
  qualified: boolean;
  /** The function, method or class around it, as `path:line:column` of its name; the path alone at the top of a file. */
  caller: string;
  /**
   * `edge`: calls something callable of the tree; `value`: calls what a variable, parameter or property of the tree holds;
   * `outside`: calls something of another package; `unknown`: the index says nothing of it.
   */
  verdict: 'edge' | 'value' | 'outside' | 'unknown';
  /** The definition of what is called, as a symbol; for `edge` and `value`. */
  target: string | undefined;
}

/** The true calls of a tree. */
export interface CallOracle {
  /** Paths of the files that it knows, from the root. */
  files: Set<string>;
  /** By `path:line:column` of the called name. */
  sites: Map<string, JudgedSite>;
  /** What is defined where: the symbol by `path:line:column` of the name, the class in place of its constructor. */
  definitions: Map<string, string>;
}

export function placeKey(path: string, line: number, column: number): string {
  return `${path}:${line}:${column}`;
}

/** Joins what the syntax calls a call with what the index says of the called name. */
export async function readCallOracle(tree: string, scipFile: string): Promise<CallOracle> {
  const documents = readScip(scipFile);
  const reader = await CallSyntaxReader.create();
  const oracle: CallOracle = { files: new Set(), sites: new Map(), definitions: new Map() };
  const callable = new Set<string>();
  const constructors = new Map<string, string>();
  const pending: { site: JudgedSite; symbols: string[] }[] = [];
  try {
    for (const document of documents) {
      const syntax = await reader.read(document.path, readFileSync(join(tree, document.path), 'utf8'));
      if (syntax === undefined) continue;
      const { path } = document;
      oracle.files.add(path);
      const names = new Names(document, oracle.definitions);
      for (const { line, column, constructs } of syntax.callables) {
        const key = placeKey(path, line, column);
        const symbol = oracle.definitions.get(key);
        if (symbol === undefined) continue;
        callable.add(symbol);
        const owner = constructs && oracle.definitions.get(placeKey(path, constructs.line, constructs.column));
        if (owner !== undefined) constructors.set(symbol, owner);
      }
      for (const { line, column, name, qualified, caller } of syntax.sites) {
        const from = caller ? placeKey(path, caller.line, caller.column) : path;
        const site: JudgedSite = {
          path,
          line,
          column,
          name,
          qualified,
          caller: from,
          verdict: 'unknown',
          target: undefined,
        };
        oracle.sites.set(placeKey(path, line, column), site);
        pending.push({ site, symbols: names.at(line, column) });
      }
    }
  } finally {
    reader.dispose();
  }
  const defined = new Set(oracle.definitions.values());
  const ownPackages = new Set([...defined].filter((symbol) => !isLocal(symbol)).map(packageOf));
  const classOf = (symbol: string) => constructors.get(symbol) ?? symbol;
  for (const { site, symbols } of pending) {
    const target = symbols.find((symbol) => defined.has(symbol));
    if (target !== undefined) {
      site.verdict = callable.has(target) ? 'edge' : 'value';
      site.target = classOf(target);
    } else if (isBuiltIn(site) || symbols.some((symbol) => !isLocal(symbol) && !ownPackages.has(packageOf(symbol)))) {
      site.verdict = 'outside';
    }
  }
  for (const [key, symbol] of oracle.definitions) oracle.definitions.set(key, classOf(symbol));
  return oracle;
}

/** The names of one document; its definitions are written into the table of the whole tree. */
class Names {
  readonly #uses = new Map<string, string[]>();
  readonly #path: string;

  constructor({ path, occurrences }: ScipDocument, definitions: Map<string, string>) {
    this.#path = path;
    for (const { line, column, symbol, isDefinition } of occurrences) {
      const key = placeKey(path, line, column);
      const full = isLocal(symbol) ? `${symbol} of ${path}` : symbol;
      if (isDefinition && !definitions.has(key)) definitions.set(key, full);
      const known = this.#uses.get(key);
      if (known === undefined) this.#uses.set(key, [full]);
      else known.push(full);
    }
  }

  at(line: number, column: number): string[] {
    return this.#uses.get(placeKey(this.#path, line, column)) ?? [];
  }
}

/** Python's built-in functions: the index gives them a local symbol without a definition. */
const PYTHON_BUILT_INS = new Set(
  (
    'abs all any ascii bin bool bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate ' +
    'eval exec filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len ' +
    'list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr ' +
    'slice sorted staticmethod str sum super tuple type vars zip'
  ).split(' '),
);

function isBuiltIn({ path, name, qualified }: JudgedSite): boolean {
  return !qualified && path.endsWith('.py') && PYTHON_BUILT_INS.has(name);
}

function isLocal(symbol: string): boolean {
  return symbol.startsWith('local ');
}

/** Scheme, manager, package and version: what a symbol of SCIP begins with. */
function packageOf(symbol: string): string {
  return symbol.split(' ', 4).join(' ');
}
