import { expect, it } from 'vitest';
import { bindingsOf, columnOf, factsOf, importsOf, referencesOf, symbolsOf } from '../fixtures/facts-of.ts';

const python = (source: string, path?: string) => factsOf('python', source, path);

it('INT-1 finds functions, classes, fields and properties', async () => {
  const facts = await python(`
LIMIT = 10
_hidden = None

class Store(base.Base, Generic[T], metaclass=Meta):
    """Keeps rows."""
    name: str
    kind = "x"

    def __init__(self, path: Path, *, size: int = 1, **rest):
        self.path = path
        self.rows: list[Row] = []
        self.path = path.resolve()

    @property
    def full(self) -> bool:
        return len(self.rows) > LIMIT

    @full.setter
    def full(self, value): self.rows = value

    @staticmethod
    def make() -> "Store": return Store(Path())

    @abc.abstractmethod
    async def close(self): ...

    def _drop(self): pass

def outer(a):
    local = 1
    def inner(): return a + local
    return inner

double = lambda x: x * 2
`);
  expect(symbolsOf(facts)).toEqual([
    'constant LIMIT exported',
    'variable _hidden private',
    'class Store exported',
    'field Store.name exported',
    'field Store.kind exported',
    'constructor Store.__init__ exported',
    'field Store.path exported',
    'field Store.rows exported',
    'property Store.full exported',
    'method Store.make exported, static',
    'method Store.close exported, async, abstract',
    'method Store._drop private',
    'function outer exported',
    'function outer.inner',
    'function double exported',
  ]);
  expect(columnOf(facts, 'Store.__init__', 'ARITY')).toBe(1002);
  expect(columnOf(facts, 'Store.make', 'ARITY')).toBe(0);
  expect(columnOf(facts, 'Store.make', 'TYPE')).toBe('Store');
  expect(referencesOf(facts, 'extends')).toEqual(['extends base.Base in Store', 'extends Generic in Store']);
});

it('INT-1 tells lines of declaration, signature and docstring', async () => {
  const facts = await python(`
# Of f.
@decorated(
    1)
def f(
    a,
) -> None:
    """
    What it does.
    """
    return g(a)

# Of h.
def h(): pass
`);
  const lines = (name: string) =>
    (['START_LINE', 'END_LINE', 'NAME_LINE', 'DOC_START', 'DOC_END', 'SIGNATURE_END'] as const).map((column) =>
      columnOf(facts, name, column),
    );
  expect(lines('f')).toEqual([3, 11, 5, 8, 10, 7]);
  expect(lines('h')).toEqual([14, 14, 14, 13, 13, 14]);
});

it('INT-1 finds imports of all forms', async () => {
  const facts = await python(`
from __future__ import annotations
import os.path
import numpy as np, sys
from . import sibling
from ..pkg.mod import one, two as zwei
from .star import *
try:
    import fast as impl
except ImportError:
    impl = None
def lazy():
    from .late import thing
    return thing()
`);
  expect(importsOf(facts)).toEqual([
    'os.path: * as os.path',
    'numpy: * as np',
    'sys: * as sys',
    '.: sibling as sibling',
    '..pkg.mod: one as one',
    '..pkg.mod: two as zwei',
    '.star: * as -, wildcard',
    'fast: * as impl',
    '.late: thing as thing',
  ]);
  expect(referencesOf(facts, 'call')).toEqual(['call thing(0) in lazy']);
});

it('INT-1 takes __all__ for the list of what is exported', async () => {
  const facts = await python(`
from .a import moved
__all__ = ["shown", 'moved']
__all__ += ("more",)
def shown(): pass
def more(): pass
def other(): pass
`);
  expect(symbolsOf(facts).filter((each) => each.includes('exported'))).toEqual([
    'function shown exported',
    'function more exported',
  ]);
  expect(importsOf(facts)).toEqual([
    '.a: moved as moved',
    '-: shown as shown, local-export',
    '-: moved as moved, local-export',
    '-: more as more, local-export',
  ]);
});

it('INT-1 finds each way of calling, with receiver and number of arguments', async () => {
  const facts = await python(`
import lib
@lib.deco(1)
@plain
class A(Base):
    def m(self, x, *args, **kw):
        self.m(1); cls.n(); super().m(x); super(A, self).m(x)
        lib.a.b(*args, k=1); lib.a(  # why
            x)
        A(1).m(); x[0].go(); f"{lib.fmt(x)}"; "s".join(x)
        (await lib.get()).text(); [lib.c(i) for i in x]; lambda q: lib.d(q)
`);
  expect(referencesOf(facts, 'call', 'decorator')).toEqual([
    'call lib.deco(1)',
    'decorator plain',
    'call this.m(1) in A.m',
    'call this.n(0) in A.m',
    'call super(0) in A.m',
    'call super.m(1) in A.m',
    'call super(2) in A.m',
    'call super.m(1) in A.m',
    'call lib.a.b(1001) in A.m',
    'call lib.a(1) in A.m',
    'call A(1) in A.m',
    'call A().m(0) in A.m',
    'call x[].go(0) in A.m',
    'call lib.fmt(1) in A.m',
    'call ?.join(1) in A.m',
    'call lib.get(0) in A.m',
    'call lib.get().text(0) in A.m',
    'call lib.c(1) in A.m',
    'call lib.d(1) in A.m',
  ]);
});

it('INT-3 says what is known of the types of variables, parameters and fields', async () => {
  const facts = await python(`
shared = Store("x")
@dataclass
class App:
    host: "Host"
    rows: list[Row] = field(default_factory=list)
    def __init__(self, db: Optional[Db] = None, cb=None):
        self.pool = pkg.Pool(db)
        self.db = db
        self.late: Late | None = None
    def run(self, items: Iterable[Item]):
        a = self.pool.open("x")
        b = await a.b
        with open("f") as fh, lock: fh.read()
        for item in items: item.go()
        for k, v in items: pass
        try: pass
        except errors.Bad as e: e.show()
        if (n := a.next()): pass
        return [x.y for x in self.rows]
`);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'shared: Store()',
      'this.host: Host in App',
      'this.rows: []Row in App',
      'db: Db in App.__init__',
      'cb: - in App.__init__',
      'this.pool: pkg.Pool() in App',
      'this.db: =db in App',
      'this.late: Late in App',
      'items: []Item in App.run',
      'a: this.pool.open() in App.run',
      'b: =a.b in App.run',
      'fh: open() in App.run',
      'item: =items[] in App.run',
      'k: - in App.run',
      'e: errors.Bad in App.run',
      'n: a.next() in App.run',
      'x: =this.rows[] in App.run',
    ]),
  );
});

it('INT-1 keeps reads of what the file declares or imports, and drops what is local', async () => {
  const facts = await python(`
from lib import LIMIT, log
class A:
    size = LIMIT
    def run(self, log, item: Item):
        value = log
        self.size = value + LIMIT + item.width + unknown.thing
        return dict(LIMIT=log, handler=self.run)
`);
  expect(referencesOf(facts, 'read', 'write', 'type')).toEqual([
    'read LIMIT in A.size',
    'type Item in A.run',
    'write this.size in A.run',
    'read LIMIT in A.run',
    'read item.width in A.run',
    'read this.run in A.run',
  ]);
});

it('INT-2 knows tests by their names and by their files', async () => {
  const facts = await python('def test_a(): pass\nclass TestB:\n    def test_c(self): pass\ndef helper(): pass\n');
  expect(symbolsOf(facts)).toEqual([
    'function test_a exported, test',
    'class TestB exported',
    'method TestB.test_c exported, test',
    'function helper exported',
  ]);
  expect(symbolsOf(await python('def helper(): pass\n', 'tests/conftest.py'))).toEqual([
    'function helper exported, test',
  ]);
});

it('INT-5 finds what is sound beside syntax errors', async () => {
  const facts = await python(
    'def good():\n    call()\n\ndef bad(:\n    pass\n\nclass After:\n    def m(self): good()\n',
  );
  expect(facts.state).toBe('partial');
  expect(symbolsOf(facts)).toContain('function good exported');
  expect(referencesOf(facts, 'call')).toContain('call call(0) in good');
});
