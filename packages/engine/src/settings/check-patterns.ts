import type { ConfigProblem } from '@black-ide/protocol';
import { UserPatterns } from '@black-ide/workspace';
import type { EffectiveSettings } from './merge-settings.ts';

const LISTS = ['allow', 'deny'] as const;

/**
 * What is wrong with the patterns of the lists of commands, each where it was written (IDE-64). An allowing one that is
 * faulty is left out, so that it only needs telling; while a forbidding one is, nothing runs unasked.
 */
export async function checkPatterns({
  values,
  placeOf,
}: Pick<EffectiveSettings, 'values' | 'placeOf'>): Promise<ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  for (const list of LISTS) {
    const key = `commandPolicy.${list}` as const;
    const { diagnostics } = await UserPatterns.compile(list, values[key]);
    for (const { pattern, message } of diagnostics) {
      problems.push({
        ...placeOf(key, values[key].indexOf(pattern)),
        severity: list === 'deny' ? 'error' : 'warning',
        message: `${key}: the pattern ${JSON.stringify(pattern)} is not in force. ${message}`,
      });
    }
  }
  return problems;
}
