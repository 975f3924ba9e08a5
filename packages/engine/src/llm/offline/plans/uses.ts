import { grep } from '../ask.ts';
import { isComment, isImport } from '../code/definitions.ts';
import { fileKind, looksLikePath, stemOf } from '../code/file-kind.ts';
import { mentions } from '../code/occurrences.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, count, paragraphs, place } from '../render.ts';
import { byFile, type Hit } from '../results/grep-result.ts';
import { definitionsOf, wholeWord } from './explain-symbol.ts';

const MOST_FILES = 12;
const MOST_LINES = 4;

/** Who uses X: the name as a whole word, its definition apart from its uses, by file. */
export function* uses(symbol: string, _tools: ToolSet): Plan {
  const asFile = looksLikePath(symbol) && /[/.]/.test(symbol);
  const name = asFile ? stemOf(symbol) : (symbol.split(/\.|::|#|->/).at(-1) ?? symbol);
  const search = yield* grep(wholeWord(name));
  if (search.failure !== undefined) return `The search did not work: ${search.failure}`;
  const all = search.hits.filter((hit) => mentions(hit.text, name) && !(asFile && hit.path.endsWith(symbol)));
  const hits = asFile ? all.filter((hit) => isImport(hit.text) || /['"/]/.test(hit.text)) : all;
  if (hits.length === 0) return yield* noUses(symbol, name);
  const defined = asFile ? [] : definitionsOf(hits, name).filter((each) => each.certain);
  const isDefinition = (hit: Hit) => defined.some((each) => each.path === hit.path && each.line === hit.line);
  const used = hits.filter((hit) => !isDefinition(hit));
  const code_ = used.filter((hit) => /source|generated/.test(fileKind(hit.path)) && !isComment(hit.text, hit.path));
  const tests = used.filter((hit) => fileKind(hit.path) === 'test');
  const words = used.filter((hit) => !code_.includes(hit) && !tests.includes(hit));
  const owner =
    name !== symbol && !asFile
      ? ` I searched for ${code(name)}; whose ${code(name)} it is, a text search cannot tell.`
      : '';
  return paragraphs(
    `${code(symbol)} is ${asFile ? 'named' : 'used'} in ${count(code_.length, 'place')} of code${tests.length > 0 ? ` and ${count(tests.length, 'place')} of tests` : ''}${search.cut ? ', or more: not all hits are shown' : ''}.`,
    defined.length > 0
      ? `Defined:\n${defined
          .slice(0, 5)
          .map((each) => `- ${line(each)}`)
          .join('\n')}`
      : undefined,
    group(asFile ? 'Named in' : 'Used', code_),
    group('In tests', tests),
    group('In comments, documents and data', words),
    `Found by text search for the whole word: another thing of the same name would be listed too.${owner}`,
  );
}

function* noUses(symbol: string, name: string): Plan {
  const loose = yield* grep({ pattern: name, literal: true, ignore_case: true });
  const hits = loose.failure === undefined ? loose.hits : [];
  const nothing = `Nothing here mentions ${code(symbol)} as a whole word. Ignored files were not searched.`;
  return hits.length === 0 ? nothing : paragraphs(nothing, group('Other spellings, or parts of longer words', hits));
}

function group(title: string, hits: readonly Hit[]): string | undefined {
  if (hits.length === 0) return undefined;
  const files = [...byFile(hits)].sort(
    ([, a], [, b]) => Number(isImport(a[0]!.text)) - Number(isImport(b[0]!.text)) || b.length - a.length,
  );
  const rows: string[] = [];
  for (const [, inFile] of files.slice(0, MOST_FILES)) {
    const telling = [...inFile].sort((a, b) => Number(isImport(a.text)) - Number(isImport(b.text)) || a.line - b.line);
    for (const hit of telling.slice(0, MOST_LINES)) rows.push(`- ${line(hit)}`);
    if (inFile.length > MOST_LINES) rows.push(`- … and ${inFile.length - MOST_LINES} more in ${code(inFile[0]!.path)}`);
  }
  if (files.length > MOST_FILES) rows.push(`- … and ${count(files.length - MOST_FILES, 'more file')}`);
  return `${title}:\n${rows.join('\n')}`;
}

function line(hit: Hit): string {
  return `${place(hit.path, hit.line)} ${code(hit.text.trim())}`;
}
