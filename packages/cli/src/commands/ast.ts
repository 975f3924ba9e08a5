import type { FileMatches, RewritePlan, StructuralReport } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import { DiskDocuments, makeHunks, realPathOf, unifiedDiff } from '@black-ide/workspace';
import type { AstInvocation } from '../args/parse-ast.ts';
import { relativeName } from '../code/relative-name.ts';
import { CliFailure, EXIT, unwrap } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import { openEngine } from '../headless/open-engine.ts';
import { workingFolder } from '../headless/working-folder.ts';
import { type Io, warn } from '../io.ts';
import { painter } from '../text/painter.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { paintDiffLine } from '../tui/diff-lines.ts';

/** Of many matches so many are printed for a person; a program that reads JSON gets all. */
const SHOWN = 1_000;
/** What is wrong with the words of the command, not with the work. */
const USAGE = new Set([
  'unparsable_pattern',
  'unknown_language',
  'unknown_metavariable',
  'path_missing',
  'outside_root',
]);

/** What is searched, and where. */
interface Question {
  root: string;
  pattern: string;
  language?: string;
  paths?: string[];
  signal: AbortSignal;
}

/** `black ast`: finds code by its shape, and rewrites it (INT-22 … INT-30). */
export async function ast(invocation: AstInvocation, io: Io): Promise<number> {
  const interrupts = new Interrupts(io.world);
  const { signal } = interrupts;
  try {
    const root = workingFolder(io.world);
    const { pattern, lang, paths, rewrite, apply } = invocation;
    const inside = paths.map((path) => relativeName(/^\.{0,2}\//.test(path) ? path : `./${path}`, root));
    const question: Question = {
      root: realPathOf(root),
      pattern,
      ...(lang === undefined ? {} : { language: lang }),
      ...(inside.length > 0 ? { paths: inside } : {}),
      signal,
    };
    if (rewrite === undefined) return await find(question, invocation, io);
    return apply
      ? await applyRewrite(rewrite, question, invocation, io)
      : await show(rewrite, question, invocation, io);
  } catch (cause) {
    if (signal.aborted) throw new CliFailure({ code: 'cancelled', message: 'Cancelled.' }, EXIT.cancelled);
    throw failureOf(cause);
  } finally {
    interrupts.dispose();
  }
}

function failureOf(cause: unknown): unknown {
  if (cause instanceof CliFailure && !USAGE.has(cause.code)) return cause;
  if (!(cause instanceof BlackError)) return cause;
  return new CliFailure(BlackError.toValue(cause), USAGE.has(cause.code) ? EXIT.usage : EXIT.failed);
}

async function find(question: Question, { json }: AstInvocation, io: Io): Promise<number> {
  const { matchLines, StructuralSearch } = await import('@black-ide/intel');
  const search = new StructuralSearch(question);
  const found: unknown[] = [];
  let matches = 0;
  let files = 0;
  for await (const file of search.files()) {
    files += 1;
    if (json) found.push(...(await asData(file)));
    else {
      for (const [index, line] of matchLines(file).entries())
        if (matches + index < SHOWN) io.out.line(visibleLine(line));
    }
    matches += file.matches.length;
  }
  if (json) io.out.line(JSON.stringify(found, undefined, 2));
  else if (matches === 0) io.err.line(`Nothing matches in ${counted(search.report.files, 'file')}.`);
  else {
    const more = matches > SHOWN ? ` (the first ${SHOWN} are shown; name paths to see others)` : '';
    io.err.line(`${counted(matches, 'match', 'matches')} in ${counted(files, 'file')}${more}`);
  }
  await tellNotes(search.report, io);
  return matches > 0 ? EXIT.done : EXIT.failed;
}

async function asData({ path, pattern, text, matches }: FileMatches): Promise<unknown[]> {
  const { lineOf } = await import('@black-ide/intel');
  return matches.map(({ start, end, captures }) => ({
    path,
    language: pattern.language,
    start: { line: start.line, column: start.column },
    end: { line: end.line, column: end.column },
    line: lineOf(text, start.index),
    captures: captures.map((capture) => ({ name: capture.name, text: capture.text })),
  }));
}

/** The difference that a rewrite would make; nothing is written. */
async function show(rewrite: string, question: Question, { json }: AstInvocation, io: Io): Promise<number> {
  const { planRewrite } = await import('@black-ide/intel');
  const documents = new DiskDocuments();
  const read = async (path: string): Promise<string> => {
    const outcome = await documents.read(`${question.root}/${path}`, question.signal);
    if (!outcome.ok) throw new CliFailure(outcome.error);
    const { text, binary } = outcome.document;
    if (text === null) throw new CliFailure({ code: 'not_text', message: `${path} is not text: ${binary}.` });
    return text;
  };
  const plan = await planRewrite({ ...question, replacement: rewrite, read });
  const diff = plan.files
    .map(({ path, before, after }) => unifiedDiff(makeHunks(before, after), { from: path, to: path }))
    .join('');
  if (json) io.out.line(JSON.stringify({ ...summary(plan), diff }, undefined, 2));
  else {
    printDiff(diff, io);
    io.err.line(`${sum(plan)} would change. --apply writes it.`);
  }
  await tellNotes(plan.report, io);
  return EXIT.done;
}

/** Writes a rewrite, all files or none, in a session of its own, so that it can be taken back. */
async function applyRewrite(rewrite: string, question: Question, { json }: AstInvocation, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'stop', needsHome: true });
  try {
    const { engine } = opened;
    const { sessionId } = unwrap(await engine.execute({ type: 'newSession' }));
    const { pattern, language: lang, paths } = question;
    const { staged, diff } = unwrap(
      await engine.execute({
        type: 'stageRewrite',
        sessionId,
        pattern,
        rewrite,
        ...(lang === undefined ? {} : { lang }),
        ...(paths ? { paths } : {}),
      }),
    );
    question.signal.throwIfAborted();
    const { files } = unwrap(
      await engine.execute({ type: 'resolveStaged', sessionId, id: staged.id, action: 'commit' }),
    );
    if (json) io.out.line(JSON.stringify({ sessionId, places: staged.places, files, diff }, undefined, 2));
    else {
      printDiff(diff, io);
      io.err.line(`${counted(staged.places, 'place')} in ${counted(files.length, 'file')} changed.`);
      io.err.line(`black undo ${sessionId.slice(0, 8)} takes it back.`);
    }
    return EXIT.done;
  } finally {
    await opened.dispose();
  }
}

function printDiff(diff: string, io: Io): void {
  const paint = painter(io.world.env, io.out.isTerminal);
  for (const line of visibleText(diff.trimEnd()).split('\n')) io.out.line(paintDiffLine(line, paint));
}

async function tellNotes(report: StructuralReport, io: Io): Promise<void> {
  const { searchNotes } = await import('@black-ide/intel');
  for (const note of searchNotes(report)) warn(io, `${visibleLine(note)}.`);
}

function summary({ places, files }: RewritePlan): { places: number; files: { path: string; places: number }[] } {
  return { places, files: files.map((file) => ({ path: file.path, places: file.places })) };
}

function sum({ places, files }: RewritePlan): string {
  return `${counted(places, 'place')} in ${counted(files.length, 'file')}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
