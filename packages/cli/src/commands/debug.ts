import { answerText, commandLine, type DebugAnswer, Debugger, debuggeeOf } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import {
  DiskDocuments,
  ProcessRegistry,
  prepareStateHome,
  realPathOf,
  stateHome,
  TrustStore,
} from '@black-ide/workspace';
import type { DebugInvocation } from '../args/parse-invocation.ts';
import { DebugPrompt } from '../debug/debug-prompt.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import type { Io } from '../io.ts';
import { visibleText } from '../text/visible-text.ts';

/** So long nobody sits at a prompt the first stop is waited for: as long as a session lives. */
const WAIT_MS = 2 ** 31 - 1;

/** `black debug`: runs a command of the person's to its first stop and shows the frame (INT-33, INT-34). */
export async function debug(invocation: DebugInvocation, io: Io): Promise<number> {
  const interrupts = new Interrupts(io.world);
  const { debugger: made, processes, start } = prepare(invocation, io);
  try {
    const answer = await start(interrupts.signal);
    const isAsked = !invocation.json && (await io.world.inputKind()) === 'terminal' && io.out.isTerminal;
    tell(answer, invocation.json, io);
    const last = isAsked ? await new DebugPrompt(made, io, interrupts).run(answer) : answer;
    return interrupts.signal.aborted ? EXIT.cancelled : exitCode(last);
  } catch (cause) {
    if (interrupts.signal.aborted) return EXIT.cancelled;
    throw cause instanceof BlackError
      ? new CliFailure(cause, cause.code === 'bad_breakpoint' ? EXIT.usage : EXIT.failed)
      : cause;
  } finally {
    interrupts.dispose();
    await made.dispose();
    await processes.dispose();
  }
}

function prepare({ words, breakpoints, exceptions, adapter, firstLine, json }: DebugInvocation, io: Io) {
  const { env, platform, clock } = io.world;
  const cwd = workingFolder(io);
  const home = stateHome({ env, cwd, platform });
  const isWritable = home !== undefined && prepareStateHome(home) === undefined;
  const processes = new ProcessRegistry({ env, ...(isWritable ? { stateFolder: home } : {}) });
  const documents = new DiskDocuments();
  const readText = async (path: string): Promise<string | undefined> => {
    const read = await documents.read(path);
    return read.ok ? (read.document.text ?? undefined) : undefined;
  };
  const made = new Debugger({
    root: cwd,
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    readText,
    ...(json ? {} : { onOutput: (text) => io.out.write(visibleText(text)) }),
  });
  const start = async (signal: AbortSignal): Promise<DebugAnswer> => {
    if (isWritable) await processes.sweepOrphans();
    const trusted = home !== undefined && new TrustStore({ home, now: () => clock.now() }).has(cwd);
    const request = { kind: 'launch' as const, command: commandLine(words), cwd, stopOnEntry: firstLine };
    const debuggee = debuggeeOf(request, adapter, { root: cwd, env, trusted }, { root: cwd, processes, env, readText });
    const places = breakpoints.map((place) => ({ place }));
    return made.launch(debuggee, { breakpoints: places, exceptions, waitMs: WAIT_MS }, signal);
  };
  return { debugger: made, processes, start };
}

function workingFolder({ world }: Io): string {
  try {
    return realPathOf(world.cwd());
  } catch {
    throw new CliFailure({
      code: 'no_working_folder',
      message: 'The working folder no longer exists.',
      next: 'cd to a folder that exists and try again.',
    });
  }
}

function tell(answer: DebugAnswer, json: boolean, io: Io): void {
  if (json) io.out.line(JSON.stringify(answer, undefined, 2));
  // What it printed stands there already.
  else io.out.line(`\n${visibleText(answerText({ ...answer, output: '', dropped: 0 }))}`);
}

function exitCode({ outcome }: DebugAnswer): number {
  if (outcome.state === 'stopped') return outcome.stop.reason === 'exception' ? EXIT.failed : EXIT.done;
  if (outcome.state === 'running') return EXIT.done;
  if (outcome.why === 'deadline') return EXIT.limit;
  return outcome.why === undefined && (outcome.exitCode ?? 0) === 0 ? EXIT.done : EXIT.failed;
}
