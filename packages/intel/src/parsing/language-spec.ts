import type { SymbolKind } from './file-facts.ts';

/**
 * What the extraction has to know of a language besides its grammar. A language is this value, a tree-sitter query, and a
 * line in `languages/specs.ts`.
 *
 * ## The query
 *
 * Each pattern has one **head**, the capture that says what a match is, and **parts**, which say more about it. Of several
 * matches at one name (the same start) the pattern that stands first in the query counts, so the special goes before the
 * general. Predicates (`#eq?` …) are not evaluated; there is `#set!` instead, see below.
 *
 * The query takes half as long as the parse, so: a pattern begins with the type of a node that ends soon. What is open
 * while the tree is walked costs at each node; `(program (x))` alone costs as much as ten patterns that begin with `(x`.
 * For the same reason `(_)` is better than `[(a) (b)]` where nothing else can stand, and `?`, `*`, `+` are to be spared.
 *
 * | head | on | parts |
 * |---|---|---|
 * | `@symbol.KIND` | the whole declaration; KIND of `SYMBOL_KINDS` | `@name` (in square brackets it is none), `@type` (declared or returned), `@value` (what it is initialised with), `@parameters`, `@body`, `@function` (a function that is bound to the name), `@owner` (`a` of `a.name = …`, the type that it is declared for: `Store` of `func (s *Store) Save`), `@statement` (see below) |
 * | `@ref.KIND` | the name that is used; KIND of `REFERENCE_KINDS` | `@receiver` (what stands before it), `@arguments` |
 * | `@ref.component` | the name of an element (JSX): a call if it begins with a capital | `@receiver` |
 * | `@import`, with `.wildcard`, `.package` or `.export` (re-export) behind it | the statement | `@specifier`, `@imported`, `@alias`|
 * | `@export` | the statement | `@imported` (the name in this file), `@alias` |
 * | `@bind` | a name that gets a type or a value | `@type`, `@value` (with `@arguments`, where the grammar makes them a run of siblings: the last), `@element` (what is iterated) |
 * | `@bind.field` | `this.x` as a whole | `@type`, `@value` |
 * | `@bind.member` | a name that is taken out of `@value`, where it has the same name | `@value` |
 * | `@local` | a name that is known in the function around it, and nothing else about it | |
 * | `@ignore` | a name that is no use of anything | |
 * | `@doc` | a comment | |
 * | `@doc.inside` | a docstring of the symbol that it stands in | |
 * | `@leading` | what belongs to the declaration that follows it: decorator, attribute | |
 * | `@outer`, with `.exported` or `.default` behind it | a node around declarations that says more of them (`export …`) | |
 * | `@many` | a spread argument or rest parameter | `@list`: the arguments or parameters that it lies in |
 * | `@uncounted` | a named node that is no argument or parameter | `@list` |
 *
 * `(#set! PART "text")` gives a pattern a part that is the same for each match: `(#set! imported "default")`.
 * `(#set! guard "a b")` lets a pattern count only where the text of its part `@guard` is one of these words,
 * `(#set! except "a b")` only where it is none of them.
 *
 * ## What is done to all languages alike
 *
 * A `function` in a class (struct, trait …) becomes a `method`; a method named as `constructors` say, a `constructor`; a
 * `variable` or `constant` in a class, a `field`. A variable in a function is no symbol: it becomes a binding. Symbols,
 * fields and variables with a `@type` or `@value` are bound to it, too. Members of an exported container are exported
 * unless they are private. A variable with a `@statement` around it is a symbol only where that begins a line (but for
 * `export` and the like) or stands in a module: to ask the tree what is around it would cost more than it is worth.
 */
export interface LanguageSpec {
  /** The text of the query. */
  query(): string;
  /** Words before the name of a declaration and the `SymbolFlag` that each stands for. */
  flags: ReadonlyMap<string, number>;
  /** First links of a chain and what `this` or `super` they mean: `self` → `this`, `super()` → `super`. */
  selves: ReadonlyMap<string, string>;
  /** Words that look like the beginning of a chain and are none: `function`, `None`. */
  keywords: ReadonlySet<string>;
  /** Names of methods that are constructors. */
  constructors: ReadonlySet<string>;
  /** Generic types that stand for their first argument: `Promise`, `Optional`. */
  wrappers: ReadonlySet<string>;
  /** Generic types that hold elements of their first argument: `Array`, `list`. */
  sequences: ReadonlySet<string>;
  /** Parts of a union that say nothing: `null`, `None`. */
  nothing: ReadonlySet<string>;
  /** What may stand before a type and says nothing of its name: `readonly`, `&mut`. Anchored at the start. */
  typePrefix?: RegExp;
  /**
   * `known`: a name that is only read counts if the file declares or imports it; in languages where a name may come from
   * another file without a word, `all`: it counts unless it is known to be local.
   */
  reads: 'known' | 'all';
  /** Methods name their own object as first parameter, which is not counted. */
  selfParameter?: boolean;
  /**
   * Which declarations of one name that follow each other are one symbol: those `without-body` and the one after them
   * (overloads), or `all`.
   */
  overloads?: 'without-body' | 'all';
  /** The name of a declaration without what marks it: `name` for Ruby's `:name`. */
  bareName?(written: string): string;
  /** The type in the common way of writing, elements before `[]`: `Note[]` for Go's `[]*Note`. */
  normalType?(written: string): string;
  /** The value that decides the type of an expression: `open(n)` for Rust's `open(n)?`. */
  normalValue?(written: string): string;
  /** What an import without `@specifier` brings in, from the text of the whole statement. */
  readImport?(statement: string): NamedImport[];
  /** The name that an import without alias brings in: `yaml` for `gopkg.in/yaml.v3`. */
  importName?(specifier: string): string;
  /** Whether a statement imports types only. @param before the text from its beginning to the name */
  isTypeImport?(before: string): boolean;
  /** The type that a value has, in the form of `BindingColumn.TYPE`, where its text is no chain of names and calls. */
  valueType?(text: string): string | undefined;
  /** The last word on a symbol's kind and flags. */
  refine?(symbol: SymbolView): void;
}

/** One name that a statement brings in. */
export interface NamedImport {
  specifier: string;
  /** `*`: the module as a whole or, without a name here, all that is in it. */
  imported: string;
  /** The name here. */
  local: string | undefined;
}

/** A symbol in the making. */
export interface SymbolView {
  readonly name: string;
  kind: SymbolKind;
  flags: number;
  /** Undefined at the top of the file. */
  readonly containerKind: SymbolKind | undefined;
  /** What stands before its name, decorators left out: `export const`. The last few hundred characters of it. */
  readonly head: string;
  /** The decorators before it, as written; empty without. */
  readonly decorators: string;
  /** What `@owner` stands for, a chain; empty without. */
  readonly owner: string;
  /** Names that the file says it exports; undefined where it has no such list. */
  readonly listed: ReadonlySet<string> | undefined;
}
