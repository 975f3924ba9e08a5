import { type Answered, type GrepQuery, grep, read, readAll, reason } from '../ask.ts';
import { mentions, replaceWhole } from '../code/occurrences.ts';
import { escapePattern } from '../code/search-pattern.ts';
import type { Request } from '../grammar/request.ts';
import type { Call, Outcome, Plan, ToolSet } from '../plan.ts';
import { bullets, code, count, paragraphs, place } from '../render.ts';
import { byFile, type GrepResult, type Hit } from '../results/grep-result.ts';
import type { ReadResult } from '../results/read-result.ts';
import { locate, notThere, whichOne } from './locate.ts';
import { type FilePlan, planReplacement, uniqueEdits } from './replacement-edits.ts';

type Replacement = Extract<Request, { kind: 'replace' }>;

/** Files edited in one turn, and in all. */
const BATCH = 20;
const MOST_FILES = 100;
/** Searches that follow one another to find every file, where the hits do not fit into one result. */
const MOST_SEARCHES = 10;
const MOST_PAGES = 10;

/** What stands at the end of a line that was read in part only. */
const CUT_LINE = /\[line cut, \d+ characters\]$/;
const ALIKE = 'its lines are too much alike to change only the whole words';

/** What became of a file. */
interface Done {
  path: string;
  places: number;
  /** Why it was left as it was, or only changed in part. */
  trouble?: string;
}

/** Replace A with B: finds the places, edits file by file through the gate, looks again, reports. */
export function* replaceText(asked: Replacement, tools: ToolSet): Plan {
  const request = yield* decidePlace(asked, tools);
  if (typeof request === 'string') return request;
  const { from, to } = request;
  const scope = yield* resolveScope(request, tools);
  if ('answer' in scope) return scope.answer;
  const { path, search } = scope;
  const { inside } = planReplacement(byFile(search.hits), from, to);
  // Parts of longer words would crowd out the rest of a search that shows only some of its hits.
  const again = search.cut ? wholeQuery(from, path) : query(from, path);
  const found: Answered<GrepResult> = search.cut ? yield* everyFile(again) : { ...search, failure: undefined };
  if (found.failure !== undefined) return `The search did not work: ${found.failure}`;
  const { files } = planReplacement(byFile(found.hits), from, to, !search.cut);
  if (files.length === 0) return yield* nothingToReplace(request, path, inside);
  if (!tools.has('edit_file')) return withoutEditing(request, files, found.cut);
  const many = Math.max(files.length, found.files ?? 0);
  if (many > MOST_FILES || found.cut) {
    return `Nothing changed: ${code(from)} is in ${count(many, 'file')}${found.cut ? ' or more' : ''}: too many to change at once. Name a folder: \`replace … in src/\`.`;
  }
  const done = yield* editAll(files, request);
  const looked = yield* grep(again);
  const alone = inside.map((hit) =>
    changed(hit.path, done) ? { ...hit, text: replaceWhole(hit.text, from, to) } : hit,
  );
  const untried = files.length - done.length;
  return paragraphs(
    report(request, done, alone, looked.failure === undefined ? remaining(looked, done, from, to) : []),
    untried > 0 ? `It stopped there: ${count(untried, 'more file')} of ${files.length} were not tried.` : undefined,
    looked.failure !== undefined ? `I could not look whether anything is left: ${looked.failure}` : undefined,
    request.rename && path !== undefined ? yield* keptElsewhere(from, path) : undefined,
  );
}

/**
 * Searches until each file with a hit was seen, leaving out those that were: an edit has to know beforehand how far it
 * goes. `cut` where there are too many.
 */
function* everyFile(asked: GrepQuery): Plan<Answered<GrepResult>> {
  const hits: Hit[] = [];
  let files = 0;
  for (let searches = 0; searches < MOST_SEARCHES; searches++) {
    const seen = [...new Set(hits.map((hit) => hit.path))];
    const page = yield* grep({ ...asked, ...(seen.length > 0 ? { glob: allBut(seen) } : {}) });
    if (page.failure !== undefined) return page;
    const fresh = page.hits.filter((hit) => !seen.includes(hit.path));
    hits.push(...fresh);
    const shown = new Set(hits.map((hit) => hit.path)).size;
    files = Math.max(files, shown, seen.length + (page.files ?? 0));
    const known = page.files !== undefined && !page.atLeast && shown === files;
    if (!page.cut || known) return { hits, cut: false, total: hits.length, failure: undefined };
    if (files > MOST_FILES || fresh.length === 0) break;
  }
  return { hits, cut: true, total: hits.length, files, failure: undefined };
}

/** A glob for every file but these. What is special in a glob stands in brackets, or as `?` where that is not enough. */
function allBut(paths: readonly string[]): string {
  const escaped = paths.map((path) =>
    path.replace(/[*?{},[\]\\]/g, (char) => (/[\]\\]/.test(char) ? '?' : `[${char}]`)),
  );
  return escaped.length === 1 ? `!/${escaped[0]}` : `!/{${escaped.join(',')}}`;
}

/** A rename in one place leaves the old name in the others. */
function* keptElsewhere(name: string, path: string): Plan<string | undefined> {
  const search = yield* grep(wholeQuery(name, undefined));
  if (search.failure !== undefined) return undefined;
  const others = search.hits.filter(
    (hit) => hit.path !== path && !hit.path.startsWith(`${path}/`) && mentions(hit.text, name),
  );
  if (others.length === 0) return undefined;
  const more = search.cut ? ' or more' : '';
  return paragraphs(
    `${count(others.length, 'other line')}${more} outside ${code(path)} ${others.length === 1 ? 'keeps' : 'keep'} the old name ${code(name)}:`,
    bullets(others.map(oneLine), 8),
  );
}

function changed(path: string, done: readonly Done[]): boolean {
  return done.some((each) => each.path === path && !each.trouble);
}

/** Edits in turns of some files each; what stopped each file of a turn would stop the others too. */
function* editAll(files: readonly FilePlan[], request: Replacement): Plan<Done[]> {
  const done: Done[] = [];
  for (let at = 0; at < files.length; at += BATCH) {
    const turn = yield* editFiles(files.slice(at, at + BATCH), request);
    done.push(...turn);
    if (turn.every((each) => each.places === 0)) break;
  }
  return done;
}

/** `… with headline in docs`: a place where there is one of that name; otherwise nothing is done on a guess. */
function* decidePlace(asked: Replacement, tools: ToolSet): Plan<Replacement | string> {
  const { perhaps } = asked;
  if (!perhaps) return asked;
  const found = yield* locate(perhaps.place, tools);
  if (found.length === 1) return { ...asked, to: perhaps.to, place: found[0]! };
  const why =
    found.length === 0
      ? `There is no file or folder ${code(perhaps.place)} here`
      : `${code(perhaps.place)} is the name of ${count(found.length, 'file or folder', 'files and folders')}`;
  return `Nothing changed: ${why}, and ${code(asked.to)} may be the new text itself. Put the new text in quotes, and name a place with its folder.`;
}

type Scope = { path: string | undefined; search: GrepResult } | { answer: string };

/** Searches in the named place, or in what the name may mean. */
function* resolveScope({ from, place: named }: Replacement, tools: ToolSet): Plan<Scope> {
  const path = named?.replace(/(?<=.)\/+$/, '');
  const search = yield* grep(query(from, path));
  if (search.failure === undefined && (search.hits.length > 0 || path === undefined)) return { path, search };
  if (path === undefined) return { answer: `The search did not work: ${search.failure}` };
  if (search.failure !== undefined && /^refused\b/i.test(search.failure))
    return { answer: `I could not search in ${code(path)}: ${search.failure}` };
  const found = (yield* locate(path, tools)).map((each) => each.replace(/\/$/, ''));
  if (found.length === 0) return { answer: notThere(path) };
  if (found.includes(path))
    return search.failure === undefined
      ? { path, search }
      : { answer: `I could not search in ${code(path)}: ${search.failure}` };
  if (found.length > 1) return { answer: whichOne(path, found) };
  const again = yield* grep(query(from, found[0]));
  return again.failure === undefined
    ? { path: found[0], search: again }
    : { answer: `I could not search in ${code(found[0]!)}: ${again.failure}` };
}

function query(from: string, path: string | undefined) {
  return { pattern: from, literal: true as const, ...(path ? { path } : {}) };
}

function wholeQuery(from: string, path: string | undefined) {
  if (!/^\w/.test(from) || !/\w$/.test(from)) return query(from, path);
  return { pattern: `\\b${escapePattern(from)}\\b`, ...(path ? { path } : {}) };
}

function* nothingToReplace({ from }: Replacement, path: string | undefined, inside: readonly Hit[]): Plan {
  const where = path ? ` in ${code(path)}` : ' in this folder';
  if (inside.length > 0) {
    return paragraphs(
      `Nothing changed: ${code(from)} is only part of longer words${where}, which I leave alone.`,
      bullets(inside.map(oneLine), 8),
      'Name the longer word to change it.',
    );
  }
  const loose = yield* grep({ ...query(from, path), ignore_case: true });
  const hits = loose.failure === undefined ? loose.hits : [];
  const nothing = `Nothing changed: there is no ${code(from)}${where}. Ignored files were not searched.`;
  if (hits.length === 0) return nothing;
  return paragraphs(nothing, `It is there in other capitals; write it as it stands:\n${bullets(hits.map(oneLine), 8)}`);
}

function withoutEditing({ from, to }: Replacement, files: readonly FilePlan[], cut: boolean): string {
  const places = files.reduce((sum, file) => sum + file.places, 0);
  return paragraphs(
    `Nothing changed: I have no tool to edit files here. I would replace ${code(from)} with ${code(to)} in ${count(places, 'place')} of ${count(files.length, 'file')}${cut ? ' or more' : ''}:`,
    bullets(
      files.map((file) => `${place(file.path, file.targets[0]!.line)}, ${count(file.places, 'place')}`),
      20,
    ),
    'Ask again in Agent mode (`--mode agent`), in a folder that is trusted (`black trust`), to have it done.',
  );
}

/** Edits some files in one turn; a file's own edits are in one order. */
function* editFiles(files: readonly FilePlan[], request: Replacement): Plan<Done[]> {
  const mixed = files.filter((file) => !file.pure);
  const firstPages = mixed.length > 0 ? yield* readAll(mixed.map(({ path }) => ({ path }))) : [];
  const prepared: Prepared[] = [];
  for (const file of files) {
    if (file.pure) prepared.push({ file, calls: [wholeFile(file, request)] });
    else prepared.push(yield* partial(file, request, firstPages[mixed.indexOf(file)]!));
  }
  const calls = prepared.flatMap((each) => each.calls);
  const outcomes = calls.length > 0 ? yield calls : [];
  const done: Done[] = [];
  let at = 0;
  for (const { file, calls: own, trouble } of prepared) {
    const results = outcomes.slice(at, at + own.length);
    at += own.length;
    if (trouble) done.push({ path: file.path, places: 0, trouble });
    else if (results.some((outcome) => outcome.state === 'lost')) done.push(yield* afterInterruption(file, request));
    else done.push(yield* settle(file, results, request));
  }
  return done;
}

function wholeFile({ path }: FilePlan, { from, to }: Replacement): Call {
  return { name: 'edit_file', args: { path, old_string: from, new_string: to, replace_all: true } };
}

interface Prepared {
  file: FilePlan;
  calls: Call[];
  trouble?: string;
}

/** Edits for a file whose text has to be looked at: where the text also stands inside longer words, those stay. */
function* partial(file: FilePlan, request: Replacement, first: Answered<ReadResult>): Plan<Prepared> {
  const lines = yield* wholeText(file.path, first);
  if (typeof lines === 'string') return { file, calls: [], trouble: lines };
  const hits = [...lines].map(([line, text]) => ({ path: file.path, line, text }));
  const [seen] = planReplacement(new Map([[file.path, hits]]), request.from, request.to).files;
  if (!seen) return { file, calls: [], trouble: 'it no longer holds the text' };
  if (seen.targets.some(({ before }) => CUT_LINE.test(before)))
    return { file: seen, calls: [], trouble: 'one of its lines is too long to be read' };
  if (seen.pure) return { file: seen, calls: [wholeFile(seen, request)] };
  const edits = uniqueEdits(lines, request.from, request.to);
  if (!edits) return { file: seen, calls: [], trouble: ALIKE };
  return { file: seen, calls: edits.map((edit) => ({ name: 'edit_file', args: { path: file.path, ...edit } })) };
}

/** A file's lines, or why they cannot be had whole. */
function* wholeText(path: string, first: Answered<ReadResult>): Plan<Map<number, string> | string> {
  const lines = new Map<number, string>();
  let page = first;
  for (let pages = 1; ; pages++) {
    if (page.failure !== undefined) return page.failure;
    for (const [line, text] of page.lines) lines.set(line, text);
    if (page.next === undefined) return lines;
    if (pages === MOST_PAGES) return 'it is too long to be read whole';
    page = yield* read({ path, offset: page.next });
  }
}

/** An edit may fail because the file changed, or must be read before it is edited: then it is read and tried once more. */
function* settle(file: FilePlan, outcomes: readonly Outcome[], request: Replacement): Plan<Done> {
  const failed = outcomes.find((outcome) => outcome.state === 'failed');
  if (!failed) return { path: file.path, places: file.places };
  const places = outcomes.filter((outcome) => outcome.state === 'done').length;
  if (file.pure && /\b(?:read|changed)\b/i.test(failed.text) && !/^refused\b/i.test(failed.text)) {
    yield* read({ path: file.path });
    const [again] = yield [wholeFile(file, request)];
    if (again!.state === 'done') return { path: file.path, places: file.places };
  }
  return { path: file.path, places, trouble: reason(failed) };
}

/** After an interruption the file itself tells whether the edit happened: its lines are as before, or as they should be. */
function* afterInterruption(file: FilePlan, request: Replacement): Plan<Done> {
  const { path, targets } = file;
  const lines = yield* wholeText(path, yield* read({ path }));
  if (typeof lines === 'string')
    return { path, places: 0, trouble: `the edit was interrupted, and the file cannot be read now: ${lines}` };
  const pending = targets.filter((target) => lines.get(target.line) === target.before);
  const changed = targets.filter((target) => lines.get(target.line) === target.after);
  if (changed.length === targets.length) return { path, places: file.places };
  if (pending.length + changed.length < targets.length || (changed.length > 0 && file.pure)) {
    return {
      path,
      places: 0,
      trouble: 'the edit was interrupted and the file is not as it was; look at it before trying again',
    };
  }
  const edits = file.pure ? [] : uniqueEdits(lines, request.from, request.to);
  if (!edits) return { path, places: 0, trouble: ALIKE };
  const calls: Call[] = file.pure
    ? [wholeFile(file, request)]
    : edits.map((edit) => ({ name: 'edit_file', args: { path, ...edit } }));
  const outcomes = yield calls;
  const failed = outcomes.find((outcome) => outcome.state !== 'done');
  return failed ? { path, places: 0, trouble: reason(failed) } : { path, places: file.places };
}

/** Places that still hold the old text in files that nothing was wrong with. */
function remaining(search: GrepResult, done: readonly Done[], from: string, to: string): Hit[] {
  const handled = new Set(done.map((each) => each.path));
  // Where the new text holds the old one, finding it again says nothing.
  if (planReplacement(new Map([['', [{ path: '', line: 1, text: to }]]]), from, '').files.length > 0)
    return search.hits.filter((hit) => !handled.has(hit.path));
  const troubled = new Set(done.filter((each) => each.trouble).map((each) => each.path));
  return planReplacement(byFile(search.hits), from, to)
    .files.filter((file) => !troubled.has(file.path))
    .flatMap((file) => file.targets.map((target) => ({ path: file.path, line: target.line, text: target.before })));
}

function report(
  { from, to, rename }: Replacement,
  done: readonly Done[],
  inside: readonly Hit[],
  left: readonly Hit[],
): string {
  const changed = done.filter((each) => each.places > 0 && !each.trouble);
  const troubled = done.filter((each) => each.trouble);
  const places = changed.reduce((sum, each) => sum + each.places, 0);
  const head =
    changed.length > 0
      ? `Replaced ${code(from)} with ${code(to)} in ${count(places, 'place')} of ${count(changed.length, 'file')}.`
      : `Nothing changed: no file could be edited.`;
  return paragraphs(
    head,
    bullets(
      changed.map((each) => `${code(each.path)}: ${each.places}`),
      40,
    ),
    troubled.length > 0
      ? `Not changed${troubled.some((each) => each.places > 0) ? ', or only in part' : ''}:\n${bullets(
          troubled.map((each) => `${code(each.path)}: ${each.trouble}`),
          10,
        )}`
      : undefined,
    left.length > 0 ? `Still there:\n${bullets(left.map(oneLine), 8)}` : undefined,
    inside.length > 0
      ? `Left alone, because there it is part of a longer word:\n${bullets(inside.map(oneLine), 8)}`
      : undefined,
    `This replaced text${rename ? '; it did not rename a symbol' : ''}: whatever else has that name was changed as well, and nothing was compiled or tested.`,
  );
}

function oneLine(hit: Hit): string {
  return `${place(hit.path, hit.line)} ${code(hit.text.trim())}`;
}
