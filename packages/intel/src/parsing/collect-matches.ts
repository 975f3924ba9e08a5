import { type CaptureRoles, type Constants, Head, Part, type PartName } from './capture-roles.ts';
import { chainOf, NO_CHAIN, typeOfValue } from './chain-text.ts';
import { type Collected, nothingCollected, RawBinding, RawImport, RawReference, RawSpan } from './collected.ts';
import { ImportFlag, REFERENCE_KINDS, SYMBOL_KINDS } from './file-facts.ts';
import type { IntRows } from './int-rows.ts';
import type { LanguageSpec, NamedImport } from './language-spec.ts';
import { CAPTURE_INTS, CaptureInt, type QueryMatches } from './query-matches.ts';
import { simpleType } from './type-text.ts';

const CALL = REFERENCE_KINDS.indexOf('call');
const MANY = 1_000;
const HIDE = -1;
const BACKTICK = 96;
const PARENTHESIS = 40;
/** Values longer than this are not looked at. */
const MAX_VALUE = 1_500;
/** Of chains that are longer nothing can be said. */
const MAX_RECEIVER = 1_000;

/** Reads the matches of a query. Each text is cut out of `source` once, and nothing is asked of the tree but ends. */
export class MatchCollector {
  readonly #source: string;
  readonly #spec: LanguageSpec;
  readonly #roles: CaptureRoles;
  readonly #matches: QueryMatches;
  readonly #ints: Int32Array;
  /** Places of the parts of the match at hand in `#ints`, by `Part`; -1 without. */
  readonly #parts = new Int32Array(Object.keys(Part).length);
  #constants: Constants | undefined;
  readonly #chains = new Map<string, number>();
  readonly #types = new Map<string, string | undefined>();
  readonly #found: Collected = nothingCollected();

  constructor(source: string, spec: LanguageSpec, roles: CaptureRoles, matches: QueryMatches) {
    this.#source = source;
    this.#spec = spec;
    this.#roles = roles;
    this.#matches = matches;
    this.#ints = matches.ints;
  }

  collect(): Collected {
    const { heads, values, parts: partOf, guards, exceptions, constants } = this.#roles;
    const ints = this.#ints;
    const parts = this.#parts;
    let at = this.#matches.start;
    for (let match = 0; match < this.#matches.count; match += 1) {
      const pattern = ints[at] ?? 0;
      const end = at + 2 + (ints[at + 1] ?? 0) * CAPTURE_INTS;
      let head = -1;
      parts.fill(-1);
      for (let capture = at + 2; capture < end; capture += CAPTURE_INTS) {
        const index = ints[capture] ?? 0;
        const part = partOf[index] ?? -1;
        if (part < 0) head = capture;
        else if (parts[part] === -1) parts[part] = capture;
      }
      at = end;
      if (head < 0) continue;
      const guard = guards[pattern];
      if (guard && !guard.has(this.#textOf(this.#part('guard')))) continue;
      if (exceptions[pattern]?.has(this.#textOf(this.#part('guard')))) continue;
      this.#constants = constants[pattern];
      const index = ints[head] ?? 0;
      this.#take(heads[index] ?? -1, values[index] ?? 0, head, pattern);
    }
    return this.#found;
  }

  #take(head: number, value: number, capture: number, pattern: number): void {
    const found = this.#found;
    switch (head) {
      case Head.REFERENCE:
        this.#reference(capture, value, pattern);
        break;
      case Head.COMPONENT:
        this.#component(capture, pattern);
        break;
      case Head.LOCAL:
        this.#bind(capture, undefined);
        break;
      case Head.BIND:
        this.#bind(capture, this.#boundType());
        break;
      case Head.BIND_MEMBER:
        this.#bind(capture, this.#memberType(capture));
        break;
      case Head.BIND_FIELD:
        this.#bindField(capture);
        break;
      case Head.SYMBOL:
        this.#symbol(capture, value, pattern);
        break;
      case Head.IMPORT:
        this.#import(capture, value, pattern);
        break;
      case Head.EXPORT:
        this.#export(capture, pattern);
        break;
      case Head.IGNORE:
        this.#hide(capture, HIDE, pattern);
        break;
      case Head.DOC:
        this.#span(found.comments, capture, 0);
        break;
      case Head.DOC_INSIDE:
        this.#span(found.docstrings, capture, 0);
        break;
      case Head.LEADING:
        this.#span(found.leading, capture, 0);
        break;
      case Head.OUTER:
        this.#span(found.outers, capture, value);
        break;
      case Head.MANY:
      case Head.UNCOUNTED:
        this.#correct(head === Head.MANY);
        break;
    }
  }

  #part(name: PartName): number {
    return this.#parts[Part[name]] ?? -1;
  }

  #startOf(capture: number): number {
    return this.#ints[capture + CaptureInt.START] ?? 0;
  }

  #lineOf(capture: number): number {
    return (this.#ints[capture + CaptureInt.ROW] ?? 0) + 1;
  }

  #textOf(capture: number): string {
    return capture < 0 ? '' : this.#source.slice(this.#startOf(capture), this.#matches.endOf(capture));
  }

  /** The number of a part's text, be it captured or set; -1 for none. */
  #nameOf(part: PartName): number {
    const constant = this.#constants?.[part];
    if (constant !== undefined) return this.#found.names.id(constant);
    const capture = this.#part(part);
    return capture < 0 ? -1 : this.#found.names.id(this.#textOf(capture));
  }

  #reference(capture: number, kind: number, pattern: number): void {
    const start = this.#startOf(capture);
    const name = this.#textOf(capture);
    // A name that the parser made up.
    if (name === '') return;
    const list = this.#part('arguments');
    this.#addReference(
      capture,
      this.#found.names.id(name),
      kind,
      this.#receiver(start),
      list < 0 ? -1 : this.#arguments(list),
      pattern,
      list < 0 ? -1 : this.#startOf(list),
    );
  }

  #component(capture: number, pattern: number): void {
    const name = this.#textOf(capture);
    const receiver = this.#receiver(this.#startOf(capture));
    const isOurs = receiver >= 0 || !/^\p{Ll}/u.test(name);
    this.#addReference(capture, this.#found.names.id(name), isOurs ? CALL : HIDE, receiver, -1, pattern, -1);
  }

  #addReference(
    capture: number,
    name: number,
    kind: number,
    receiver: number,
    arity: number,
    pattern: number,
    list: number,
  ): void {
    const at = this.#found.references.add();
    const { data } = this.#found.references;
    const ints = this.#ints;
    data[at + RawReference.START] = ints[capture + CaptureInt.START] ?? 0;
    data[at + RawReference.NAME] = name;
    data[at + RawReference.KIND] = kind;
    data[at + RawReference.LINE] = (ints[capture + CaptureInt.ROW] ?? 0) + 1;
    data[at + RawReference.COLUMN] = ints[capture + CaptureInt.COLUMN] ?? 0;
    data[at + RawReference.RECEIVER] = receiver;
    data[at + RawReference.ARITY] = arity;
    data[at + RawReference.PATTERN] = pattern;
    data[at + RawReference.LIST] = list;
  }

  /** The place of a declaration's name: no use of anything. */
  #hide(capture: number, name: number, pattern: number): void {
    this.#addReference(capture, name, HIDE, -1, -1, pattern, -1);
  }

  #arguments(list: number): number {
    // A template behind its tag: the function gets its strings, and then whatever stands between them.
    const isTemplate = this.#source.charCodeAt(this.#startOf(list)) === BACKTICK;
    return isTemplate ? MANY + 1 : this.#matches.childrenOf(list);
  }

  /** The number of the chain before a name. It ends where the name begins: its own end need not be asked for. */
  #receiver(nameStart: number): number {
    const capture = this.#part('receiver');
    if (capture < 0) return -1;
    const start = this.#startOf(capture);
    let end = nameStart;
    if (start > nameStart) end = this.#matches.endOf(capture);
    else while (end > start && LINK_END.has(this.#source.charCodeAt(end - 1))) end -= 1;
    if (end - start > MAX_RECEIVER) return this.#found.names.id(NO_CHAIN);
    const text = this.#source.slice(start, end);
    let chain = this.#chains.get(text);
    if (chain === undefined) {
      chain = this.#found.names.id(chainOf(text, this.#spec));
      this.#chains.set(text, chain);
    }
    return chain;
  }

  #bind(capture: number, type: string | undefined): void {
    const name = this.#textOf(capture);
    if (this.#spec.selves.has(name)) return;
    const id = this.#found.names.id(name);
    this.#addBinding(capture, id, type, false);
    this.#hide(capture, id, HIDE);
  }

  #bindField(capture: number): void {
    const chain = chainOf(this.#textOf(capture), this.#spec);
    const type = this.#boundType();
    if (type === undefined || !/^this\.[^.[(]+$/.test(chain)) return;
    this.#addBinding(capture, this.#found.names.id(chain), type, true);
  }

  #addBinding(capture: number, name: number, type: string | undefined, isField: boolean): void {
    const at = this.#found.bindings.add();
    const { data } = this.#found.bindings;
    data[at + RawBinding.START] = this.#startOf(capture);
    data[at + RawBinding.NAME] = name;
    data[at + RawBinding.LINE] = this.#lineOf(capture);
    data[at + RawBinding.TYPE] = type === undefined ? -1 : this.#found.names.id(type);
    data[at + RawBinding.IS_FIELD] = isField ? 1 : 0;
  }

  #boundType(): string | undefined {
    return this.#declaredType() ?? this.#valueType() ?? this.#elementType();
  }

  /** Of a name that is taken out of a value: a copy of the value's member. */
  #memberType(capture: number): string | undefined {
    const type = this.#valueType();
    if (type === undefined || !(type.startsWith('=') || type.endsWith('()'))) return undefined;
    return `${type.startsWith('=') ? '' : '='}${type}.${this.#textOf(capture)}`;
  }

  #declaredType(): string | undefined {
    const capture = this.#part('type');
    if (capture < 0) return undefined;
    return this.#typeOf(this.#source.slice(this.#startOf(capture), this.#endOfRun(capture)));
  }

  #typeOf(text: string): string | undefined {
    let type = this.#types.get(text);
    if (type === undefined && !this.#types.has(text)) {
      type = simpleType(text, this.#spec);
      this.#types.set(text, type);
    }
    return type;
  }

  #valueType(): string | undefined {
    const capture = this.#part('value');
    return capture < 0 ? undefined : this.#typeOfValue(capture);
  }

  #typeOfValue(capture: number): string | undefined {
    const start = this.#startOf(capture);
    const written = this.#source.slice(start, Math.min(this.#endOfRun(capture), start + MAX_VALUE));
    const text = this.#spec.normalValue?.(written) ?? written;
    return this.#spec.valueType?.(text) ?? typeOfValue(text, this.#spec, (written) => this.#typeOf(written));
  }

  /** The end of a type or value: in some grammars it is a run of siblings, of which `@arguments` is the last. */
  #endOfRun(capture: number): number {
    const last = this.#part('arguments');
    return this.#matches.endOf(last < 0 ? capture : last);
  }

  #elementType(): string | undefined {
    const capture = this.#part('element');
    if (capture < 0) return undefined;
    const type = this.#typeOfValue(capture);
    if (type === undefined) return undefined;
    return type.startsWith('=') ? `${type}[]` : `=${type}[]`;
  }

  #symbol(capture: number, kind: number, pattern: number): void {
    const nameCapture = this.#part('name');
    const body = this.#part('body');
    const list = this.#part('parameters');
    const inner = this.#part('function');
    const owner = this.#part('owner');
    const statement = this.#part('statement');
    const place = nameCapture < 0 ? capture : nameCapture;
    const written = this.#textOf(nameCapture);
    const name = this.#constants?.name ?? this.#spec.bareName?.(written) ?? written;
    // Where it is computed, nobody knows it.
    if (name === '' || name.startsWith('[')) return;
    const ownerText = this.#constants?.owner ?? (owner < 0 ? '' : this.#ownerOf(this.#textOf(owner)));
    // It stands in a method, or among its parameters, and holds nothing of it.
    const isAssigned = ownerText === 'this' && inner < 0;
    this.#found.symbols.push({
      name,
      kind: SYMBOL_KINDS[kind] ?? 'variable',
      flags: this.#roles.flags[pattern] ?? 0,
      pattern,
      start: this.#startOf(capture),
      end: isAssigned ? this.#startOf(capture) : this.#endWith(capture, body),
      nameStart: this.#startOf(place),
      nameLine: this.#lineOf(place),
      nameColumn: this.#ints[place + CaptureInt.COLUMN] ?? 0,
      bodyStart: body < 0 ? -1 : this.#startOf(body),
      listStart: list < 0 ? -1 : this.#startOf(list),
      parameters: list < 0 ? -1 : this.#parameters(list),
      functionStart: inner < 0 ? -1 : this.#startOf(inner),
      statementStart: statement < 0 ? -1 : this.#startOf(statement),
      owner: ownerText,
      type: this.#declaredType(),
      valueType: this.#valueType(),
      outerStart: this.#startOf(capture),
      memberOf: '',
      parent: -1,
      container: -1,
      docStart: -1,
      docEnd: -1,
    });
  }

  /** The end of a declaration: in some grammars its body lies behind it. */
  #endWith(capture: number, body: number): number {
    const end = this.#matches.endOf(capture);
    return body >= 0 && this.#startOf(body) >= end ? this.#matches.endOf(body) : end;
  }

  /** A parameter alone, without brackets, is a name and has no children. */
  #parameters(list: number): number {
    const isAlone = this.#source.charCodeAt(this.#startOf(list)) !== PARENTHESIS;
    return this.#matches.childrenOf(list) || (isAlone ? 1 : 0);
  }

  /** A chain, or the name of a type. */
  #ownerOf(text: string): string {
    const chain = chainOf(text, this.#spec);
    return chain === NO_CHAIN ? (this.#typeOf(text) ?? '') : chain;
  }

  #import(capture: number, flags: number, pattern: number): void {
    const imported = this.#nameOf('imported');
    const alias = this.#nameOf('alias');
    const specifier = this.#nameOf('specifier');
    if (specifier < 0 && this.#spec.readImport && !(flags & ImportFlag.PACKAGE)) {
      this.#importsOf(this.#spec.readImport(this.#textOf(capture)), capture, flags, pattern);
      return;
    }
    const { names } = this.#found;
    const named =
      specifier >= 0 && this.#part('imported') < 0 ? this.#spec.importName?.(names.names[specifier] ?? '') : undefined;
    const isWhole =
      (flags & (ImportFlag.WILDCARD | ImportFlag.PACKAGE)) !== 0 || this.#constants?.imported !== undefined;
    const place = this.#firstOf(capture, 'imported', 'alias', 'specifier');
    const before = this.#source.slice(this.#startOf(capture), this.#startOf(place));
    const isType = this.#spec.isTypeImport?.(before) ?? false;
    this.#addImport(
      capture,
      specifier,
      imported,
      alias >= 0 ? alias : named !== undefined ? names.id(named) : isWhole ? -1 : imported,
      flags | (isType ? ImportFlag.TYPE_ONLY : 0),
      place,
      pattern,
    );
  }

  /** The imports that the text of a statement names; they lie side by side at its start. */
  #importsOf(imports: readonly NamedImport[], capture: number, flags: number, pattern: number): void {
    const { names } = this.#found;
    for (const [index, { specifier, imported, local }] of imports.entries()) {
      const own = imported === '*' && local === undefined ? ImportFlag.WILDCARD : 0;
      this.#addImport(
        capture,
        names.id(specifier),
        names.id(imported),
        local === undefined ? -1 : names.id(local),
        flags | own,
        capture,
        pattern,
        index,
      );
    }
  }

  #export(capture: number, pattern: number): void {
    const imported = this.#nameOf('imported');
    const alias = this.#nameOf('alias');
    const place = this.#firstOf(capture, 'imported', 'alias', 'specifier');
    this.#addImport(capture, -1, imported, alias >= 0 ? alias : imported, ImportFlag.LOCAL_EXPORT, place, pattern);
  }

  /** The first of some parts that the match has. */
  #firstOf(capture: number, ...parts: PartName[]): number {
    for (const part of parts) if (this.#part(part) >= 0) return this.#part(part);
    return capture;
  }

  #addImport(
    capture: number,
    specifier: number,
    imported: number,
    local: number,
    flags: number,
    place: number,
    pattern: number,
    index = 0,
  ): void {
    const at = this.#found.imports.add();
    const { data } = this.#found.imports;
    data[at + RawImport.ORIGIN] = this.#startOf(this.#firstOf(capture, 'specifier'));
    data[at + RawImport.SPECIFIER] = specifier;
    data[at + RawImport.IMPORTED] = imported;
    data[at + RawImport.LOCAL] = local;
    data[at + RawImport.LINE] = this.#lineOf(place);
    data[at + RawImport.FLAGS] = flags;
    data[at + RawImport.PLACE] = this.#startOf(place) + index;
    data[at + RawImport.PATTERN] = pattern;
    for (const part of ['imported', 'alias'] as const) {
      const capture = this.#part(part);
      if (capture < 0) continue;
      this.#hide(capture, HIDE, HIDE);
      if (specifier >= 0) this.#found.imported.add(this.#startOf(capture));
    }
  }

  #span(rows: IntRows, capture: number, flags: number): void {
    const at = rows.add();
    rows.data[at + RawSpan.START] = this.#startOf(capture);
    rows.data[at + RawSpan.END] = this.#matches.endOf(capture);
    rows.data[at + RawSpan.FLAGS] = flags;
  }

  /** What is spread stands for any number, and is none of those that are counted. */
  #correct(isMany: boolean): void {
    const list = this.#startOf(this.#part('list'));
    const before = this.#found.corrections.get(list) ?? 0;
    this.#found.corrections.set(list, before - 1 + (isMany && before < MANY / 2 ? MANY : 0));
  }
}

/** White space and the characters of links between the names of a chain. */
const LINK_END = new Set([...' \t\r\n.?!:>-&'].map((character) => character.charCodeAt(0)));
