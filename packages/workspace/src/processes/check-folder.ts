import { accessSync, constants, statSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';

/** @throws BlackError `cwd_missing` for what is not a folder that can be entered. */
export function checkFolder(cwd: string): void {
  let problem = 'is not a folder';
  try {
    if (statSync(cwd).isDirectory()) {
      accessSync(cwd, constants.X_OK);
      return;
    }
  } catch (error) {
    problem = errnoOf(error) === 'ENOENT' ? 'does not exist (any more)' : `cannot be entered (${errnoOf(error)})`;
  }
  throw new BlackError('cwd_missing', `The folder ${cwd} ${problem}.`, 'Choose another folder for the command.');
}
