import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import type { SandboxLaunch } from '../sandbox/sandbox-report.ts';
import { SupervisedShell } from './supervised-shell.ts';

/**
 * Runs the shell ($0) with the command ($1), both streams into descriptor 6 and nothing else open, tells its exit code on
 * 5 and waits there for the other side to hang up. Signals for the command must not end it: a trap, not an ignored
 * signal, which the command would inherit.
 */
const SUPERVISOR = `exec 3<&- 4<&-
trap : HUP INT TERM
echo begun >&5
( exec >&6 2>&6 5<&- 6>&-; exec "$0" -c "$1" )
code=$?
exec 6>&-
echo $code >&5
read -r _ <&5`;

export interface ContainedStart {
  shell: string;
  command: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  sandbox: SandboxLaunch;
  /** A pipe for the output, where there is one. */
  writeEnd: number | undefined;
}

export interface ContainedShell {
  child: ChildProcess;
  /** The output, where no pipe was given. */
  output: Readable;
  supervised: SupervisedShell;
}

/** Starts a shell in the sandbox. What is wrong with the start comes as the child's `error`, or as its early end. */
export function startContained({ shell, command, cwd, env, sandbox, writeEnd }: ContainedStart): ContainedShell {
  const [user, network] = sandbox.descriptors;
  const child = spawn(sandbox.program, [...sandbox.args, '/bin/sh', '-c', SUPERVISOR, shell, command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', user, network, 'pipe', writeEnd ?? 'pipe'],
  });
  // Node's types know five of them.
  const [, , problems, , , report, output] = child.stdio as unknown as [
    null,
    null,
    Readable,
    null,
    null,
    Duplex,
    Readable,
  ];
  return { child, output, supervised: new SupervisedShell(report, problems) };
}
