import { isAbsolute, relative, resolve } from 'node:path';
import { realPathOf } from '@black-ide/workspace';
import { CliFailure, EXIT } from '../failure.ts';

/**
 * What a person names, as the index has it: a path that begins with `/`, `./` or `../` counts from where they are and is
 * told from the root; a name stays as it is.
 * @throws CliFailure for a path outside.
 */
export function relativeName(asked: string, root: string): string {
  if (!isAbsolute(asked) && !/^\.\.?(?:[/\\]|$)/.test(asked)) return asked;
  const inside = relative(realPathOf(root), realPathOf(resolve(root, asked))).replaceAll('\\', '/');
  if (inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside)) return inside || '.';
  throw new CliFailure(
    {
      code: 'outside',
      message: `${asked} is outside the working folder ${root}.`,
      next: 'cd to the folder that it lies in.',
    },
    EXIT.usage,
  );
}
