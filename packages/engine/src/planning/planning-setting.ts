import { BlackError } from '@black-ide/protocol';
import { readSettings } from '@black-ide/workspace';
import { PLANNING_SETTINGS, type PlanningSetting } from './route-prompt.ts';

/**
 * The setting `planning`: of the environment (`BLACK_PLANNING`), else of the person's settings file, else `standard`.
 * @throws BlackError `bad_settings` where it is none of its values: what was meant to hold must not be passed over.
 */
export function planningSetting(env: Readonly<Record<string, string | undefined>>, home: string): PlanningSetting {
  const named = env.BLACK_PLANNING;
  if (named) return checked(named, 'BLACK_PLANNING');
  const { path, text } = readSettings(home);
  if (text === undefined) return 'standard';
  const value = settingIn(text, path);
  if (value === undefined) return 'standard';
  const line = text.slice(0, text.indexOf('"planning"')).split('\n').length;
  return checked(value, `${path}:${line}: planning`);
}

function settingIn(text: string, path: string): unknown {
  try {
    const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return (settings as { planning?: unknown } | null)?.planning;
  } catch (cause) {
    throw new BlackError('bad_settings', `${path} is not JSON: ${(cause as Error).message}`, 'Mend it.');
  }
}

function checked(value: unknown, where: string): PlanningSetting {
  const known = PLANNING_SETTINGS.find((each) => each === value);
  if (known) return known;
  const shown = JSON.stringify(value)?.slice(0, 80);
  throw new BlackError('bad_settings', `${where} is ${shown}.`, `Make it one of: ${PLANNING_SETTINGS.join(', ')}.`);
}
