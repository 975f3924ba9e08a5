import { expect, it } from 'vitest';
import { bindingsOf, columnOf, factsOf, importsOf, placesOf, referencesOf, symbolsOf } from '../fixtures/facts-of.ts';

/** Without the indentation that it has here. */
const dedented = (source: string) => source.replace(/^ {5}/gm, '');
const typescript = (source: string, path?: string) => factsOf('typescript', dedented(source), path);
const javascript = (source: string) => factsOf('javascript', dedented(source));

it('INT-1 finds functions, classes and their members with containers and flags', async () => {
  const facts = await typescript(`export abstract class Store<T> extends base.Base<T> implements Closer, io.Reader {
       static readonly limit: number = 10;
       #rows = new Map<string, T>();
       onClose = async (why: string) => { this.close(); };
       constructor(private readonly path: Path, readonly mode = 'r', plain?: Other) { super(); }
       get size(): number { return this.#rows.size; }
       protected override async save(row: T): Promise<Row> { return row; }
       private drop() {}
       abstract close(): void;
     }
     function local() { const value = 1; const helper = () => value; return helper; }
     export default function main() {}
     export const run = async (a: string) => a, other = function () {};
     let counter = 0;`);
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'field Store.limit exported, static',
    'field Store.#rows private',
    'method Store.onClose exported, async',
    'constructor Store.constructor exported',
    'field Store.path private',
    'field Store.mode exported',
    'method Store.size exported',
    'method Store.save exported, async, override',
    'method Store.drop private',
    'method Store.close exported, abstract',
    'function local',
    'function local.helper',
    'function main exported, default',
    'function run exported, async',
    'function other exported',
    'variable counter',
  ]);
  expect(referencesOf(facts, 'extends', 'implements')).toEqual([
    'extends base.Base in Store',
    'implements Closer in Store',
    'implements io.Reader in Store',
  ]);
});

it('INT-1 finds interfaces, aliases, enums and namespaces', async () => {
  const facts =
    await typescript(`export interface Options extends Base<X> { limit?: number; run(a: string): Promise<void> }
     export type Row = { id: string; next: Row | null };
     export const enum Colour { Red, Green = 'g' }
     declare namespace A.B { export const c: Deep; function f(): void }
     declare module 'other' { export class D { e(): void } }`);
  expect(symbolsOf(facts)).toEqual([
    'interface Options exported',
    'property Options.limit exported',
    'method Options.run exported',
    'type Row exported',
    'property Row.id exported',
    'property Row.next exported',
    'enum Colour exported',
    'enum-member Colour.Red exported',
    'enum-member Colour.Green exported',
    'module A.B',
    'constant A.B.c exported',
    'function A.B.f',
    'module other',
    'class other.D exported',
    'method other.D.e exported',
  ]);
  expect(columnOf(facts, 'Options.run', 'TYPE')).toBeUndefined();
  expect(columnOf(facts, 'Row.next', 'TYPE')).toBe('Row');
  expect(bindingsOf(facts)).toContain('this.next: Row in Row');
  expect(referencesOf(facts, 'extends')).toEqual(['extends Base in Options']);
});

it('INT-1 tells lines of declaration, signature, doc comment and the place of the name', async () => {
  const facts = await factsOf(
    'typescript',
    [
      '// A licence.',
      '',
      '/**',
      ' * What it is.',
      ' */',
      '@Component({',
      '  static: true,',
      '})',
      'export class View {',
      '  // Above.',
      '  // And more.',
      '  @Input() private name: string;',
      '',
      '  render(',
      '    a: string,',
      '  ): Node<string> {',
      '    return "😀" + draw(a);',
      '  }',
      '}',
      'const x = 1; // not a doc',
      'const y = 2;',
    ].join('\n'),
  );
  const lines = (name: string) =>
    (['START_LINE', 'END_LINE', 'NAME_LINE', 'NAME_COLUMN', 'DOC_START', 'DOC_END', 'SIGNATURE_END'] as const).map(
      (column) => columnOf(facts, name, column),
    );
  expect(lines('View')).toEqual([6, 19, 9, 13, 3, 5, 9]);
  expect(lines('View.name')).toEqual([12, 12, 12, 19, 10, 11, 12]);
  expect(lines('View.render')).toEqual([14, 18, 14, 2, 0, 0, 16]);
  expect(lines('y')).toEqual([21, 21, 21, 6, 0, 0, 21]);
  expect(placesOf(facts, 'draw')).toEqual(['17:18']);
  expect(symbolsOf(facts)).toEqual([
    'class View exported',
    'field View.name private',
    'method View.render exported',
    'constant x',
    'constant y',
  ]);
});

it('INT-1 makes one symbol of overloads', async () => {
  const facts = await typescript(`/** Reads. */
export function read(path: string): string;
export function read(path: string, raw: true): Buffer;
export function read(path: string, raw?: boolean): unknown { return open(path, raw); }
class A { f(a: 1): void; f(a: 2): void; f(a: number) { this.g(); } g() {} }`);
  expect(symbolsOf(facts)).toEqual(['function read exported', 'class A', 'method A.f', 'method A.g']);
  expect(columnOf(facts, 'read', 'START_LINE')).toBe(2);
  expect(columnOf(facts, 'read', 'DOC_START')).toBe(1);
  expect(columnOf(facts, 'read', 'NAME_LINE')).toBe(4);
  expect(referencesOf(facts, 'call')).toEqual(['call open(2) in read', 'call this.g(0) in A.f']);
});

it('INT-1 finds each way of calling, with receiver and number of arguments', async () => {
  const facts = await typescript(`import { a, Foo, ns, tag } from './x';
     class B extends Foo {
       @a.deco() @plain @ns.also
       m(@In() x: string) {
         a(); a?.(1); a!(1, 2); a.b.c(...x); a?.b?.(1, ...x, 2);
         this.m(); super.m(x); super['m'](x);
         new Foo(1); new ns.Foo<string>(); new Foo;
         tag\`x\${1}\`; a.tag\`\`;
         (await a(1)).then(); (a as any).cast(); a[0].indexed(); a('(', /* ) */ ")").chained().twice();
         new Foo(a).start(); [1].map(a); 'x'.trim(); a<Foo>(1 /* one */);
         (() => { a.inner(); })();
       }
       constructor() { super(1); }
     }`);
  expect(referencesOf(facts, 'call', 'new', 'decorator')).toEqual([
    'call a.deco(0) in B',
    'decorator plain in B',
    'decorator ns.also in B',
    'call In(0) in B.m',
    'call a(0) in B.m',
    'call a(1) in B.m',
    'call a(2) in B.m',
    'call a.b.c(1000) in B.m',
    'call a.b(1002) in B.m',
    'call this.m(0) in B.m',
    'call super.m(1) in B.m',
    'new Foo(1) in B.m',
    'new ns.Foo(0) in B.m',
    'new Foo in B.m',
    'call tag(1001) in B.m',
    'call a.tag(1001) in B.m',
    'call a(1) in B.m',
    'call a().then(0) in B.m',
    'call ?.cast(0) in B.m',
    'call a[].indexed(0) in B.m',
    'call a(2) in B.m',
    'call a().chained(0) in B.m',
    'call a().chained().twice(0) in B.m',
    'new Foo(1) in B.m',
    'call Foo().start(0) in B.m',
    'call ?.map(1) in B.m',
    'call ?.trim(0) in B.m',
    'call a(1) in B.m',
    'call a.inner(0) in B.m',
    'call super(1) in B.constructor',
  ]);
});

it('INT-1 finds elements of components as calls', async () => {
  const facts = await factsOf(
    'tsx',
    `export function App({ items }: Props) {
       return <Layout.Main title="x"><div onClick={() => save(1)}>{items.map((item) => <Row key={item.id} {...item} />)}</div></Layout.Main>;
     }`,
  );
  expect(referencesOf(facts, 'call')).toEqual([
    'call Layout.Main in App',
    'call save(1) in App',
    'call items.map(1) in App',
    'call Row in App',
  ]);
});

it('INT-1 keeps reads and types of what the file declares or imports, and drops what is local', async () => {
  const facts = await typescript(`import { LIMIT, Colour, log } from './x';
     const local = 1;
     export class A<T> {
       size = LIMIT;
       run(log: number, item: Item, colour: Colour, value: T) {
         const { a } = { a: local };
         this.size = a + log + item.width + unknown.thing + LIMIT;
         return { LIMIT, colour: Colour.Red, handler: this.run };
       }
     }`);
  expect(referencesOf(facts, 'read', 'write', 'type')).toEqual([
    'read LIMIT in A.size',
    'type Item in A.run',
    'type Colour in A.run',
    'read local in A.run',
    'write this.size in A.run',
    'read item.width in A.run',
    'read LIMIT in A.run',
    'read LIMIT in A.run',
    'read Colour in A.run',
    'read Colour.Red in A.run',
    'read this.run in A.run',
  ]);
});

it('INT-1 finds imports, re-exports and exports under other names', async () => {
  const facts = await typescript(`import def, { one, two as zwei, type Three } from './a';
     import * as all from "../b.js";
     import type { Four } from 'c';
     import './side-effect';
     import legacy = require('d');
     const lazy = await import('./e');
     const { five, six: sechs } = await import('./f');
     void import('./g');
     export { seven, eight as acht, default as nine } from './h';
     export * from './i';
     export * as space from './j';
     export type { Ten } from './k';
     function eleven() {}
     export { eleven, eleven as elf };
     export default eleven;
     export = legacy;`);
  expect(importsOf(facts)).toEqual([
    './a: default as def',
    './a: one as one',
    './a: two as zwei',
    './a: Three as Three, type-only',
    '../b.js: * as all',
    'c: Four as Four, type-only',
    './side-effect: - as -',
    'd: * as legacy',
    './e: * as lazy',
    './f: five as five',
    './f: six as sechs',
    './g: - as -',
    './h: seven as seven, re-export',
    './h: eight as acht, re-export',
    './h: default as nine, re-export',
    './i: * as -, re-export, wildcard',
    './j: * as space, re-export',
    './k: Ten as Ten, re-export, type-only',
    '-: eleven as eleven, local-export',
    '-: eleven as elf, local-export',
    '-: eleven as default, local-export',
    '-: legacy as export=, local-export',
  ]);
  expect(symbolsOf(facts)).toEqual(['function eleven exported']);
});

it('INT-1 finds the imports and exports of CommonJS', async () => {
  const facts = await javascript(`const fs = require('fs');
     const { a, b: c } = require('./b');
     const d = require('./d').e;
     require('./side');
     var Old = function () { this.count = 0; };
     Old.prototype.step = function (n) { return a(n); };
     exports.helper = (x) => fs.read(x);
     exports.alias = Old;
     module.exports.later = function () {};
     module.exports = { Old, old: Old };
     function load() { return require('./lazy'); }`);
  expect(importsOf(facts)).toEqual([
    'fs: * as fs',
    './b: a as a',
    './b: b as c',
    './d: e as d',
    './side: - as -',
    '-: Old as alias, local-export',
    '-: Old as Old, local-export',
    '-: Old as old, local-export',
    './lazy: - as -',
  ]);
  expect(symbolsOf(facts)).toEqual([
    'function Old exported',
    'field Old.count exported',
    'method step',
    'function helper exported',
    'function later exported',
    'function load',
  ]);
});

it('INT-1 names what is exported by default without a name', async () => {
  expect(symbolsOf(await factsOf('typescript', 'export default class { run() {} }'))).toEqual([
    'class default exported, default',
    'method default.run exported',
  ]);
  expect(symbolsOf(await factsOf('javascript', 'export default async () => {};'))).toEqual([
    'function default exported, default, async',
  ]);
});

it('INT-3 says what is known of the types of variables, parameters and fields', async () => {
  const facts = await typescript(`const shared = new Store('x');
     class App {
       private db: Promise<Db | undefined>;
       rows: readonly Row[] = [];
       cache = makeCache<string>();
       constructor(public host: Host<string>, size: number) {
         this.pool = new Pool.Fixed(size);
         this.copy = host;
       }
       async run(items: Iterable<Item>, cb: (e: Error) => void, [first]: Pair) {
         const a = await this.host.open('x');
         const b = this.rows[0], c = a as Special, d = e ?? f, lit = 'text';
         const { pool, ...rest } = this, { size } = await open(), { x } = new Store();
         for (const item of items) item.go();
         for (const key in items) cb(key);
         try { } catch (error) { }
         return { a, b, c, d };
       }
     }`);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'shared: Store',
      'this.db: Db in App',
      'this.rows: []Row in App',
      'this.cache: makeCache() in App',
      'this.host: Host in App',
      'host: Host in App.constructor',
      'size: number in App.constructor',
      'this.pool: Pool.Fixed in App',
      'this.copy: =host in App',
      'items: []Item in App.run',
      'cb: - in App.run',
      'first: - in App.run',
      'a: this.host.open() in App.run',
      'b: =this.rows[] in App.run',
      'c: Special in App.run',
      'd: =e in App.run',
      'lit: - in App.run',
      'pool: =this.pool in App.run',
      'rest: - in App.run',
      'size: =open().size in App.run',
      'x: - in App.run',
      'item: =items[] in App.run',
      'key: - in App.run',
      'error: - in App.run',
    ]),
  );
  expect(columnOf(facts, 'App.db', 'TYPE')).toBe('Db');
});

it('INT-1 counts parameters', async () => {
  const facts = await typescript(`function a(this: Foo, x: string, y = 1 /* why */, ...z: string[]) {}
     const b = x => x, c = (x: string) => x, d = 1;`);
  expect(['a', 'b', 'c', 'd'].map((name) => columnOf(facts, name, 'ARITY'))).toEqual([1002, 1, 1, -1]);
});

it('INT-2 knows tests by their calls and by their files', async () => {
  const facts = await typescript(`describe('group', () => {
       const shared = 1;
       beforeEach(() => setUp(shared));
       it('does this', async () => { target(); });
       test.each([1])(\`does that\`, () => { target(); });
       it.skip('not that', function () { target(); });
     });`);
  expect(symbolsOf(facts)).toEqual(['function does this test', 'function `does that` test', 'function not that test']);
  expect(referencesOf(facts, 'call').filter((each) => each.includes('target'))).toEqual([
    'call target(0) in does this',
    'call target(0) in `does that`',
    'call target(0) in not that',
  ]);
  expect(symbolsOf(await factsOf('typescript', 'function help() {}', 'src/a.test.ts'))).toEqual(['function help test']);
  expect(symbolsOf(await factsOf('typescript', 'function help() {}', 'tests/a.ts'))).toEqual(['function help test']);
});

it('INT-1 finds functions in objects and those that are assigned', async () => {
  const facts = await typescript(`export const api = {
       save(row: Row) { return this.load(row); },
       load: async (row: Row) => fetchRow(row),
       nested: { deep: function () { api.save(1); } },
       value: 1,
       'quoted-name'() {}, [computed]() {}, 7: () => {},
     };
     class A { f() { this.later = () => { this.f(); }; } }`);
  expect(symbolsOf(facts)).toEqual([
    'constant api exported',
    'method api.save exported',
    'method api.load exported, async',
    'method api.deep exported',
    'method api.quoted-name exported',
    'method api.7 exported',
    'class A',
    'method A.f',
    'method A.later',
  ]);
  expect(referencesOf(facts, 'call')).toEqual([
    'call this.load(1) in api.save',
    'call fetchRow(1) in api.load',
    'call api.save(1) in api.deep',
    'call this.f(0) in A.later',
  ]);
});

it('INT-5 finds what is sound beside syntax errors', async () => {
  const facts = await factsOf(
    'typescript',
    'function good() { call(); }\nfunction bad( { \nclass After { m() { good(); } }',
  );
  expect(facts.state).toBe('partial');
  expect(symbolsOf(facts)).toContain('function good');
  expect(referencesOf(facts, 'call')).toContain('call call(0) in good');
});
