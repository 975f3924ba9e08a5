import type { Language } from '../parsing/language.ts';
import type { PlaceholderForm } from './metavariables.ts';

/** Code around a fragment, in which the fragment is a whole. */
export interface Scaffold {
  /** What the fragment is in it, as told to people. */
  place: string;
  before: string;
  after: string;
  /** It ends what the fragment begins: a node may reach over it, and is taken without. */
  terminator?: string;
  /** Fragments that are not tried in it: parsers let stand there what the language does not. */
  unless?: RegExp;
}

/** How fragments of a language are read. */
export interface PatternRules {
  /** In the order in which they are tried (INT-25): statement, expression, class member, top level, then what is rare. */
  scaffolds: readonly Scaffold[];
  /** The ways in which metavariables are written, in the order in which they are tried. */
  forms: readonly PlaceholderForm[];
  /**
   * Nodes that go on with the expression before them, in grammars that make a chain of calls a run of siblings: a
   * metavariable stands for the run.
   */
  chain: ReadonlySet<string>;
}

const WORD: PlaceholderForm = { single: (word) => word, sequence: (word) => word };
/** A parameter or field with its type before it. */
const TYPED: PlaceholderForm = { single: (word) => word, sequence: (word) => `${word} ${word}` };
const FIELD: PlaceholderForm = { single: (word) => word, sequence: (word) => `${word} ${word};` };
const COLON: PlaceholderForm = { single: (word) => word, sequence: (word) => `${word}: ${word}` };
const VAR_FIELD: PlaceholderForm = { single: (word) => word, sequence: (word) => `var ${word};` };
const VALUE_FIELD: PlaceholderForm = { single: (word) => word, sequence: (word) => `val ${word}: ${word}` };
const CASE_LABEL: PlaceholderForm = { single: (word) => word, sequence: (word) => `case ${word}:` };
const ARM: PlaceholderForm = { single: (word) => word, sequence: (word) => `${word} => ${word}` };
const SIGIL: PlaceholderForm = { single: (word) => `$${word}`, sequence: (word) => `$${word}` };
const USE: PlaceholderForm = { single: (word) => word, sequence: (word) => `use ${word};` };
const SIGIL_USE: PlaceholderForm = { single: (word) => `$${word}`, sequence: (word) => `use ${word};` };
const CAPITAL: PlaceholderForm = { single: capital, sequence: capital };

const STATEMENT = 'a statement';
const EXPRESSION = 'an expression';
const MEMBER = 'a class member';
const TOP = 'the top level';
const TYPE = 'a type';
const CASE = 'a case';
const CLAUSE = 'a clause';

/** Only members have these, though parsers allow them for variables, too. */
const MEMBER_WORDS = /^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:public|private|protected|internal|static|abstract)\b/;

const NO_CHAIN: ReadonlySet<string> = new Set();

function rules(scaffolds: readonly Scaffold[], forms: readonly PlaceholderForm[] = [WORD]): PatternRules {
  return { scaffolds, forms, chain: NO_CHAIN };
}

/** The fragment on lines of its own, so that a comment at its end ends there. */
function around(place: string, before: string, after = ''): Scaffold {
  return { place, before: `${before}\n`, after: `\n${after}` };
}

/** Statements in a body in which nothing is a member. */
function statements(before: string, after: string): Scaffold[] {
  return ended(STATEMENT, before, after).map((scaffold) => ({ ...scaffold, unless: MEMBER_WORDS }));
}

/** The same in two steps: as it is, and with what ends it. */
function ended(place: string, before: string, after = ''): Scaffold[] {
  return [around(place, before, after), { ...around(place, before, after), terminator: ';' }];
}

const ECMASCRIPT = rules(
  [
    around(STATEMENT, 'function f() {', '}'),
    around(EXPRESSION, '(', ')'),
    around(CLAUSE, 'try {}'),
    around(CLAUSE, 'if (x) {}'),
    around(MEMBER, 'class C {', '}'),
    around(TOP, ''),
    around(CASE, 'switch (x) {', '}'),
  ],
  [WORD, CASE_LABEL],
);

const TYPESCRIPT = rules(
  [...ECMASCRIPT.scaffolds, around(TYPE, 'type T =', ';'), around('an interface member', 'interface I {', '}')],
  ECMASCRIPT.forms,
);

const C = rules(
  [
    ...ended(STATEMENT, 'void f() {', '}'),
    around(EXPRESSION, 'int v =', ';'),
    ...ended('a member', 'struct S {', '};'),
    ...ended(TOP, ''),
    around(CASE, 'void f() { switch (x) {', '} }'),
  ],
  [WORD, TYPED, FIELD, CASE_LABEL],
);

const RULES: Readonly<Record<Language, PatternRules>> = {
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: ECMASCRIPT,
  python: rules([
    around(STATEMENT, ''),
    around(EXPRESSION, '(', ')'),
    around(CLAUSE, 'try:\n  pass'),
    around(CLAUSE, 'if x:\n  pass'),
  ]),
  go: rules(
    [
      around(STATEMENT, 'package p\nfunc f() {', '}'),
      { place: EXPRESSION, before: 'package p\nvar v = ', after: '\n' },
      around('a field', 'package p\ntype T struct {', '}'),
      around('an interface member', 'package p\ntype T interface {', '}'),
      around(TOP, 'package p'),
      around(TOP, ''),
      { place: TYPE, before: 'package p\nvar v ', after: '\n' },
      around(CASE, 'package p\nfunc f() { switch x {', '} }'),
    ],
    [WORD, TYPED, CASE_LABEL],
  ),
  rust: rules(
    [
      ...ended(STATEMENT, 'fn f() {', '}'),
      around(EXPRESSION, 'fn f() { let v =', '; }'),
      around(MEMBER, 'impl T {', '}'),
      around('a field', 'struct S {', '}'),
      around(TOP, ''),
      { ...around(TOP, ''), terminator: ';' },
      { place: TYPE, before: 'type T =\n', after: '\n;' },
      around('a match arm', 'fn f() { match x {', '} }'),
      around('an attribute', '', 'fn f() {}'),
    ],
    [WORD, COLON, ARM, { single: (word) => word, sequence: (word) => `${word}! {}` }],
  ),
  java: rules(
    [
      ...statements('class C { void m() {', '} }'),
      around(EXPRESSION, 'class C { Object o =', '; }'),
      around(CLAUSE, 'class C { void m() { try {}', '} }'),
      ...ended(MEMBER, 'class C {', '}'),
      ...ended(TOP, ''),
      around(CASE, 'class C { void m() { switch (x) {', '} } }'),
      around('an annotation', '', 'class C {}'),
      around(TYPE, 'class C {', 'v; }'),
    ],
    [WORD, TYPED, FIELD, CASE_LABEL],
  ),
  c: C,
  cpp: rules([...C.scaffolds, ...ended(MEMBER, 'class C {', '};')], C.forms),
  csharp: rules(
    [
      ...statements('class C { void M() {', '} }'),
      around(EXPRESSION, 'class C { object o =', '; }'),
      around(CLAUSE, 'class C { void M() { try {}', '} }'),
      ...ended(MEMBER, 'class C {', '}'),
      ...ended(TOP, ''),
      around(CASE, 'class C { void M() { switch (x) {', '} } }'),
      around('an attribute', '', 'class C {}'),
      around(TYPE, 'class C {', 'v; }'),
    ],
    [WORD, TYPED, FIELD, CASE_LABEL],
  ),
  ruby: rules(
    [
      around(STATEMENT, 'def f', 'end'),
      around(EXPRESSION, 'v = (', ')'),
      around(MEMBER, 'class C', 'end'),
      around(TOP, ''),
    ],
    [WORD, CAPITAL],
  ),
  php: rules(
    [
      ...ended(STATEMENT, '<?php'),
      around(EXPRESSION, '<?php\n$v =', ';'),
      ...ended(MEMBER, '<?php\nclass C {', '}'),
      around(TOP, ''),
      around(CASE, '<?php\nswitch ($x) {', '}'),
    ],
    [SIGIL, WORD, SIGIL_USE, USE, CASE_LABEL],
  ),
  kotlin: rules(
    [
      around(STATEMENT, 'fun f() {', '}'),
      { place: EXPRESSION, before: 'val v = (', after: ')\n' },
      around(MEMBER, 'class C {', '}'),
      around(TOP, ''),
    ],
    [WORD, COLON, VALUE_FIELD],
  ),
  swift: rules(
    [
      around(STATEMENT, 'func f() {', '}'),
      { place: EXPRESSION, before: 'let v = (', after: ')\n' },
      around(MEMBER, 'class C {', '}'),
      around(TOP, ''),
      around(CASE, 'switch x {', '}'),
    ],
    [WORD, COLON, { single: (word) => word, sequence: (word) => `var ${word}: ${word}` }],
  ),
  dart: {
    scaffolds: [
      ...statements('void f() {', '}'),
      around(EXPRESSION, 'var v =', ';'),
      ...ended(MEMBER, 'class C {', '}'),
      ...ended(TOP, ''),
      around(CASE, 'void f() { switch (x) {', '} }'),
    ],
    forms: [WORD, VAR_FIELD, CASE_LABEL],
    chain: new Set(['selector', 'cascade_section']),
  },
  scala: rules(
    [
      around(STATEMENT, 'object O { def f = {', '} }'),
      { place: EXPRESSION, before: 'object O { val v = (', after: ') }\n' },
      around(MEMBER, 'class C {', '}'),
      around(TOP, ''),
    ],
    [WORD, COLON, VALUE_FIELD],
  ),
  lua: rules([around(STATEMENT, ''), around(EXPRESSION, 'local v ='), around('a field', 'local v = {', '}')]),
  bash: rules([around(STATEMENT, ''), around(CASE, 'case x in', 'esac')]),
};

/** How fragments of a language are read. */
export function patternRules(language: Language): PatternRules {
  return RULES[language];
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
