import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { BlackError } from '@black-ide/protocol';
import type { SandboxLaunch } from '../sandbox/sandbox-report.ts';
import { errnoOf } from '../stores/errno.ts';
import { checkFolder } from './check-folder.ts';
import { findShell } from './find-shell.ts';
import { type OutputPipe, openOutputPipe } from './output-pipe.ts';
import { RUN_MARKER } from './running-processes.ts';
import { startContained } from './start-contained.ts';
import type { SupervisedShell } from './supervised-shell.ts';

export interface ShellStart {
  shell: string;
  command: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  runId: string;
  temporaryFolder?: string;
  sandbox?: SandboxLaunch;
  /** Receives stdout and stderr. The bytes are overwritten when it returns. */
  onChunk: (chunk: Buffer) => void;
}

export interface StartedShell {
  child: ChildProcess;
  /** Closes when nobody holds the output open any more. */
  stream: Readable;
  /** In a sandbox: what stands around the shell there. */
  supervised?: SupervisedShell;
}

const CHUNK = 64 * 1024;

/**
 * Starts a shell in a session and process group of its own, both of its streams in one pipe.
 * @throws BlackError `command_too_long`, `spawn_failed`, and those of a folder or shell that have just vanished.
 */
export async function startShell(start: ShellStart): Promise<StartedShell> {
  const { shell, command, cwd, temporaryFolder } = start;
  const env = {
    ...(start.sandbox?.env ?? start.env),
    PWD: cwd,
    [RUN_MARKER]: markerValue(start.env[RUN_MARKER], start.runId),
  };
  const pipe = await openOutputPipe(temporaryFolder);
  let started: StartedShell;
  try {
    if (start.sandbox) {
      const contained = startContained({ ...start, env, sandbox: start.sandbox, writeEnd: pipe?.writeEnd });
      const child = await spawned(contained.child);
      const stream = pipe ? readerOf(pipe, start.onChunk) : contained.output.on('data', start.onChunk);
      started = { child, stream, supervised: contained.supervised };
    } else if (pipe) {
      const stdio = ['ignore', pipe.writeEnd, pipe.writeEnd] as const;
      const child = await spawned(spawn(shell, ['-c', command], { cwd, env, detached: true, stdio: [...stdio] }));
      started = { child, stream: readerOf(pipe, start.onChunk) };
    } else {
      // The shell sends both streams into the one socket and becomes the shell that runs the command.
      const args = ['-c', 'exec "$0" -c "$1" 2>&1', shell, command];
      const stdio = ['ignore', 'pipe', 'ignore'] as const;
      const child = await spawned(spawn(shell, args, { cwd, env, detached: true, stdio: [...stdio] }));
      started = { child, stream: child.stdout!.on('data', start.onChunk) };
    }
  } catch (error) {
    if (pipe) closeSync(pipe.readEnd);
    throw startFailure(error, start);
  } finally {
    if (pipe) closeSync(pipe.writeEnd);
  }
  const { stream } = started;
  // A pipe that breaks has no more output; its `close` follows.
  stream.on('error', () => stream.destroy());
  stream.once('end', () => stream.destroy());
  return started;
}

/** Reads into one buffer for ever: a gigabyte leaves nothing for the garbage collector. */
function readerOf({ readEnd }: OutputPipe, onChunk: (chunk: Buffer) => void): Readable {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const callback = (size: number): boolean => {
    onChunk(buffer.subarray(0, size));
    return true;
  };
  return new Socket({ fd: readEnd, readable: true, writable: false, onread: { buffer, callback } }).resume();
}

/** A run inside a run carries both names, so that ending the outer one finds it. */
export function markerValue(outer: string | undefined, runId: string): string {
  return outer ? `${outer}.${runId}` : runId;
}

function spawned(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.pid === undefined) return;
    child.off('error', reject);
    // Signals are sent by number, so nothing else can fail here.
    child.on('error', () => undefined);
    resolve(child);
  });
}

function startFailure(cause: unknown, { cwd, command, shell }: ShellStart): BlackError {
  checkFolder(cwd);
  findShell(shell);
  const message = cause instanceof Error ? cause.message : String(cause);
  if (errnoOf(cause) === 'E2BIG') {
    const size = Buffer.byteLength(command);
    return new BlackError(
      'command_too_long',
      `The command, or its environment, is too long for this system (the command has ${size} bytes).`,
      'Write it into a script file and run that.',
      { cause },
    );
  }
  const next = 'Close other programs, then try again.';
  return new BlackError('spawn_failed', `The shell cannot be started: ${message}`, next, { cause });
}
