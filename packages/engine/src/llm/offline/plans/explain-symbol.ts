import { askGraph, grep, read, readAll } from '../ask.ts';
import { blockEnd, commentStart, docComment } from '../code/blocks.ts';
import { definitionOn } from '../code/definitions.ts';
import { fileKind } from '../code/file-kind.ts';
import { mentions } from '../code/occurrences.ts';
import { escapePattern } from '../code/search-pattern.ts';
import { splitWords } from '../code/words.ts';
import type { Subject } from '../grammar/subject.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, clip, code, count, excerpt, paragraphs, place, visible } from '../render.ts';
import type { Hit } from '../results/grep-result.ts';
import { find } from './find.ts';
import { definedLine, sectionOf, sectionText, sources, whichSymbol } from './graph-text.ts';

const EXCERPT_LINES = 30;

interface Defined extends Hit {
  kind: string;
  exported: boolean;
  /** True for a line that certainly defines the name; false where it only looks like it. */
  certain: boolean;
}

/** What does SYMBOL do: as the code graph has it, else its definition, its comment, and how often the text mentions it. */
export function* explainSymbol(name: string, owner: string | undefined, tools: ToolSet): Plan {
  return (
    (yield* explainInGraph(owner ? `${owner}.${name}` : name, tools)) ?? (yield* explainByText(name, owner, tools))
  );
}

/** Signature, comment, code, callers, callees and tests; undefined where the graph knows nothing of that name. */
function* explainInGraph(name: string, tools: ToolSet): Plan<string | undefined> {
  const result = yield* askGraph({ symbol: name }, tools);
  if (result?.status === 'ambiguous') return whichSymbol(name, result, (example) => `explain ${example}`);
  const { path, line, endLine } = result ?? {};
  if (!result || path === undefined || line === undefined) return undefined;
  const last = Math.min(endLine ?? line, line + EXCERPT_LINES - 1);
  const text = yield* read({ path, offset: line, limit: last - line + 1 });
  const rest = last < (endLine ?? line) ? `\`show ${path} lines ${line}-${endLine}\` shows all of it.` : undefined;
  return paragraphs(
    definedLine(name, result),
    result.doc ? `> ${visible(clip(result.doc, 400))}` : 'It has no comment.',
    text.failure === undefined ? excerpt(text.lines, line, last, path) : undefined,
    rest,
    sectionText('Called', sectionOf(result, /^Called by/)) ?? 'Nothing here calls it, as far as the graph sees.',
    sectionText('It calls', sectionOf(result, /^Calls/)),
    sectionText('Extended or implemented by', sectionOf(result, /^Extended or implemented by/)),
    sectionText('Tests that reach it', sectionOf(result, /^Tests that reach it/)) ?? 'No test reaches it.',
    `${sources(result)} \`who uses ${name}\`, \`impact of ${name}\` tell more; I do not judge what the code does.`,
  );
}

function* explainByText(name: string, owner: string | undefined, tools: ToolSet): Plan {
  const search = yield* grep(wholeWord(name));
  if (search.failure !== undefined) return `The search did not work: ${search.failure}`;
  const hits = search.hits.filter((hit) => mentions(hit.text, name));
  const defined = definitionsOf(hits, name, owner);
  const best = defined[0];
  if (!best) return yield* withoutDefinition(name, hits, tools);
  const [result] = yield* readAll([{ path: best.path, offset: Math.max(1, best.line - 30), limit: 80 }]);
  const lines = result!.failure === undefined ? result!.lines : new Map<number, string>();
  const doc = docComment(lines, best.line, best.path)
    .split(/\s@\w+|```/)[0]!
    .trim();
  const from = Math.max(commentStart(lines, best.line, best.path), best.line - 8);
  const uses = hits.filter(
    (hit) => !(hit.path === best.path && hit.line === best.line) && !defined.includes(hit as Defined),
  );
  const files = new Set(uses.map((hit) => hit.path)).size;
  const others = defined.slice(1).map((each) => `${place(each.path, each.line)} ${code(each.text.trim())}`);
  return paragraphs(
    `${code(name)} is ${article(best.kind)}, ${best.certain ? 'defined' : 'probably defined'} at ${place(best.path, best.line)}.`,
    doc ? `> ${visible(clip(doc, 400))}` : 'It has no comment.',
    lines.size > 0 ? excerpt(lines, from, blockEnd(lines, best.line, best.path, EXCERPT_LINES), best.path) : undefined,
    others.length > 0 ? `Other definitions of that name:\n${bullets(others, 5)}` : undefined,
    uses.length > 0
      ? `Mentioned ${count(uses.length, 'more time')}${search.cut ? ' or more' : ''}, in ${count(files, 'file')}; \`who uses ${name}\` lists them.`
      : 'Nothing else mentions it.',
    'Found by text search; the excerpt is the code itself, I do not judge what it does.',
  );
}

function* withoutDefinition(name: string, hits: readonly Hit[], tools: ToolSet): Plan {
  const subject: Subject = { phrases: [], names: [name], words: [], wants: 'any' };
  if (hits.length === 0) {
    const words = splitWords(name);
    return yield* find(words.length > 0 ? subject : { ...subject, names: [], phrases: [name] }, tools, {});
  }
  return yield* find(subject, tools, {
    lead: `I found no definition of ${code(name)} here, only places that mention it.`,
  });
}

/** A search for a name as a whole word; names that `\b` cannot hold are searched as they stand. */
export function wholeWord(name: string): { pattern: string; literal?: true } {
  return /^\w+$/.test(name) ? { pattern: `\\b${escapePattern(name)}\\b` } : { pattern: name, literal: true };
}

/** The lines that define a name, the likeliest first. */
export function definitionsOf(hits: readonly Hit[], name: string, owner?: string): Defined[] {
  const found: (Defined & { weight: number })[] = [];
  for (const hit of hits) {
    const definition = definitionOn(hit.text, hit.path);
    const certain = definition?.name === name || definition?.name.split(/[.:]+/).at(-1) === name;
    const assigned =
      !definition &&
      new RegExp(`^\\s*(?:(?:this|self)\\.)?["']?${escapePattern(name)}["']?\\s*[:=](?![=:])`).test(hit.text);
    if (!certain && !assigned) continue;
    const kind = fileKind(hit.path);
    let weight = kind === 'source' ? 4 : kind === 'test' ? 1 : kind === 'generated' ? 0 : 2;
    if (certain) weight += 4;
    if (definition?.exported) weight += 2;
    if (/^(?:const|let|var|key|heading|method)$/.test(definition?.kind ?? 'key'))
      weight -= /^\s/.test(hit.text) ? 2 : 0.5;
    if (
      owner &&
      (hit.path.toLowerCase().includes(owner.toLowerCase()) ||
        hits.some((each) => each.path === hit.path && mentions(each.text, owner)))
    )
      weight += 5;
    found.push({ ...hit, kind: definition?.kind ?? 'value', exported: definition?.exported ?? false, certain, weight });
  }
  return found.sort((a, b) => b.weight - a.weight).map(({ weight: _, ...each }) => each);
}

const KIND_WORDS: Record<string, string> = {
  def: 'function',
  fn: 'function',
  func: 'function',
  fun: 'function',
  const: 'constant',
  let: 'variable',
  var: 'variable',
  defp: 'private function',
  mod: 'module',
  '': 'definition',
};

function article(kind: string): string {
  const word = Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind]! : kind;
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
