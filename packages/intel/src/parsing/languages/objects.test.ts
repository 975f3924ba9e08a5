import { expect, it } from 'vitest';
import { bindingsOf, columnOf, factsOf, importsOf, referencesOf, symbolsOf } from '../fixtures/facts-of.ts';

it('INT-1 parses Java', async () => {
  const facts = await factsOf(
    'java',
    `package com.acme.store;
import java.util.List;
import static com.acme.Util.help;
import com.acme.notes.*;
/** Keeps. */
public abstract class Store<T> extends Base<T> implements Saver, com.acme.Other {
  private final List<Note> items = new ArrayList<>();
  static int count, other;
  public Store(int n, String... xs) { super(n); init(); }
  @Override public Note save(Note n) {
    var x = help(n); Note y = (Note) x;
    for (Note it : items) { it.touch(1); }
    items.stream().map(Note::id);
    if (x instanceof Note q) q.touch(1);
    return y.next().save(x);
  }
  enum Color { RED }
  record Point(int x, Note y) implements Saver { }
  @Test void works() { }
}
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'field Store.items private',
    'field Store.count exported, static',
    'field Store.other exported, static',
    'constructor Store.Store exported',
    'method Store.save exported, override',
    'enum Store.Color exported',
    'enum-member Store.Color.RED exported',
    'class Store.Point exported',
    'field Store.Point.x exported',
    'field Store.Point.y exported',
    'method Store.works exported, test',
  ]);
  expect(columnOf(facts, 'Store.Store', 'ARITY')).toBe(1001);
  expect(columnOf(facts, 'Store.items', 'TYPE')).toBe('[]Note');
  expect(importsOf(facts)).toEqual([
    '-: - as com.acme.store, package',
    'java.util: List as List',
    'com.acme.Util: help as help',
    'com.acme.notes: * as -, wildcard',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      'x: help() in Store.save',
      'y: Note in Store.save',
      'it: Note in Store.save',
      'q: Note in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends', 'implements', 'decorator')).toEqual([
    'extends Base in Store',
    'implements Saver in Store',
    'implements com.acme.Other in Store',
    'new ArrayList(0) in Store.items',
    'call super(1) in Store.Store',
    'call init(0) in Store.Store',
    'decorator Override in Store.save',
    'call help(1) in Store.save',
    'call it.touch(1) in Store.save',
    'call items.stream(0) in Store.save',
    'call items.stream().map(1) in Store.save',
    'call q.touch(1) in Store.save',
    'call y.next(0) in Store.save',
    'call y.next().save(1) in Store.save',
    'implements Saver in Store.Point',
    'decorator Test in Store.works',
  ]);
});

it('INT-1 parses C#', async () => {
  const facts = await factsOf(
    'csharp',
    `using System;
using N = Acme.Notes.Note;
namespace Acme.Store;
/// <summary>Keeps.</summary>
public abstract class Store<T> : Base<T>, ISaver
{
  private readonly List<Note> items = new();
  public Note First { get; set; } = new Note();
  public Store(int n) : base(n) { Init(); }
  public override async Task<Note> Save(Note n) {
    var z = new N { Id = 1 };
    foreach (var it in items) it.Touch(1);
    items?.Select(e => e.Go()).ToList();
    await Store.Make<int>(z);
    void Local() { }
    if (n is Note q) q.Touch(1);
  }
}
public interface ISaver { Note Save(Note n); }
public record Point(int X);
class T { [Fact] public void Works() { } }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'field Store.items private',
    'property Store.First exported',
    'constructor Store.Store exported',
    'method Store.Save exported, async, override',
    'function Store.Save.Local private',
    'interface ISaver exported',
    'method ISaver.Save exported',
    'class Point exported',
    'property Point.X exported',
    'class T exported',
    'method T.Works exported, test',
  ]);
  expect(columnOf(facts, 'Store.Save', 'TYPE')).toBe('Note');
  expect(importsOf(facts)).toEqual([
    'System: * as -, wildcard',
    'Acme.Notes.Note: * as N',
    '-: - as Acme.Store, package',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'z: N in Store.Save',
      'it: =items[] in Store.Save',
      'n: Note in Store.Save',
      'q: Note in Store.Save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends')).toEqual([
    'extends Base in Store',
    'extends ISaver in Store',
    'new Note(0) in Store.First',
    'call Init(0) in Store.Store',
    'new N in Store.Save',
    'call it.Touch(1) in Store.Save',
    'call items.Select(1) in Store.Save',
    'call e.Go(0) in Store.Save',
    'call items.Select().ToList(0) in Store.Save',
    'call Store.Make(1) in Store.Save',
    'call q.Touch(1) in Store.Save',
  ]);
});

it('INT-1 parses Kotlin', async () => {
  const facts = await factsOf(
    'kotlin',
    `package com.acme.store

import com.acme.Util.help as h
import com.acme.notes.*

/** Keeps. */
abstract class Store<T : Note>(private val items: List<Note>, n: Int = 1) : Base<T>(n), Saver {
  val first: Note = Note(1)

  override suspend fun save(n: Note): Note? {
    val y = help(n)
    for (it in items) {
      it.touch(1)
    }
    y?.next()?.save(n)
    items.map { e -> e.go() }
    return super.save(n)
  }

  companion object {
    fun make(): Store = Store()
  }
}

enum class Color {
  RED,
}

object Single

fun Note.extend(a: Int): Note = this.touch(a)
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'property Store.items private',
    'field Store.first exported',
    'method Store.save exported, async, override',
    'method Store.make exported',
    'enum Color exported',
    'enum-member Color.RED exported',
    'class Single exported',
    'function extend exported',
  ]);
  expect(columnOf(facts, 'extend', 'OWNER')).toBe('Note');
  expect(columnOf(facts, 'Store.save', 'TYPE')).toBe('Note');
  expect(importsOf(facts)).toEqual([
    '-: - as com.acme.store, package',
    'com.acme.Util: help as h',
    'com.acme.notes: * as -, wildcard',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      'this.first: Note in Store',
      'y: help() in Store.save',
      'it: =items[] in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'extends', 'implements')).toEqual([
    'extends Base in Store',
    'implements Saver in Store',
    'call Note(1) in Store.first',
    'call help(1) in Store.save',
    'call it.touch(1) in Store.save',
    'call y.next(0) in Store.save',
    'call y.next().save(1) in Store.save',
    'call items.map in Store.save',
    'call e.go(0) in Store.save',
    'call super.save(1) in Store.save',
    'call Store(0) in Store.make',
    'call this.touch(1) in extend',
  ]);
});

it('INT-1 parses Scala', async () => {
  const facts = await factsOf(
    'scala',
    `package com.acme.store

import com.acme.util.{help => h, Other, _}

/** Keeps. */
abstract class Store[T](private val items: List[Note]) extends Base[T](1) with Saver {
  val first: Note = new Note(1)
  override def save(n: Note, xs: String*): Option[Note] = {
    val y = help(n)
    for (it <- items) yield it.touch(1)
    x match { case p: Note => p.touch(1) }
    super.save(n)
    a add b
  }
}
object Store {
  def make(): Store = new Store()
}
trait Saver extends Other
enum Color { case Red }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'property Store.items private',
    'field Store.first exported',
    'method Store.save exported, override',
    'class Store exported',
    'method Store.make exported',
    'trait Saver exported',
    'enum Color exported',
    'enum-member Color.Red exported',
  ]);
  expect(columnOf(facts, 'Store.save', 'TYPE')).toBe('Note');
  expect(columnOf(facts, 'Store.save', 'ARITY')).toBe(1001);
  expect(importsOf(facts)).toEqual([
    '-: - as com.acme.store, package',
    'com.acme.util: help as h',
    'com.acme.util: Other as Other',
    'com.acme.util: * as -, wildcard',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      'y: help() in Store.save',
      'it: =items[] in Store.save',
      'p: Note in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends', 'implements')).toEqual([
    'extends Base in Store',
    'implements Saver in Store',
    'new Note(1) in Store.first',
    'call help(1) in Store.save',
    'call it.touch(1) in Store.save',
    'call p.touch(1) in Store.save',
    'call super.save(1) in Store.save',
    'call a.add in Store.save',
    'new Store(0) in Store.make',
    'extends Other in Saver',
  ]);
});

it('INT-1 parses Swift', async () => {
  const facts = await factsOf(
    'swift',
    `import Foundation
import struct Acme.Note

/// Keeps.
public final class Store<T>: Base<T>, Saver {
  private let items: [Note] = []
  static var count = 0
  public init(_ n: Int = 1) { super.init(n); setup() }
  override func save(_ n: Note, at x: Int?) async throws -> Note? {
    let y = try await help(n)
    for it in items { it.touch(1) }
    if let q = find(n) as? Note { q.touch(1) }
    return y?.next().save(n)
  }
}
extension Store: Other { func extra() { go() } }
enum Color: String { case red, green }
protocol Saver { func save(_ n: Note) -> Note }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported',
    'field Store.items private',
    'field Store.count exported, static',
    'constructor Store.init exported',
    'method Store.save exported, override',
    'extension Store exported',
    'method Store.extra exported',
    'enum Color exported',
    'enum-member Color.red exported',
    'enum-member Color.green exported',
    'interface Saver exported',
    'method Saver.save exported',
  ]);
  expect(columnOf(facts, 'Store.save', 'TYPE')).toBe('Note');
  expect(importsOf(facts)).toEqual(['Foundation: * as -, wildcard', 'Acme: Note as Note']);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      'y: help() in Store.save',
      'it: =items[] in Store.save',
      'q: Note in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'implements')).toEqual([
    'implements Base in Store',
    'implements Saver in Store',
    'call super.init(1) in Store.init',
    'call setup(0) in Store.init',
    'call help(1) in Store.save',
    'call it.touch(1) in Store.save',
    'call find(1) in Store.save',
    'call q.touch(1) in Store.save',
    'call y.next(0) in Store.save',
    'call y.next().save(1) in Store.save',
    'implements Other in Store',
    'call go(0) in Store.extra',
    'implements String in Color',
  ]);
});

it('INT-1 parses Dart', async () => {
  const facts = await factsOf(
    'dart',
    `import 'package:acme/notes.dart' as n;
import '../util.dart' show help, run;
export 'src/a.dart';

/// Keeps.
abstract class Store<T> extends Base<T> with Mixin implements Saver {
  final List<Note> items = [];
  Note? _last;
  Store(this.items, {int n = 1}) : super(n) { setup(); }
  factory Store.make(int a) => Store.named('a');
  Note get last => items.last;
  @override
  Future<Note> save(Note n) async {
    var y = help(n);
    for (final it in items) { it.touch(1); }
    super.save(n);
    await y?.next()?.save(n);
    final w = new Note(1);
  }
}
mixin Mixin on Base { void mix() {} }
extension Ext on Note { void extra() => touch(1); }
enum Color { red }
Note free<T>(T a) { return a.touch(); }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'field Store.items exported',
    'field Store._last private',
    'constructor Store.Store exported',
    'constructor Store.make exported',
    'property Store.last exported',
    'method Store.save exported, override',
    'class Mixin exported',
    'method Mixin.mix exported',
    'extension Note exported',
    'method Note.extra exported',
    'enum Color exported',
    'enum-member Color.red exported',
    'function free exported',
  ]);
  expect(columnOf(facts, 'Store.save', 'TYPE')).toBe('Note');
  expect(columnOf(facts, 'Store.save', 'END_LINE')).toBe(19);
  expect(importsOf(facts)).toEqual([
    'package:acme/notes.dart: * as n',
    '../util.dart: help as help',
    '../util.dart: run as run',
    'src/a.dart: * as -, re-export, wildcard',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      'y: help() in Store.save',
      'it: =items[] in Store.save',
      'w: Note in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends', 'implements')).toEqual([
    'extends Base in Store',
    'implements Mixin in Store',
    'implements Saver in Store',
    'call setup(0) in Store.Store',
    'call Store.named(1) in Store.make',
    'call help(1) in Store.save',
    'call it.touch(1) in Store.save',
    'call super.save(1) in Store.save',
    'call y.next(0) in Store.save',
    'call y.next().save(1) in Store.save',
    'new Note(1) in Store.save',
    'call touch(1) in Note.extra',
    'call a.touch(0) in free',
  ]);
});
