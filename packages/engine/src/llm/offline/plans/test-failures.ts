/** A place in the workspace that the output of a test run names. */
export interface FailurePlace {
  path: string;
  line: number;
}

export interface TestReport {
  /** Names of the tests that failed, each once, in order. */
  failed: string[];
  /** Names of those that did not even run, e.g. because their set-up failed. */
  broken: string[];
  /** How many there were of each: the names may be cut from the output, the runner's own sum is not. */
  counts: { failed: number; broken: number };
  /** What each test said, by its name, as far as the output tells it. */
  said: ReadonlyMap<string, string>;
  /** Places in the order in which they matter: of the failed assertions first. */
  places: FailurePlace[];
  /** The messages that belong to no single test, a few lines. */
  messages: string[];
  /** What the runner said in sum, e.g. `Tests  1 failed | 40 passed (41)`. */
  summary: string[];
}

/** Lines that name a failed test, by runner. Group 1 is the name. */
const FAILED: readonly RegExp[] = [
  /^\s*(?:FAIL|×|✗)\s{1,3}(\S+\.\w+(?:\s+\[[^\]]*\])?\s+>\s+.+?)\s*$/, // vitest
  /^\s*●\s+(.+ › .+?)\s*$/, // jest
  /^\s*not ok \d+ - (?!.*#\s*(?:SKIP|TODO))(.+?)\s*$/, // TAP, node:test
  /^\s*✖\s+(?!failing tests)(.+?)(?:\s+\([\d.]+\s*m?s\))?\s*$/, // node:test, spec reporter
  /^FAILED\s+(\S+::.+?)(?:\s+-\s.*)?$/, // pytest
  /^\s*--- FAIL:\s+(\S+)/, // go
  /^test\s+(\S+)\s+\.\.\.\s+FAILED$/, // cargo
  /^\s*\(fail\)\s+(.+?)(?:\s+\[[\d.]+\s*m?s\])?\s*$/, // bun
  /^\s{2,}\d+\)\s+(\S.*?):?\s*$/, // mocha, rspec
  /^(?:\[ERROR\]\s+)?(?:FAIL|ERROR):\s+(\w+\s+\([\w.]+\))/, // unittest
  /^\[ERROR\]\s+(\w+[.\w]*:\d+)/, // maven
  /^(\w[\w.]*\s>\s.+)\sFAILED$/, // gradle
];

/** Lines that name a test, or a whole file of them, which could not run. */
const BROKEN: readonly RegExp[] = [
  /^ERROR\s+(\S+::.+?)(?:\s+-\s.*)?$/, // pytest: a test's set-up
  /^ERROR\s+(\S+\.py)(?:\s+-\s.*)?$/, // pytest: a file
  /^\s*(?:FAIL)\s{1,3}(\S+\.[cm]?[jt]sx?)\s+\[[^\]]*\]\s*$/, // vitest: a file
];
/** What stands behind the name in pytest's list. */
const REASON = /^(?:FAILED|ERROR)\s.+?\s-\s+(.+)$/;
/** pytest's own sum. */
const PYTEST_SUM = /^(?:=+ )?(?:\d+ \w+, )*\d+ \w+ in [\d.]+\s*s\b/;
/** The line above what pytest tells of a test, with its name as `TestStore.test_save`. */
const PYTEST_HEAD = /^_{2,} (?:ERROR at (?:setup|teardown) of )?(.+?) _{2,}$/;
/** So many lines below its name a message still belongs to a test. */
const REACH = 12;

const PLACE =
  /(?<![\w/.@-])(?:file:\/\/)?(?:(?:[A-Za-z]:)?\/|\.{1,2}\/)?((?:[\w.@+()[\]-]+\/)*[\w.@+[\]-]+\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kt|rb|php|cs|swift|scala|dart|exs?|c|cc|cpp|h|hpp|lua|vue|svelte))(?::(\d{1,6})|\((\d{1,6})[,)])/g;
const PYTHON_PLACE = /^\s*File "([^"]+)", line (\d+)/;
const SUMMARY =
  /^\s*(?:(?:Test Files|Tests|Test Suites)\s*:?\s+.*\d|ℹ (?:tests|pass|fail) \d+|# (?:tests|pass|fail) \d+|=+ .*(?:passed|failed|error).* =+$|test result: |(?:\d+ (?:passing|failing|pending))|FAIL\s*$|FAIL\t|ok\s+\S+\s+[\d.]+s|Tests run: \d+|\d+ examples?, \d+ failures?|Ran \d+ tests?|(?:\d+ (?:passed|failed|errors?|skipped|xfailed|warnings?), )*\d+ (?:passed|failed|errors?|skipped|warnings?) in [\d.]+\s*s|FAILED \(|BUILD FAILED)/;
const MESSAGE =
  /^\s*(?:E\s{2,}\S|(?:\w*(?:Error|Exception|Failure))\b.*:|(?:Expected|Received|expected|actual|got|want|error|left|right)\b.*[:=]|thread '.*' panicked|assertion `?.*failed|AssertionError|panic:|[+-]\s+(?:Expected|Received|actual|expected)|error(?:\[E\d+\])?:\s)/;
/** Stack frames and the like come before other mentions; where a test begins tells least. */
const FRAME = /(?:^|[\s(])at\s|^\s*(?:❯|›|>)|\w:\d+:/;
const STARTS = /^\s*(?:test at|location:)/;
const FOREIGN =
  /(?:^|\/)node_modules\/|(?:^|\/)(?:site-packages|dist-packages)\/|^node:|(?:^|\/)(?:usr|opt)\/(?:lib|local)\/|^\/rustc\/|(?:^|\/)\.(?:cargo|rustup|pyenv|nvm)\//;

/** Reads what the common test runners print. Nothing is guessed: what is not in the output is not in the report. */
export function readTestOutput(output: string): TestReport {
  const failed: string[] = [];
  const broken: string[] = [];
  const said = new Map<string, string>();
  const first: FailurePlace[] = [];
  const later: FailurePlace[] = [];
  const messages: string[] = [];
  const summary: string[] = [];
  let current: { name: string; until: number } | undefined;
  for (const [at, line] of output.split('\n').entries()) {
    if (line.length > 2_000) continue;
    const stopped = nameOn(line, BROKEN);
    const name = stopped ?? nameOn(line, FAILED);
    const names = stopped === undefined ? failed : broken;
    if (name && !names.includes(name)) names.push(name);
    const because = name ? REASON.exec(line)?.[1] : undefined;
    if (name && because && /\w/.test(because)) said.set(name, because);
    if (name) current = because ? undefined : { name, until: at + REACH };
    const head = PYTEST_HEAD.exec(line)?.[1];
    if (head) current = { name: head, until: Number.POSITIVE_INFINITY };
    if (SUMMARY.test(line)) summary.push(line.trim());
    if (MESSAGE.test(line)) {
      const of = current && at <= current.until ? current.name : undefined;
      if (of && !said.has(of)) said.set(of, line.trim().replace(/^E\s+/, ''));
      if (!messages.includes(line.trim())) messages.push(line.trim());
    }
    for (const found of placesOn(line)) (FRAME.test(line) && !STARTS.test(line) ? first : later).push(found);
  }
  const own = dropParents(failed, output);
  for (const name of [...own, ...broken]) {
    const inHead = said.get(name.split('::').slice(1).join('.'));
    if (!said.has(name) && inHead) said.set(name, inHead);
  }
  const sums = summary.filter((line) => PYTEST_SUM.test(line)).at(-1) ?? '';
  // What is told beside a test's name need not be told again.
  const told = new Set([...own, ...broken].map((name) => said.get(name)));
  return {
    failed: own,
    broken,
    counts: {
      failed: Math.max(own.length, Number(/(\d+) failed/.exec(sums)?.[1] ?? 0)),
      broken: Math.max(broken.length, Number(/(\d+) errors?\b/.exec(sums)?.[1] ?? 0)),
    },
    said,
    places: once([...first, ...later]),
    messages: messages.filter((text) => !told.has(text) && !told.has(text.replace(/^E\s+/, ''))).slice(0, 12),
    summary: summary.slice(-8),
  };
}

function nameOn(line: string, patterns: readonly RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
}

function placesOn(line: string): FailurePlace[] {
  const python = PYTHON_PLACE.exec(line);
  const found = python
    ? [{ path: python[1]!, line: Number(python[2]) }]
    : Array.from(line.matchAll(PLACE), (match) => ({ path: cutScheme(match[0]), line: Number(match[2] ?? match[3]) }));
  return found.filter(({ path, line: at }) => at > 0 && !FOREIGN.test(path));
}

/** The path as written, without scheme, position, `./` and the bracket that opens a stack frame's place. */
function cutScheme(text: string): string {
  const path = text
    .replace(/^file:\/\//, '')
    .replace(/(?::\d+|\(\d+[,)]).*$/, '')
    .replace(/^(?:\.\/)+/, '');
  return path.startsWith('(') && !path.includes(')') ? path.slice(1) : path;
}

/** A file or a suite that failed because of its tests says nothing more than they do. */
function dropParents(names: readonly string[], output: string): string[] {
  const own = names.filter((name) => !/^(?:\S+\/)?\S+\.[cm]?[jt]s$/.test(name) && !isSuite(name, output));
  return own.length > 0 ? own : [...names];
}

/** TAP says so in the block below the line; the spec reporter lists what really failed once more at the end. */
function isSuite(name: string, output: string): boolean {
  const tap = output.indexOf(`- ${name}\n`);
  if (
    tap >= 0 &&
    /^[^\n]*\n\s+---\n(?:(?!\s*\.\.\.)[^\n]*\n){0,6}?\s+failureType: 'subtestsFailed'/.test(output.slice(tap))
  )
    return true;
  const list = output.indexOf('✖ failing tests:');
  return list >= 0 && output.includes(`✖ ${name}`) && !output.slice(list).includes(`✖ ${name}`);
}

function once(places: readonly FailurePlace[]): FailurePlace[] {
  return places.filter(
    (each, at) => places.findIndex((other) => other.path === each.path && other.line === each.line) === at,
  );
}

/**
 * What a path may be called from the workspace, likeliest first: as it stands, or where it is absolute, from each of its
 * folders that the workspace has at its top.
 * @param top what is in the workspace's folder; folders end in `/`.
 */
export function insideWorkspace(path: string, top: readonly string[]): string[] {
  if (!/^(?:\/|[A-Za-z]:)/.test(path)) return path.startsWith('../') ? [] : [path];
  const parts = path.split('/').filter((part) => part !== '');
  const found: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (top.includes(at === parts.length - 1 ? part : `${part}/`)) found.push(parts.slice(at).join('/'));
  }
  return found;
}
