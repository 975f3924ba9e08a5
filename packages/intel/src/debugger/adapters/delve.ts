import { randomBytes } from 'node:crypto';
import { BlackError } from '@black-ide/protocol';
import { findProgram } from '@black-ide/workspace';
import type { AdapterSpec } from './adapter-spec.ts';
import type { DebugRequest } from './adapter-world.ts';
import { plainCommand } from './command-words.ts';

/** Flags of `go test` that are the test binary's, there with a prefix; with a value unless they stand alone. */
const TEST_FLAGS =
  /^--?(run|skip|bench|benchtime|count|cpu|failfast|fuzz|list|parallel|short|shuffle|timeout|v)(=.*)?$/;
const ALONE = /^--?(v|short|failfast|race|msan|asan|x|n|work|trimpath|cover|json|a|i)$/;
/** Where a test says that it has failed; panics stop by themselves. */
const FAILURES = ['testing.(*common).Error', 'testing.(*common).Errorf', 'testing.(*common).FailNow'];

/** Go, by Delve. A test that fails is stopped where it says so. */
export const DELVE: AdapterSpec = {
  id: 'delve',
  title: 'Delve',
  languages: 'Go',
  markers: ['go.mod', 'go.work', '*.go'],
  get: 'go install github.com/go-delve/delve/cmd/dlv@latest   (or sudo apt-get install -y delve)',
  find: ({ env, root }) => findProgram('dlv', { env, workspace: root }),
  fits: (command) => command?.program === 'go' && /^(run|test)$/.test(command.args[0] ?? ''),
  evaluatesExpressions: true,
  exceptionFilters: () => [],
  exceptionFunctions: (mode) => (mode === 'none' ? [] : FAILURES),
  start: async (request, dlv, world) => {
    const runId = randomBytes(16).toString('hex');
    // Otherwise it builds into the workspace.
    const output = world.sandbox ? `/tmp/debug-${runId}` : `${world.processes.makeFolder(runId)}/program`;
    const { AdapterProcess } = await import('./adapter-process.ts');
    return AdapterProcess.start({
      program: dlv,
      args: ['dap', '--listen=127.0.0.1:0', '--check-go-version=false'],
      cwd: request.cwd,
      world,
      runId,
      configuration: { request: request.kind, arguments: { ...argumentsOf(request), output } },
      listens: /DAP server listening at: 127\.0\.0\.1:(\d+)\n/,
      exits: /Process \d+ has exited with status (-?\d+)/,
    });
  },
};

function argumentsOf(request: DebugRequest): Record<string, unknown> {
  if (request.kind === 'attach') {
    if ('pid' in request.to) return { mode: 'local', processId: request.to.pid };
    throw new BlackError('no_pid', 'Delve attaches to a process.', 'Give its pid.');
  }
  const command = plainCommand(request.command);
  if (!command) {
    const next = 'Give one command, such as `go test ./store -run TestOpen` or `go run .`.';
    throw new BlackError('not_plain', 'The command needs a shell; Delve starts one program.', next);
  }
  const { cwd, stopOnEntry } = request;
  const common = { cwd, env: command.env, stopOnEntry, hideSystemGoroutines: true };
  if (command.program !== 'go') return { ...common, mode: 'exec', program: command.program, args: command.args };
  const [verb, ...words] = command.args;
  return verb === 'test'
    ? { ...common, mode: 'test', ...testOf(words) }
    : { ...common, mode: 'debug', ...runOf(words) };
}

/** `go test` as Delve does it: one package, flags of the build and of the test apart. */
function testOf(words: readonly string[]) {
  const [build, args]: [string[], string[]] = [[], []];
  const packages: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-args' || word === '--args') {
      args.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-')) packages.push(word);
    else {
      const value = word.includes('=') || ALONE.test(word) ? [] : [words[++at] ?? ''];
      if (TEST_FLAGS.test(word)) args.push(`-test.${word.replace(/^--?/, '')}`, ...value);
      else build.push(word, ...value);
    }
  }
  const [program = '.', another] = packages;
  if (another !== undefined || program.includes('...')) {
    const next = 'Name one, such as `go test ./store -run TestOpen`.';
    throw new BlackError('one_package', 'Delve debugs the tests of one package.', next);
  }
  return { program, args, ...flagsOf(build) };
}

function runOf(words: readonly string[]) {
  const at = words.findIndex((word, index) => !word.startsWith('-') && !takesValue(words[index - 1]));
  if (at < 0) throw new BlackError('no_package', 'There is nothing to run.', 'Name a package or file: `go run .`.');
  // Several files may stand where one package does.
  const files = words.slice(at).findIndex((word) => !word.endsWith('.go'));
  const end = words[at]!.endsWith('.go') ? (files < 0 ? words.length : at + files) : at + 1;
  return { program: words.slice(at, end).join(' '), args: words.slice(end), ...flagsOf(words.slice(0, at)) };
}

function takesValue(flag: string | undefined): boolean {
  return flag?.startsWith('-') === true && !flag.includes('=') && !ALONE.test(flag);
}

function flagsOf(flags: readonly string[]) {
  return flags.length > 0 ? { buildFlags: flags.map((flag) => `'${flag.replaceAll("'", '')}'`).join(' ') } : {};
}
