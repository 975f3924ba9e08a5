import type { ChatInvocation } from '../args/parse-invocation.ts';
import { quoted } from '../args/read-flags.ts';
import { UsageError } from '../args/usage-error.ts';
import type { Io } from '../io.ts';

/** `black` without `-p`: the terminal UI, where there is a terminal to show it. */
export async function chat(invocation: ChatInvocation, io: Io): Promise<number> {
  const { stdin, stdout } = io.world;
  if (!stdin.isTTY || !stdout.isTTY) {
    const { prompt } = invocation;
    throw prompt
      ? new UsageError('This is no terminal. To run a prompt without one, add -p.', `black -p ${quoted(prompt)}`)
      : new UsageError(
          'There is nothing to do: the terminal UI needs a terminal.',
          'black -p "…" runs a task without one; black --help shows the rest.',
        );
  }
  return (await import('../tui/run-tui.ts')).runTui(invocation, io);
}
