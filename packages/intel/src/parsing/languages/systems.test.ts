import { expect, it } from 'vitest';
import { bindingsOf, columnOf, factsOf, importsOf, referencesOf, symbolsOf } from '../fixtures/facts-of.ts';

it('INT-1 parses Go', async () => {
  const facts = await factsOf(
    'go',
    `package store

import (
	"fmt"
	util "example.com/mod/util"
	. "strings"
	"gopkg.in/yaml.v3"
)

// Store keeps notes.
type Store struct {
	items map[string]*Note
	*Base
}

type Saver interface { Save(n *Note) error }

const Max, min = 1, 2

func New(opts ...Option) *Store { return &Store{items: make(map[string]*Note)} }

func (s *Store) Save(n *Note) (*Note, error) {
	x, err := util.Make(n)
	for _, it := range s.items { it.Touch(1) }
	v := x.(*Note)
	return fmt.Sprint(v, err), nil
}

func (o *Other[T]) do() { o.Base.do() }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'struct Store exported',
    'field Store.items private',
    'interface Saver exported',
    'method Saver.Save exported',
    'constant Max exported',
    'constant min private',
    'function New exported',
    'method Store.Save exported',
    'method do private',
  ]);
  expect(columnOf(facts, 'Store.Save', 'TYPE')).toBe('Note');
  expect(columnOf(facts, 'New', 'ARITY')).toBe(1000);
  expect(columnOf(facts, 'do', 'OWNER')).toBe('Other');
  expect(columnOf(facts, 'Store', 'DOC_START')).toBe(10);
  expect(importsOf(facts)).toEqual([
    '-: - as store, package',
    'fmt: * as fmt',
    'example.com/mod/util: * as util',
    'strings: * as ., wildcard',
    'gopkg.in/yaml.v3: * as yaml',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.items: []Note in Store',
      's: Store in Store.Save',
      'x: util.Make() in Store.Save',
      'it: =s.items[] in Store.Save',
      'v: Note in Store.Save',
      'o: Other in do',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends')).toEqual([
    'extends Base in Store',
    'new Store in New',
    'call make(1) in New',
    'call util.Make(1) in Store.Save',
    'call it.Touch(1) in Store.Save',
    'call fmt.Sprint(2) in Store.Save',
    'call o.Base.do(0) in do',
  ]);
});

it('INT-1 parses Rust', async () => {
  const facts = await factsOf(
    'rust',
    `use std::collections::HashMap;
use crate::store::{Store, note::{Note as N, Other}, self};
pub use super::util::*;
mod inner;

/// A point.
#[derive(Debug)]
pub struct Point<T> { pub x: T, items: Vec<Note> }
pub trait Area: Base { fn area(&self) -> f64; }
impl<T> Area for Point<T> {
    fn area(&self) -> f64 { self.items.len() }
}
impl Point<i32> {
    pub fn new(x: i32) -> Self { Self { x, items: vec![] } }
    async fn get(&mut self, n: &Note) -> Result<Note, Error> {
        let y = Store::open(n)?;
        for it in self.items.iter() { it.touch(); }
        crate::run::<i32>(y);
    }
}
#[cfg(test)]
mod tests {
    #[test]
    fn works() { assert_eq!(Point::new(1).area(), 0.0); }
}
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'struct Point exported',
    'field Point.x exported',
    'field Point.items private',
    'trait Area exported',
    'method Area.area exported',
    'extension Point',
    'method Point.area private',
    'extension Point',
    'method Point.new exported',
    'method Point.get async, private',
    'module tests private',
    'function tests.works private, test',
  ]);
  expect(columnOf(facts, 'Point.get', 'TYPE')).toBe('Note');
  expect(columnOf(facts, 'Point.get', 'ARITY')).toBe(1);
  expect(columnOf(facts, 'Point', 'DOC_START')).toBe(6);
  expect(importsOf(facts)).toEqual([
    'std::collections: HashMap as HashMap',
    'crate::store: Store as Store',
    'crate::store::note: Note as N',
    'crate::store::note: Other as Other',
    'crate: store as store',
    'super::util: * as -, re-export, wildcard',
    'inner: * as inner',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining(['n: Note in Point.get', 'y: Store.open() in Point.get', 'it: =this.items[] in Point.get']),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends', 'implements')).toEqual([
    'extends Base in Area',
    'implements Area in Point',
    'call this.items.len(0) in Point.area',
    'new Self in Point.new',
    'call vec in Point.new',
    'call Store.open(1) in Point.get',
    'call this.items.iter(0) in Point.get',
    'call it.touch(0) in Point.get',
    'call crate.run(1) in Point.get',
    'call assert_eq in tests.works',
    'call new(1) in tests.works',
    'call area(0) in tests.works',
  ]);
});

it('INT-1 parses C', async () => {
  const facts = await factsOf(
    'c',
    `#include <stdio.h>
#include "note.h"
#define MAX 3
#define CALL(x) helper(x)
struct point { int x; struct note *next; void (*done)(int); };
typedef struct { int y; } Other;
typedef struct _named { int z; } named;
enum color { RED };
static int counter, *cursor;
int save(struct point *p, int n);
/* Adds. */
static struct point *add(struct point *p, const Other *o, ...)
{
	struct point *q = make(2);
	p->next->touch(o->y);
	q->done(counter++);
	return q;
}
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'macro MAX exported',
    'macro CALL exported',
    'struct point exported',
    'field point.x exported',
    'field point.next exported',
    'field point.done exported',
    'struct Other exported',
    'field Other.y exported',
    'struct _named exported',
    'field _named.z exported',
    'type named exported',
    'enum color exported',
    'enum-member color.RED exported',
    'variable counter static, private',
    'variable cursor static, private',
    'function save exported, abstract',
    'function add static, private',
  ]);
  expect(columnOf(facts, 'add', 'TYPE')).toBe('point');
  expect(columnOf(facts, 'add', 'ARITY')).toBe(1002);
  expect(columnOf(facts, 'named', 'TYPE')).toBe('_named');
  expect(importsOf(facts)).toEqual(['<stdio.h>: * as -, wildcard', 'note.h: * as -, wildcard']);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining(['this.next: note in point', 'p: point in add', 'o: Other in add', 'q: point in add']),
  );
  expect(referencesOf(facts, 'call', 'write')).toEqual([
    'call make(1) in add',
    'call p.next.touch(1) in add',
    'call q.done(1) in add',
    'write counter in add',
  ]);
});

it('INT-1 parses C++', async () => {
  const facts = await factsOf(
    'cpp',
    `#include "store.h"
using namespace std;
namespace acme {
template <typename T> class Store : public Base<T>, private ns::Other {
 public:
  explicit Store(int n) { init(); }
  virtual int save(const Note& n) const = 0;
  static Store* make() { return new Store(1); }
  std::unique_ptr<Note> note_;
};
int Store<int>::load(const Note& n) { return ns::run<int>(n.id()); }
void Far::away() { Note m(1); auto q = std::make_unique<Note>(3); q->touch(); this->go(); }
}
TEST(Store, Works) { acme::Store<int> s(1); s.save(2); }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'module acme exported',
    'class acme.Store exported',
    'constructor acme.Store.Store exported',
    'method acme.Store.save exported, abstract',
    'method acme.Store.make exported, static',
    'field acme.Store.note_ exported',
    'function acme.Store.load exported',
    'function acme.away exported',
    'function Works exported, test',
  ]);
  expect(columnOf(facts, 'acme.away', 'OWNER')).toBe('Far');
  expect(columnOf(facts, 'acme.Store.note_', 'TYPE')).toBe('Note');
  expect(importsOf(facts)).toEqual(['store.h: * as -, wildcard', 'std: * as -, wildcard']);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining(['n: Note in acme.Store.load', 'm: Note in acme.away', 'q: Note in acme.away']),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends')).toEqual([
    'extends Base in acme.Store',
    'extends ns.Other in acme.Store',
    'call init(0) in acme.Store.Store',
    'new Store(1) in acme.Store.make',
    'call ns.run(1) in acme.Store.load',
    'call n.id(0) in acme.Store.load',
    'new Note(1) in acme.away',
    'call std.make_unique(1) in acme.away',
    'call q.touch(0) in acme.away',
    'call this.go(0) in acme.away',
    'call s.save(1) in Works',
  ]);
});
