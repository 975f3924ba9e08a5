import { describe, expect, it } from 'vitest';
import { noChunks } from '../index/chunk-facts.ts';
import { detectLanguage } from '../parsing/detect-language.ts';
import { factsOf } from '../parsing/fixtures/facts-of.ts';
import { MemoryFileTable } from '../testing/memory-file-table.ts';
import type { SymbolId } from './code-graph-api.ts';
import { WorkspaceGraph } from './workspace-graph.ts';

async function graphOf(sources: Record<string, string>): Promise<WorkspaceGraph> {
  const files = new MemoryFileTable();
  const graph = new WorkspaceGraph(files);
  for (const [path, source] of Object.entries(sources)) {
    const language = detectLanguage(path, () => source);
    if (language === undefined) throw new Error(`no language: ${path}`);
    graph.put(files.add(path), { facts: await factsOf(language, source, path), chunks: noChunks() });
  }
  return graph;
}

/** `path:line kind Container.name` of a symbol. */
function show(graph: WorkspaceGraph, id: SymbolId): string {
  const { path, nameLine, kind, container, name } = graph.symbol(id);
  return `${path}:${nameLine} ${kind} ${[...container, name].join('.')}`;
}

function found(graph: WorkspaceGraph, query: string): string[] {
  return graph.find(query).map((id) => show(graph, id));
}

/** `path:line certainty` of each call of the only symbol that a query finds. */
function callers(graph: WorkspaceGraph, query: string): string[] {
  const symbols = graph.find(query);
  expect(found(graph, query)).toHaveLength(1);
  return graph.callers(symbols[0]!).map(({ path, line, certainty }) => `${path}:${line} ${certainty}`);
}

function implementations(graph: WorkspaceGraph, query: string): string[] {
  return graph.implementations(graph.find(query)[0]!).map((id) => show(graph, id));
}

const dead = (graph: WorkspaceGraph): string[] => graph.deadCode().map((id) => show(graph, id));

describe('members that are declared outside of their type', () => {
  it('INT-3 resolves methods of Go in another file of the package than their type', async () => {
    const graph = await graphOf({
      'store/store.go': 'package store\n\ntype Store struct{}\ntype Other struct{}\n',
      'store/save.go': [
        'package store',
        'func (s *Store) Save() { s.flush() }',
        'func (s *Store) flush() {}',
        'func (o Other) Save() {}',
        'func (o Other) unused() {}',
      ].join('\n'),
      'store/open.go': 'package store\nfunc open(s *Store) { s.Save() }\nfunc other(o Other) { o.Save() }\n',
      'elsewhere/store.go': 'package elsewhere\ntype Store struct{}\nfunc use(s Store) { s.Save() }\n',
    });
    expect(found(graph, 'Store.Save')).toEqual(['store/save.go:2 method Store.Save']);
    expect(callers(graph, 'Store.Save')).toEqual(['store/open.go:2 scope']);
    expect(callers(graph, 'Other.Save')).toEqual(['store/open.go:3 scope']);
    expect(callers(graph, 'Store.flush')).toEqual(['store/save.go:2 scope']);
    expect(dead(graph)).toContain('store/save.go:5 method Other.unused');
    expect(dead(graph)).not.toContain('store/save.go:3 method Store.flush');
    const impact = graph.impact(graph.find('Store.flush')[0]!).symbols.map(({ symbol }) => show(graph, symbol));
    expect(impact).toEqual(
      expect.arrayContaining(['store/save.go:2 method Store.Save', 'store/open.go:2 function open']),
    );
  });

  it('INT-3 resolves members of Rust through impl blocks and the traits that they implement', async () => {
    const graph = await graphOf({
      'src/lib.rs': 'pub mod shape;\npub mod circle;\npub mod draw;\n',
      'src/shape.rs':
        'pub trait Shape {\n    fn area(&self) -> f64;\n    fn describe(&self) -> f64 { self.area() }\n}\n',
      'src/circle.rs': [
        'use crate::shape::Shape;',
        'pub struct Circle { r: f64 }',
        'impl Circle {',
        '    pub fn new() -> Circle { Circle { r: 1.0 } }',
        '    fn twice(&self) -> f64 { self.area() }',
        '}',
        'impl Shape for Circle {',
        '    fn area(&self) -> f64 { self.r }',
        '}',
      ].join('\n'),
      'src/draw.rs': [
        'use crate::circle::Circle;',
        'impl Circle { pub fn draw(&self) { self.twice(); } }',
        'pub fn paint() {',
        '    let c = Circle::new();',
        '    c.draw();',
        '    c.describe();',
        '}',
      ].join('\n'),
    });
    expect(found(graph, 'Circle')).toEqual(['src/circle.rs:2 struct Circle']);
    expect(callers(graph, 'Circle.new')).toEqual(['src/draw.rs:4 import']);
    expect(callers(graph, 'Circle.draw')).toEqual(['src/draw.rs:5 scope']);
    expect(callers(graph, 'Shape.describe')).toEqual(['src/draw.rs:6 scope']);
    expect(callers(graph, 'Circle.twice')).toEqual(['src/draw.rs:2 scope']);
    expect(callers(graph, 'Circle.area')).toEqual(['src/circle.rs:5 scope']);
    expect(implementations(graph, 'Shape')).toEqual(['src/circle.rs:2 struct Circle']);
    expect(implementations(graph, 'Shape.area')).toEqual(['src/circle.rs:8 method Circle.area']);
    expect(graph.deadCode().map((id) => graph.symbol(id).kind)).not.toContain('extension');
    expect(dead(graph)).toEqual([]);
  });

  it('INT-3 resolves calls through headers of C++ to the definitions', async () => {
    const graph = await graphOf({
      'store.h':
        'namespace db {\nclass Store {\n public:\n  void save();\n  int size() const;\n private:\n  void flush();\n};\n}\n',
      'store.cc': [
        '#include "store.h"',
        'namespace db {',
        'void Store::save() { flush(); this->size(); }',
        'int Store::size() const { return 0; }',
        'void Store::flush() {}',
        '}',
      ].join('\n'),
      'main.cc': '#include "store.h"\nvoid run(db::Store* s) { s->save(); }\n',
    });
    expect(found(graph, 'Store.save')).toEqual(['store.cc:3 function db.Store.save']);
    expect(found(graph, 'store.h:Store.save')).toEqual(['store.h:4 method db.Store.save']);
    expect(callers(graph, 'store.cc:Store.save')).toEqual(['main.cc:2 scope']);
    expect(callers(graph, 'store.h:Store.save')).toEqual(['main.cc:2 scope']);
    expect(callers(graph, 'store.cc:Store.flush')).toEqual(['store.cc:3 scope']);
    expect(callers(graph, 'store.cc:Store.size')).toEqual(['store.cc:3 scope']);
    expect(graph.callees(graph.find('run')[0]!).map(({ to }) => to.map((id) => show(graph, id)))).toEqual([
      ['store.cc:3 function db.Store.save'],
    ]);
    expect(dead(graph)).not.toContain('store.cc:5 function db.Store.flush');
  });

  it('INT-2 finds what overrides a method of C++ where its body is', async () => {
    const graph = await graphOf({
      'shape.h': 'class Shape {\n public:\n  virtual int area() = 0;\n};\n',
      'circle.h': '#include "shape.h"\nclass Circle : public Shape {\n public:\n  int area() override;\n};\n',
      'circle.cc': '#include "circle.h"\nint Circle::area() { return 1; }\n',
      'use.cc': '#include "shape.h"\nint use(Shape* s) { return s->area(); }\n',
    });
    expect(implementations(graph, 'shape.h:Shape.area')).toEqual([
      'circle.cc:2 function Circle.area',
      'circle.h:4 method Circle.area',
    ]);
    const impact = graph.impact(graph.find('circle.cc:Circle.area')[0]!).symbols;
    expect(impact.map(({ symbol }) => show(graph, symbol))).toEqual(['use.cc:2 function use']);
  });

  it('INT-3 resolves calls of C to the one definition, and to the prototype where there are several', async () => {
    const graph = await graphOf({
      'list.h': 'int listLength(int n);\nint listHook(int n);\n',
      'list.c': '#include "list.h"\nint listLength(int n) { return n; }\nint listHook(int n) { return n; }\n',
      'hook.c': '#include "list.h"\nint listHook(int n) { return -n; }\n',
      'main.c': '#include "list.h"\nint main(void) { return listLength(1) + listHook(2); }\n',
    });
    const callees = graph.callees(graph.find('main')[0]!).map(({ to }) => to.map((id) => show(graph, id)));
    expect(callees).toEqual([['list.c:2 function listLength'], ['list.h:2 function listHook']]);
    for (const query of ['list.h:listLength', 'list.c:listLength', 'list.h:listHook']) {
      expect(callers(graph, query)).toEqual(['main.c:2 import']);
    }
  });

  it('INT-3 resolves extension functions of Kotlin by the type that they extend', async () => {
    const graph = await graphOf({
      'a/Note.kt': 'package a\nclass Note { fun title(): String = "" }\n',
      'b/Notes.kt': 'package b\nimport a.Note\nfun Note.shout(): String = title()\nfun Note.twice() { this.shout() }\n',
      'c/Use.kt': 'package c\nimport a.Note\nimport b.twice\nfun use(n: Note) { n.twice() }\n',
    });
    expect(found(graph, 'Note.shout')).toEqual(['b/Notes.kt:3 function Note.shout']);
    expect(callers(graph, 'Note.shout')).toEqual(['b/Notes.kt:4 scope']);
    expect(callers(graph, 'Note.twice')).toEqual(['c/Use.kt:4 scope']);
    expect(callers(graph, 'Note.title')).toEqual(['b/Notes.kt:3 scope']);
  });

  it('INT-3 finds extensions of types that are not in the workspace by their name', async () => {
    const graph = await graphOf({
      'b/Text.kt': 'package b\nfun String.shout(): String = ""\nclass Other { fun shout() {} }\n',
      'c/Use.kt': 'package c\nimport b.shout\nfun use(n: String) { n.shout() }\n',
    });
    expect(callers(graph, 'String.shout')).toEqual(['c/Use.kt:3 unique-name']);
    expect(callers(graph, 'Other.shout')).toEqual([]);
  });

  it('INT-3 resolves members of Swift through extensions of types and of protocols', async () => {
    const graph = await graphOf({
      'Shape.swift': 'protocol Shape { func area() -> Double }\nextension Shape {\n  func describe() { area() }\n}\n',
      'Circle.swift': 'struct Circle { }\n',
      'Circle+Shape.swift':
        'extension Circle: Shape {\n  func area() -> Double { return half() }\n  func half() -> Double { return 1 }\n}\n',
      'main.swift': 'func run(c: Circle) {\n  c.describe()\n  c.area()\n}\n',
    });
    expect(found(graph, 'Circle')).toEqual(['Circle.swift:1 struct Circle']);
    expect(found(graph, 'Circle+Shape.swift:Circle')).toEqual(['Circle+Shape.swift:1 extension Circle']);
    expect(callers(graph, 'Shape.describe')).toEqual(['main.swift:2 scope']);
    expect(callers(graph, 'Circle.area')).toEqual(['main.swift:3 scope']);
    expect(callers(graph, 'Circle.half')).toEqual(['Circle+Shape.swift:2 scope']);
    expect(implementations(graph, 'Shape')).toEqual(['Circle.swift:1 struct Circle']);
    expect(implementations(graph, 'Shape.area')).toEqual(['Circle+Shape.swift:2 method Circle.area']);
  });

  it('INT-3 resolves functions of Lua modules and methods on prototypes', async () => {
    const graph = await graphOf({
      'store.lua': 'local M = {}\nfunction M.open() return M.close() end\nfunction M.close() end\nreturn M\n',
      'main.lua': 'local store = require("store")\nstore.open()\n',
      'timer.js':
        'function Timer() {}\nTimer.prototype.start = function () { this.stop(); };\nTimer.prototype.stop = function () {};\n',
    });
    expect(callers(graph, 'M.open')).toEqual(['main.lua:2 import']);
    expect(callers(graph, 'M.close')).toEqual(['store.lua:2 scope']);
    expect(callers(graph, 'stop')).toEqual(['timer.js:2 scope']);
  });

  it('INT-2 lists the head of an extension among the uses of its type', async () => {
    const graph = await graphOf({
      'src/lib.rs': 'pub mod a;\npub mod b;\n',
      'src/a.rs': 'pub struct A;\n',
      'src/b.rs': 'use crate::a::A;\nimpl A { pub fn run(&self) {} }\n',
    });
    const uses = graph.references(graph.find('A')[0]!).map(({ path, line, kind }) => `${path}:${line} ${kind}`);
    expect(uses).toContain('src/b.rs:2 type');
  });
});
