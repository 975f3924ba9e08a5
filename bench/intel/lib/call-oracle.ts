import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Callable, type CallSyntax, CallSyntaxReader, type Place } from './call-sites.ts';
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
  const builder = new OracleBuilder();
  const reader = await CallSyntaxReader.create();
  try {
    for (const document of readScip(scipFile)) {
      const syntax = await reader.read(document.path, readFileSync(join(tree, document.path), 'utf8'));
      if (syntax !== undefined) builder.add(document, syntax);
    }
  } finally {
    reader.dispose();
  }
  return builder.judge();
}

/** Takes in all files first: what a call goes to may be defined in a later one. */
class OracleBuilder {
  readonly #files = new Set<string>();
  readonly #sites = new Map<string, JudgedSite>();
  readonly #definitions = new Map<string, string>();
  /** Symbols that stand at names, by place. */
  readonly #uses = new Map<string, string[]>();
  readonly #callable = new Set<string>();
  /** The class of a constructor. */
  readonly #classes = new Map<string, string>();

  add({ path, occurrences }: ScipDocument, { callables, sites }: CallSyntax): void {
    this.#files.add(path);
    for (const { line, column, symbol, isDefinition } of occurrences) {
      const key = placeKey(path, line, column);
      const full = isLocal(symbol) ? `${symbol} of ${path}` : symbol;
      if (isDefinition && !this.#definitions.has(key)) this.#definitions.set(key, full);
      const others = this.#uses.get(key);
      if (others === undefined) this.#uses.set(key, [full]);
      else others.push(full);
    }
    this.#addCallables(path, callables);
    for (const { line, column, name, qualified, caller: around } of sites) {
      const key = placeKey(path, line, column);
      const caller = around ? placeKey(path, around.line, around.column) : path;
      this.#sites.set(key, { path, line, column, name, qualified, caller, verdict: 'unknown', target: undefined });
    }
  }

  judge(): CallOracle {
    const defined = new Set(this.#definitions.values());
    const ownPackages = new Set([...defined].filter((symbol) => !isLocal(symbol)).map(packageOf));
    const isForeign = (symbol: string) => !isLocal(symbol) && !ownPackages.has(packageOf(symbol));
    for (const [key, site] of this.#sites) {
      const symbols = this.#uses.get(key) ?? [];
      const target = symbols.find((symbol) => defined.has(symbol));
      if (target === undefined) {
        if (isBuiltIn(site) || symbols.some(isForeign)) site.verdict = 'outside';
      } else if (!isMistaken(site, target)) {
        site.verdict = this.#callable.has(target) ? 'edge' : 'value';
        site.target = this.#classOf(target);
      }
    }
    const definitions = new Map([...this.#definitions].map(([key, symbol]) => [key, this.#classOf(symbol)]));
    return { files: this.#files, sites: this.#sites, definitions };
  }

  #addCallables(path: string, callables: readonly Callable[]): void {
    const symbolAt = ({ line, column }: Place) => this.#definitions.get(placeKey(path, line, column));
    const groups = new Map<string, string>();
    for (const each of callables) {
      const symbol = symbolAt(each);
      if (symbol !== undefined) groups.set(each.group, symbol);
    }
    for (const each of callables) {
      const symbol = symbolAt(each) ?? groups.get(each.group);
      if (symbol === undefined) continue;
      this.#definitions.set(placeKey(path, each.line, each.column), symbol);
      this.#callable.add(symbol);
      const owner = each.constructs && symbolAt(each.constructs);
      if (owner !== undefined) this.#classes.set(symbol, owner);
    }
  }

  #classOf(symbol: string): string {
    return this.#classes.get(symbol) ?? symbol;
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

/**
 * scip-python gives a name that a package hands on by `from .module import *` the symbol of another name of that module. What
 * stands after a dot can't be renamed by an import, so that the two names must be one.
 */
function isMistaken({ path, name, qualified }: JudgedSite, target: string): boolean {
  if (!qualified || !path.endsWith('.py')) return false;
  const [, defined] = /([\p{L}\p{N}_]+)(?:\(\)\.|[#.])$/u.exec(target) ?? [];
  return defined !== undefined && defined !== name;
}

function isLocal(symbol: string): boolean {
  return symbol.startsWith('local ');
}

/** Scheme, manager, package and version: what a symbol of SCIP begins with. */
function packageOf(symbol: string): string {
  return symbol.split(' ', 4).join(' ');
}
