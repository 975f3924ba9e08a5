import { BlackError } from '@black-ide/protocol';
import { sweepLeftovers, sweepPrivateFolders } from '@black-ide/workspace';

/**
 * Removes what killed runs have left in the state folder.
 * @param now milliseconds since the epoch
 * @returns why it could not be done: no reason not to work.
 */
export function sweepHome(home: string, now: number): string | undefined {
  try {
    sweepPrivateFolders(home, now);
    sweepLeftovers({ home, now });
    return undefined;
  } catch (cause) {
    return `What a killed run left in ${home} could not be removed: ${BlackError.toValue(cause).message}`;
  }
}
