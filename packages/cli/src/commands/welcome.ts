import { UsageError } from '../args/usage-error.ts';
import type { Io } from '../io.ts';
import { VERSION } from '../version.ts';

/** `black` alone: there is no terminal UI in this version, so three things to try are shown. */
export function welcome({ world, out }: Io): number {
  if (!world.stdin.isTTY || !world.stdout.isTTY) {
    throw new UsageError(
      'There is nothing to do: the terminal UI is not part of this version.',
      'black -p "…" runs a task; black --help shows the rest.',
    );
  }
  out.write(
    [
      `Black IDE ${VERSION}`,
      '',
      'The terminal UI is not part of this version. To try in this folder:',
      '',
      '  black -p "What can you do?"',
      '  black -p "Run the tests"',
      '  black doctor',
      '',
      'black --help shows the rest.',
      '',
    ].join('\n'),
  );
  return 0;
}
