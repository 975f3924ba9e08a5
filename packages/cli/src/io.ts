import type { EngineError } from '@black-ide/protocol';
import type { Output } from './headless/output.ts';
import { visibleText } from './text/visible-text.ts';
import type { World } from './world.ts';

/** What every command works with. */
export interface Io {
  world: World;
  out: Output;
  err: Output;
}

/** Prints a warning to stderr. */
export function warn(io: Io, message: string): void {
  io.err.line(`black: ${message}`);
}

/** Prints a failure to stderr: what happened, then what to do. */
export function printError(io: Io, error: Pick<EngineError, 'message' | 'next'>): void {
  const indented = (text: string): string => visibleText(text).replaceAll('\n', '\n       ');
  io.err.line(`black: ${indented(error.message)}`);
  if (error.next) io.err.line(`       ${indented(error.next)}`);
}
