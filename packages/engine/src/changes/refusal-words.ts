import { BlackError } from '@black-ide/protocol';
import type { RestoreResult } from '@black-ide/workspace';

type Refused = Extract<RestoreResult, { ok: false }>;

/** So many files are named; the rest is counted. */
const NAMED = 5;

/**
 * Why nothing was taken back, for the person who has to do something about it. `meant`: the paths of all files that were
 * to be taken back, where they can also be taken back one by one.
 */
export function refusalOf({ error, conflicts, foreign }: Refused, meant: readonly string[] = []): BlackError {
  const { code, message } = error;
  if (foreign && foreign.length > 0) {
    const by = Map.groupBy(foreign, (one) => one.by);
    const who = [
      ['You or another program', by.get('somebody')],
      ['Another session', by.get('another session')],
    ] as const;
    const changed = who.flatMap(([name, files]) =>
      files ? [`${name} changed ${named(files.map(({ path }) => path))} since.`] : [],
    );
    return new BlackError(code, `${changed.join(' ')} That would stay, merged.`, error.next);
  }
  if (conflicts && conflicts.length > 0) {
    const paths = new Set(conflicts.map(({ path }) => path));
    const others = [...new Set(meant)].filter((path) => !paths.has(path));
    const rest = others.length > 0 ? `The other files can be taken back one by one: ${named(others)}. ` : '';
    return new BlackError(code, message, `${rest}Mend ${named([...paths])} by hand.`);
  }
  return new BlackError(code, message, error.next);
}

function named(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return `${paths.slice(0, NAMED).join(', ')}${more}`;
}
