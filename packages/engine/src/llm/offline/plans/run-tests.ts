import { list, readAll, run } from '../ask.ts';
import { fileKind } from '../code/file-kind.ts';
import type { Request } from '../grammar/request.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, clip, code, count, excerpt, fenced, paragraphs, place, visible } from '../render.ts';
import type { CommandResult } from '../results/command-result.ts';
import { joinLines } from '../results/read-result.ts';
import { manifestsToRead, narrowed, type TestCommand, testCommands } from './test-command.ts';
import { type FailurePlace, insideWorkspace, readTestOutput, type TestReport } from './test-failures.ts';

type TestRequest = Extract<Request, { kind: 'test' }>;

/** Seconds that a test run may take. */
const TIME_LIMIT = 600;
const TAIL_LINES = 25;
/** What runners say that found nothing to run. */
const NONE_RAN = /^(?:ℹ|#) tests 0$|^Ran 0 tests|^no tests? (?:ran|found|to run)|^No test files found/im;

/** Run the tests: finds how, runs them, reads what failed and shows the places. */
export function* runTests(request: TestRequest, tools: ToolSet): Plan {
  const found = yield* findCommand(request, tools);
  if ('answer' in found) return found.answer;
  const { chosen, others, cwd, top } = found;
  const where = cwd ? ` in ${code(cwd)}` : '';
  const why = `${code(chosen.command)}${where}, because of ${code(chosen.because)}`;
  const also = others.length > 0 ? `There is also ${others.map((each) => code(each.command)).join(', ')}.` : undefined;
  if (request.tell) return paragraphs(`The tests run with ${why}.`, also);
  if (!tools.has('run_command'))
    return paragraphs(
      `I did not run the tests: this mode has no tool to run commands. I would run ${why}.`,
      also,
      'Ask again in Agent mode (`--mode agent`).',
    );
  const seconds = tools.atMost('run_command', 'timeout_seconds', TIME_LIMIT);
  const result = yield* run({ command: chosen.command, timeout_seconds: seconds, ...(cwd ? { cwd } : {}) });
  if (result.failure !== undefined)
    return paragraphs(`The tests did not run to their end: ${result.failure}`, `The command was ${why}.`);
  const took = result.took ? ` in ${result.took}` : '';
  const report = readTestOutput(result.output);
  if (result.exitCode === 0 && NONE_RAN.test(result.output)) {
    return paragraphs(
      `No test ran: ${code(chosen.command)}${where} ended with exit code 0${took}, but it says that it found none.`,
      summary(report.summary),
      also,
    );
  }
  if (result.exitCode === 0) {
    return paragraphs(
      `The tests pass: ${code(chosen.command)}${where} ended with exit code 0${took}.`,
      summary(report.summary),
      also,
    );
  }
  return yield* showFailure({ result, why, took, cwd, top, fix: request.fix ?? false });
}

type Found = { chosen: TestCommand; others: TestCommand[]; cwd?: string; top: string[] } | { answer: string };

/** Looks at the folder's manifests; where the workspace itself has none, at the folders in it. */
function* findCommand(request: TestRequest, tools: ToolSet): Plan<Found> {
  const asked = request.place?.replace(/(?<=.)\/+$/, '');
  const folder = asked && !/\.\w+$/.test(asked) && asked !== '.' ? asked : undefined;
  const listing = yield* list(undefined, tools.atMost('list_directory', 'depth', 2));
  if (listing.failure !== undefined) return { answer: `I could not list the folder: ${listing.failure}` };
  const top = childrenOf(listing.entries, '');
  if (folder) {
    const own = yield* list(folder, 1);
    if (own.failure !== undefined) return { answer: `I could not look into ${code(folder)}: ${own.failure}` };
    const commands = yield* commandsOf(folder, childrenOf(own.entries, ''));
    if (commands[0]) return { chosen: commands[0], others: commands.slice(1), cwd: folder, top };
  }
  const texts = yield* readManifests('', top);
  const commands = testCommands(top, texts);
  const chosen = commands[0];
  if (chosen) {
    const narrow = asked ? narrowed(chosen.command, asked, texts.get('package.json') ?? '') : undefined;
    if (asked && asked !== '.' && !narrow) {
      return {
        answer: `The tests run with ${code(chosen.command)}, and I do not know how to run only those of ${code(asked)} with it. \`run the tests\` runs all.`,
      };
    }
    return { chosen: narrow ? { ...chosen, command: narrow } : chosen, others: commands.slice(1), top };
  }
  const below = projectsBelow(listing.entries);
  const only = below[0];
  if (only && below.length === 1) {
    const inner = yield* commandsOf(only, childrenOf(listing.entries, `${only}/`));
    if (inner[0]) return { chosen: inner[0], others: inner.slice(1), cwd: only, top };
  }
  if (below.length > 1) {
    return {
      answer: paragraphs(
        'There is no test command for the whole folder. These folders look like projects of their own; name one:',
        bullets(
          below.map((each) => code(`run the tests in ${each}`)),
          12,
        ),
      ),
    };
  }
  return {
    answer:
      'I found nothing that tells how the tests run: no test script in `package.json`, no pytest, Go, Cargo, Make, Maven, Gradle, Mix, .NET or similar set-up here.',
  };
}

function* commandsOf(folder: string, names: readonly string[]): Plan<TestCommand[]> {
  return testCommands(names, yield* readManifests(`${folder}/`, names));
}

function* readManifests(folder: string, names: readonly string[]): Plan<Map<string, string>> {
  const wanted = manifestsToRead(names);
  const results = wanted.length > 0 ? yield* readAll(wanted.map((name) => ({ path: folder + name }))) : [];
  const texts = new Map<string, string>();
  for (const [at, name] of wanted.entries()) {
    const result = results[at]!;
    if (result.failure === undefined) texts.set(name, joinLines(result.lines));
  }
  return texts;
}

/** The names directly in a folder; folders end in `/`. */
function childrenOf(entries: readonly string[], folder: string): string[] {
  const inside = entries
    .filter((entry) => entry.startsWith(folder) && entry !== folder)
    .map((entry) => entry.slice(folder.length));
  return [...new Set(inside.map((entry) => /^[^/]+\/?/.exec(entry)?.[0] ?? entry))];
}

function projectsBelow(entries: readonly string[]): string[] {
  const manifest =
    /^([^/]+)\/(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.py|pom\.xml|build\.gradle(?:\.kts)?|Makefile|mix\.exs|Gemfile|composer\.json)$/;
  const found = entries.map((entry) => manifest.exec(entry)?.[1]).filter((name) => name !== undefined);
  return [...new Set(found)];
}

interface Failure {
  result: CommandResult;
  why: string;
  took: string;
  cwd: string | undefined;
  top: string[];
  fix: boolean;
}

function* showFailure({ result, why, took, cwd, top, fix }: Failure): Plan {
  const report = readTestOutput(result.output);
  const shown = yield* showPlaces(report.places.map((each) => possiblePlaces(each, cwd, top)));
  const ended =
    result.ended ??
    (result.exitCode === undefined ? 'did not come to its end' : `ended with exit code ${result.exitCode}`);
  const tail = result.output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  const missing = missingParts(result.output);
  const { counts } = report;
  return paragraphs(
    counts.failed + counts.broken > 0
      ? `${headline(counts)}; the command ${ended}${took}: ${why}.`
      : `The tests do not pass: the command ${ended}${took}: ${why}.`,
    missing,
    wholeOutput(result.output),
    report.failed.length > 0 ? bullets(withReasons(report.failed, report), 15) : undefined,
    report.broken.length > 0 ? `Could not run:\n${bullets(sameReason(report), 8)}` : undefined,
    report.messages.length > 0 ? fenced(report.messages.map((line) => visible(clip(line, 200))).join('\n')) : undefined,
    ...shown,
    counts.failed + counts.broken === 0 && report.messages.length === 0
      ? `The end of its output:\n${fenced(
          tail
            .split('\n')
            .map((line) => visible(clip(line, 200)))
            .join('\n'),
        )}`
      : summary(report.summary),
    `${fix ? 'I cannot fix it, and why it fails' : 'Why it fails'} I cannot work out: that takes a language model (\`help\` shows how to add one).`,
  );
}

/** `4 tests failed, 205 could not run`. */
function headline({ failed, broken }: TestReport['counts']): string {
  const some = failed > 0 ? `${count(failed, 'test')} failed` : '';
  if (broken === 0) return some;
  return some ? `${some}, ${broken} could not run` : `${count(broken, 'test')} could not run`;
}

function withReasons(names: readonly string[], { said }: TestReport): string[] {
  return names.map((name) => {
    const because = said.get(name);
    return because ? `${code(name)}: ${visible(clip(because, 200))}` : code(name);
  });
}

/** Set-ups fail many times for one reason: it is said once. */
function sameReason({ broken, said }: TestReport): string[] {
  const groups = new Map<string, string[]>();
  for (const name of broken) {
    const because = said.get(name) ?? '';
    groups.set(because, [...(groups.get(because) ?? []), name]);
  }
  return [...groups].flatMap(([because, names]) => {
    const reason = because ? `: ${visible(clip(because, 200))}` : '';
    const shown = names.slice(0, because || groups.size > 1 ? 2 : 5).map(code);
    const more = names.length - shown.length;
    return [`${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}${reason}`];
  });
}

/** The same place by each of the paths that it may have in the workspace. */
function possiblePlaces({ path, line }: FailurePlace, cwd: string | undefined, top: readonly string[]): FailurePlace[] {
  const paths = insideWorkspace(path, top);
  const relative = paths.map((each) => (each === path && cwd && !each.startsWith(`${cwd}/`) ? `${cwd}/${each}` : each));
  return relative.slice(0, 3).map((each) => ({ path: each, line }));
}

/** Shows the first place in a test and the first in the code under test, as far as they are there to be read. */
function* showPlaces(places: readonly FailurePlace[][]): Plan<string[]> {
  const inTest = places.find((each) => each.some(({ path }) => fileKind(path) === 'test'));
  const inCode = places.find((each) => each.some(({ path }) => fileKind(path) === 'source'));
  const chosen = [inTest, inCode === inTest ? undefined : inCode].filter((each) => each !== undefined);
  const wanted = chosen.flat();
  if (wanted.length === 0) return [];
  const results = yield* readAll(wanted.map(({ path, line }) => ({ path, offset: Math.max(1, line - 4), limit: 9 })));
  const parts: string[] = [];
  const known = new Set<string>();
  for (const group of chosen) {
    const at = group
      .map((each) => wanted.indexOf(each))
      .find((index) => {
        const result = results[index]!;
        return result.failure === undefined && result.lines.has(wanted[index]!.line);
      });
    const result = at === undefined ? undefined : results[at];
    if (at === undefined || result?.failure !== undefined || !result) continue;
    const { path, line } = wanted[at]!;
    known.add(path);
    parts.push(
      `${place(path, line)}${group === inTest ? ', where the test failed' : ', named in the failure'}`,
      excerpt(result.lines, line - 4, line + 4, path),
    );
  }
  // Others are told only in files that were seen to be there.
  const others = places
    .flatMap((group) => (chosen.includes(group) ? [] : group.filter(({ path }) => known.has(path))))
    .slice(0, 5);
  if (others.length > 0) parts.push(`Also named: ${others.map((each) => place(each.path, each.line)).join(', ')}.`);
  return parts;
}

/** Says what the output plainly says when the tests could not even start. */
function missingParts(output: string): string | undefined {
  if (
    /\b(?:command )?not found\b|is not recognized as|No module named pytest|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|could not find .*node_modules/i.test(
      output,
    )
  ) {
    return 'It looks as if something that the tests need is not installed (`npm ci`, `pip install -e .` or the like); I do not install anything by myself.';
  }
  return undefined;
}

/** Where the command's output was cut, it says where all of it is. */
function wholeOutput(output: string): string | undefined {
  const path = /\[the whole output,.*? is in (.+?)(?:;[^\]]*)?\]/.exec(output)?.[1];
  return path ? `The whole output: ${code(path)}` : undefined;
}

function summary(lines: readonly string[]): string | undefined {
  return lines.length > 0 ? fenced(lines.map((line) => visible(clip(line, 200))).join('\n')) : undefined;
}
