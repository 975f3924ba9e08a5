import { CliFailure } from '../failure.ts';
import type { World } from '../world.ts';

/** The working folder; throws a CliFailure when it was deleted under the shell. */
export function workingFolder(world: World): string {
  try {
    return world.cwd();
  } catch {
    throw new CliFailure({
      code: 'no_working_folder',
      message: 'The working folder no longer exists.',
      next: 'cd to a folder that exists and try again.',
    });
  }
}
