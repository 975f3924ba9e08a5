import type { Node, Parser, Tree } from 'web-tree-sitter';
import type { Language } from '../parsing/language.ts';
import {
  type EncodedPattern,
  encodePattern,
  type FoundMetavariable,
  findMetavariables,
  type PlaceholderForm,
} from './metavariables.ts';
import type { PatternNode, StructuralPattern } from './pattern.ts';
import { NAME_NODE, reservedWords } from './reserved-words.ts';
import { type PatternRules, patternRules, type Scaffold } from './scaffolds.ts';
import { syntaxProblem } from './syntax-problem.ts';

export type CompiledPattern =
  | { ok: true; pattern: StructuralPattern }
  /** It is no code of the language, wherever it stands. */
  | { ok: false; reason: string };

/** Longer patterns are no patterns. */
const MAX_LENGTH = 10_000;
/** Ways of writing the metavariables of one pattern that are tried. */
const MAX_VARIANTS = 64;

/** The nodes of a scaffold that are the fragment. */
interface Located {
  nodes: readonly Node[];
  /** What stands from here on belongs to the scaffold. */
  end: number;
}

/**
 * Reads a pattern with the grammar of a language. A fragment must live somewhere, so it is tried on a ladder of scaffolds;
 * the first in which it is whole, and the parse clean, counts (INT-25).
 */
export function compilePattern(parser: Parser, language: Language, source: string): CompiledPattern {
  const fragment = source.trim();
  if (fragment === '') return { ok: false, reason: 'it is empty' };
  if (fragment.length > MAX_LENGTH) return { ok: false, reason: `it is longer than ${MAX_LENGTH} characters` };
  const rules = patternRules(language);
  const variants = variantsOf(fragment, findMetavariables(fragment), rules.forms);
  const reserved = reservedWords(language);
  for (const scaffold of rules.scaffolds) {
    if (scaffold.unless?.test(fragment)) continue;
    for (const encoded of variants) {
      const nodes = tryScaffold(parser, scaffold, encoded, reserved);
      if (nodes) return finish(parser, language, source, scaffold.place, nodes, rules);
    }
  }
  return { ok: false, reason: reasonOf(parser, rules, variants[0]!) };
}

/** The ways in which the metavariables of a pattern can be written; only sequences differ from place to place. */
function variantsOf(
  fragment: string,
  found: readonly FoundMetavariable[],
  forms: readonly PlaceholderForm[],
): EncodedPattern[] {
  const sequences = found.flatMap(({ isSequence }, index) => (isSequence ? [index] : []));
  const count = Math.min(forms.length ** Math.max(1, sequences.length), MAX_VARIANTS);
  const variants = new Map<string, EncodedPattern>();
  const add = (formOf: (index: number) => PlaceholderForm): void => {
    const encoded = encodePattern(fragment, found, formOf);
    if (!variants.has(encoded.code)) variants.set(encoded.code, encoded);
  };
  for (const form of forms) add(() => form);
  for (let variant = 0; variant < count; variant += 1) {
    const chosen = new Map(
      sequences.map((index, place) => [index, forms[Math.floor(variant / forms.length ** place) % forms.length]!]),
    );
    add((index) => chosen.get(index) ?? forms[0]!);
  }
  return [...variants.values()];
}

function tryScaffold(
  parser: Parser,
  scaffold: Scaffold,
  encoded: EncodedPattern,
  reserved: ReadonlySet<string>,
): PatternNode[] | undefined {
  const { before, after, terminator = '' } = scaffold;
  const code = before + encoded.code + (terminator ? `\n${terminator}` : '') + after;
  const tree = parser.parse(code);
  if (!tree) return undefined;
  try {
    if (tree.rootNode.hasError) return undefined;
    const start = before.length;
    const located = locate(tree, code, start, start + encoded.code.length, terminator.length);
    if (located?.nodes.some((node) => hasReservedName(node, reserved))) return undefined;
    return located?.nodes.map((node) => convert(node, code, located.end, encoded));
  } finally {
    tree.delete();
  }
}

/** The node, or the run of siblings, that is the fragment and nothing else. */
function locate(tree: Tree, code: string, start: number, end: number, terminator: number): Located | undefined {
  const node = tree.rootNode.descendantForIndex(start, end);
  if (!node) return undefined;
  // Some nodes hold the end of their line.
  if (node.startIndex === start && code.slice(end, node.endIndex).trim() === '') return exactly(node, end);
  const isEnded = terminator > 0 && node.startIndex === start && node.endIndex === end + 1 + terminator;
  const children = node.children.filter((child) => child.startIndex >= start && child.endIndex <= end);
  const isRun = children.length > 0 && children[0]!.startIndex === start && children.at(-1)!.endIndex === end;
  // The expression of a statement also stands elsewhere; a declaration is only one with its end.
  if (isEnded && !(isRun && node.type === 'expression_statement')) return { nodes: [node], end };
  const nodes = children.filter((child) => !child.isExtra);
  // What begins with an operator goes on with something that is not there.
  return isRun && nodes[0]?.isNamed ? { nodes, end } : undefined;
}

function exactly(node: Node, end: number): Located | undefined {
  const { parent } = node;
  const isWhole = parent?.startIndex === node.startIndex && parent.endIndex === node.endIndex;
  const named = !node.isNamed && isWhole ? parent : node;
  return named.isExtra ? undefined : { nodes: [named], end };
}

/** `throw` alone parses as a variable of that name. */
function hasReservedName(node: Node, reserved: ReadonlySet<string>): boolean {
  if (NAME_NODE.test(node.type) && reserved.has(node.text)) return true;
  return node.children.some((child) => hasReservedName(child, reserved));
}

function convert(node: Node, code: string, end: number, encoded: EncodedPattern): PatternNode {
  const text = code.slice(node.startIndex, Math.min(node.endIndex, end));
  const metavariable = encoded.placeholders.get(text.trimEnd());
  if (metavariable) return { type: 'metavariable', ...metavariable };
  const children = node.children.filter((child) => !child.isMissing && !child.isExtra && child.startIndex < end);
  if (children.length === 0 || hasTextBetween(node, children, code, end)) {
    return { type: 'token', kind: node.typeId, isNamed: node.isNamed, text: encoded.decode(text) };
  }
  return {
    type: 'tree',
    kind: node.typeId,
    name: node.type,
    children: children.map((child) => convert(child, code, end, encoded)),
  };
}

/** Some grammars have no node for the content of a string. */
function hasTextBetween(node: Node, children: readonly Node[], code: string, end: number): boolean {
  if (children.some((child) => child.isNamed)) return false;
  let at = node.startIndex;
  for (const { startIndex, endIndex } of children) {
    if (code.slice(at, startIndex).trim() !== '') return true;
    at = endIndex;
  }
  return code.slice(at, Math.min(node.endIndex, end)).trim() !== '';
}

function finish(
  parser: Parser,
  language: Language,
  source: string,
  place: string,
  nodes: readonly PatternNode[],
  { chain }: PatternRules,
): CompiledPattern {
  if (nodes.every((node) => node.type === 'metavariable')) {
    return { ok: false, reason: 'it stands for any code: write what is around the metavariable too' };
  }
  const found = findMetavariables(source);
  const clash = found.find((one) =>
    found.some(({ name, isSequence }) => name === one.name && isSequence !== one.isSequence),
  );
  if (clash?.name !== undefined) {
    return { ok: false, reason: `$${clash.name} stands for one node and for several: give one of them another name` };
  }
  const grammar = parser.language!;
  const kinds = new Set<number>();
  for (let kind = 0; chain.size > 0 && kind < grammar.nodeTypeCount; kind += 1) {
    if (chain.has(grammar.nodeTypeForId(kind) ?? '')) kinds.add(kind);
  }
  const names = new Set(found.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const literals = literalsOf(nodes, language);
  const name = nameWithNeighbours(nodes);
  return { ok: true, pattern: { language, source: source.trim(), place, nodes, names, literals, name, chain: kinds } };
}

/**
 * The longest name of a pattern as a text has it: a whole word, with the `.` before it and the `(` behind it that the pattern
 * has there; spaces, ends of lines and comments may come between.
 */
function nameWithNeighbours(nodes: readonly PatternNode[]): RegExp | undefined {
  const leaves = nodes.flatMap(leavesOf);
  let longest = -1;
  for (const [index, leaf] of leaves.entries()) {
    const isName = leaf.type === 'token' && leaf.isNamed && /^[A-Za-z_]\w*$/.test(leaf.text);
    if (isName && leaf.text.length > lengthOf(leaves[longest])) longest = index;
  }
  const leaf = leaves[longest];
  if (leaf?.type !== 'token') return undefined;
  const [before, after] = [leaves[longest - 1], leaves[longest + 1]];
  const isMember = before?.type === 'token' && before.text === '.';
  const isCalled = after?.type === 'token' && after.text === '(';
  return new RegExp(`${isMember ? '(?<=[.\\n/][ \\t]*)' : ''}\\b${leaf.text}\\b${isCalled ? '(?=\\s*[(/#-])' : ''}`);
}

function leavesOf(node: PatternNode): PatternNode[] {
  return node.type === 'tree' ? node.children.flatMap(leavesOf) : [node];
}

function lengthOf(node: PatternNode | undefined): number {
  return node?.type === 'token' ? node.text.length : 0;
}

/** Words that stand in each match. Keywords of PHP may be written in capitals, and tokens of several words with any space. */
function literalsOf(nodes: readonly PatternNode[], language: Language): string[] {
  const words = new Set<string>();
  const visit = (node: PatternNode): void => {
    if (node.type === 'tree') node.children.forEach(visit);
    if (node.type !== 'token' || /[^!-~]/.test(node.text)) return;
    if (node.isNamed || (node.text.length > 1 && language !== 'php')) words.add(node.text);
  };
  nodes.forEach(visit);
  return [...words].sort((one, other) => other.length - one.length);
}

function reasonOf(parser: Parser, { scaffolds }: PatternRules, { code, decode }: EncodedPattern): string {
  const places = [...new Set(scaffolds.map(({ place }) => place))];
  const tried = `it was tried as ${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
  const [first] = scaffolds;
  const tree = parser.parse(first!.before + code + first!.after);
  if (!tree) return tried;
  try {
    const { length } = first!.before;
    const problem = syntaxProblem(tree.rootNode, length, length + code.length);
    if (!problem) return `it is no piece of code by itself; ${tried}`;
    const { what, index } = problem;
    const at = Math.min(Math.max(index - length, 0), code.length);
    const lines = decode(code.slice(0, at)).split('\n');
    const where = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    return `${decode(what)} at ${where}; ${tried}`;
  } finally {
    tree.delete();
  }
}
