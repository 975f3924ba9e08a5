import { expect, it } from 'vitest';
import { bindingsOf, columnOf, factsOf, importsOf, referencesOf, symbolsOf } from '../fixtures/facts-of.ts';

it('INT-1 parses PHP', async () => {
  const facts = await factsOf(
    'php',
    `<?php
namespace Acme\\Store;
use Acme\\{Util, Other as O};
use function Acme\\help;
/** Keeps. */
abstract class Store extends Base implements Saver {
  use Mixin;
  const MAX = 3;
  public static ?Note $last = null;
  public function __construct(private Note $first, string ...$xs) { parent::__construct(1); $this->map = new Map(); }
  public function save(Note $n): ?Note {
    $y = help($n);
    foreach ($this->items as $it) { $it->touch(1); }
    self::make(2);
    return $y?->next()->save($n);
  }
}
function free(Note $a): Note { return $a->touch(1); }
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'class Store exported, abstract',
    'field Store.MAX exported',
    'field Store.last exported, static',
    'constructor Store.__construct exported',
    'field Store.first private',
    'method Store.save exported',
    'function free exported',
  ]);
  expect(columnOf(facts, 'Store.__construct', 'ARITY')).toBe(1001);
  expect(columnOf(facts, 'Store.save', 'TYPE')).toBe('Note');
  expect(importsOf(facts)).toEqual([
    '-: - as Acme\\Store, package',
    'Acme: Util as Util',
    'Acme: Other as O',
    'Acme: help as help',
  ]);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining([
      'this.first: Note in Store',
      'this.map: Map in Store',
      '$n: Note in Store.save',
      '$y: help() in Store.save',
      '$it: =this.items[] in Store.save',
    ]),
  );
  expect(referencesOf(facts, 'call', 'new', 'extends', 'implements')).toEqual([
    'extends Base in Store',
    'implements Saver in Store',
    'implements Mixin in Store',
    'call super.__construct(1) in Store.__construct',
    'new Map(0) in Store.__construct',
    'call help(1) in Store.save',
    'call $it.touch(1) in Store.save',
    'call this.make(1) in Store.save',
    'call $y.next(0) in Store.save',
    'call $y.next().save(1) in Store.save',
    'call $a.touch(1) in free',
  ]);
});

it('INT-1 parses Ruby', async () => {
  const facts = await factsOf(
    'ruby',
    `require 'json'
require_relative '../util'
module Acme
  # Keeps.
  class Store < Base
    include Saver
    attr_reader :last
    MAX = 3
    def initialize(items, *xs)
      super(1)
      @note = Note.new(1)
      setup
    end
    def save(n)
      items.each { |it| it.touch(1) }
      @note.touch(3)
    end
    def self.make(a) = new(a)
  end
end
describe 'x' do
  it 'works' do
    expect(1)
  end
end
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'trait Acme exported',
    'class Acme.Store exported',
    'property Acme.Store.last exported',
    'field Acme.Store.MAX exported',
    'constructor Acme.Store.initialize exported',
    'method Acme.Store.save exported',
    'method Acme.Store.make exported, static',
    'function works exported, test',
  ]);
  expect(columnOf(facts, 'Acme.Store', 'DOC_START')).toBe(4);
  expect(importsOf(facts)).toEqual(['json: * as -, wildcard', '../util: * as -, wildcard']);
  expect(bindingsOf(facts)).toEqual(
    expect.arrayContaining(['this.note: Note in Acme.Store', 'it: =items[] in Acme.Store.save']),
  );
  expect(referencesOf(facts, 'new', 'extends', 'implements')).toEqual([
    'extends Base in Acme.Store',
    'implements Saver in Acme.Store',
    'new Note in Acme.Store.initialize',
  ]);
  expect(referencesOf(facts, 'call')).toEqual(
    expect.arrayContaining([
      'call super(1) in Acme.Store.initialize',
      'call setup in Acme.Store.initialize',
      'call items.each in Acme.Store.save',
      'call it.touch(1) in Acme.Store.save',
      'call this.note.touch(1) in Acme.Store.save',
      'call new(1) in Acme.Store.make',
    ]),
  );
});

it('INT-1 parses Lua', async () => {
  const facts = await factsOf(
    'lua',
    `local util = require("acme.util")
local M, other = {}
--- Keeps.
function Store.new(a, ...)
  local self = setmetatable({}, Store)
  return self
end
function Store:save(n)
  local y = util.help(n)
  y.next():save()
end
local function free(a) return a end
M.run = function(x) Store.new(x) end
`,
  );
  expect(symbolsOf(facts)).toEqual([
    'variable M private',
    'variable other private',
    'function new exported',
    'method save exported',
    'function free private',
    'function run exported',
  ]);
  expect(['new', 'save', 'run'].map((name) => columnOf(facts, name, 'OWNER'))).toEqual(['Store', 'Store', 'M']);
  expect(importsOf(facts)).toEqual(['acme.util: * as util']);
  expect(bindingsOf(facts)).toEqual(expect.arrayContaining(['self: Store in new', 'y: util.help() in save']));
  expect(referencesOf(facts, 'call')).toEqual([
    'call require(1)',
    'call setmetatable(2) in new',
    'call util.help(1) in save',
    'call y.next(0) in save',
    'call y.next().save(0) in save',
    'call Store.new(1) in run',
  ]);
});

it('INT-1 parses Bash', async () => {
  const facts = await factsOf(
    'bash',
    `#!/bin/bash
source ./lib.sh
. "$DIR/other.sh"
# Builds.
build() {
  local x=1
  helper "$x" | grep a
  result=$(compute "$1")
}
function deploy { build; }
MAX=3
trap cleanup EXIT
`,
  );
  expect(symbolsOf(facts)).toEqual(['function build exported', 'function deploy exported', 'variable MAX exported']);
  expect(columnOf(facts, 'build', 'DOC_START')).toBe(4);
  expect(importsOf(facts)).toEqual(['./lib.sh: * as -, wildcard', '/other.sh: * as -, wildcard']);
  expect(referencesOf(facts, 'call')).toEqual([
    'call source',
    'call .',
    'call helper in build',
    'call grep in build',
    'call compute in build',
    'call build in deploy',
    'call trap',
    'call cleanup',
  ]);
});
