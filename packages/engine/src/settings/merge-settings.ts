import { type ConfigProblem, problemText } from '@black-ide/protocol';
import type { SettingsLayer } from './read-settings-layer.ts';
import { defaultSettings, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings-table.ts';

/** Where a setting, or an element of its list, was written. */
export interface SettingPlace {
  /** A file, or the name of a variable; there line and column are 0. */
  file: string;
  line: number;
  column: number;
}

/** What holds in the end. */
export interface EffectiveSettings {
  values: Readonly<Settings>;
  /** Why nothing may run unasked: the first error of the configuration. Absent: all of it could be read. */
  closed?: string;
  problems: readonly ConfigProblem[];
  /** Where an element of a list that forbids or allows was written, e.g. to report a pattern that is none. */
  placeOf(key: 'commandPolicy.allow' | 'commandPolicy.deny' | 'sandbox.allowedHosts', index: number): SettingPlace;
}

export interface SettingsLayers {
  /** What the person said for this run. */
  flags?: Partial<Settings>;
  env?: Readonly<Record<string, string | undefined>>;
  user?: SettingsLayer;
  /** Of a trusted workspace only: one that is not is never read. */
  workspace?: SettingsLayer;
}

/** What loosens. While anything of the configuration cannot be read, none of it holds. */
const LOOSENING = ['commandPolicy.allow', 'autoApproveTerminal'] as const satisfies readonly SettingKey[];

/**
 * Puts the layers together: flag, then the person's environment, their file, the workspace's file, the default. A
 * workspace may only tighten, by the keys that `SETTINGS` names; what else it sets is reported and ignored. Where there is
 * any error nothing that loosens holds (IDE-87: fail closed). Pure.
 */
export function mergeSettings({ flags = {}, env = {}, user, workspace }: SettingsLayers): EffectiveSettings {
  const problems = [...(user?.problems ?? []), ...(workspace?.problems ?? [])];
  const set: Partial<Settings>[] = [user?.values ?? {}, environment(env, problems), flags];
  const values: Settings = Object.assign(defaultSettings(), ...set);
  const isSet = (key: SettingKey): boolean => set.some((layer) => layer[key] !== undefined);
  const places = new Map<SettingKey, SettingPlace[]>();
  for (const key of SETTING_KEYS) {
    const own = user?.values[key];
    if (user && Array.isArray(own))
      places.set(
        key,
        own.map((_, index) => placeIn(user, key, index)),
      );
  }
  if (workspace) tighten(workspace, values, isSet, places, problems);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error) Object.assign(values, Object.fromEntries(LOOSENING.map((key) => [key, defaultSettings()[key]])));
  return {
    values,
    ...(error ? { closed: problemText(error) } : {}),
    problems,
    placeOf: (key, index) => places.get(key)?.[index] ?? { file: user?.file ?? '', line: 0, column: 0 },
  };
}

function environment(env: SettingsLayers['env'] & object, problems: ConfigProblem[]): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const key of SETTING_KEYS) {
    const { env: name, schema } = SETTINGS[key];
    const text = name && env[name];
    if (!text) continue;
    const parsed = schema.safeParse(text);
    if (parsed.success) values[key] = parsed.data;
    else problems.push({ file: name, line: 0, column: 0, severity: 'error', message: `it is no value of \`${key}\`` });
  }
  return values as Partial<Settings>;
}

function tighten(
  layer: SettingsLayer,
  values: Settings,
  isSet: (key: SettingKey) => boolean,
  places: Map<SettingKey, SettingPlace[]>,
  problems: ConfigProblem[],
): void {
  const ignored = (key: SettingKey, message: string): void => {
    problems.push({ ...placeIn(layer, key), severity: 'warning', message });
  };
  for (const key of SETTING_KEYS) {
    const value = layer.values[key];
    if (value === undefined) continue;
    const { workspace: rule } = SETTINGS[key];
    if (!rule) ignored(key, `a workspace cannot set \`${key}\`; it is ignored`);
    else if ('adds' in rule) {
      const added = value as string[];
      const before = values[key] as string[];
      Object.assign(values, { [key]: [...before, ...added] });
      places.set(key, [...(places.get(key) ?? []), ...added.map((_, index) => placeIn(layer, key, index))]);
    } else {
      const rank = (each: unknown): number => (rule.ranks as readonly unknown[]).indexOf(each);
      if (rank(value) < rank(SETTINGS[key].default)) {
        ignored(key, `a workspace can only make \`${key}\` stricter; it is ignored`);
      } else if (!isSet(key)) Object.assign(values, { [key]: value });
    }
  }
}

function placeIn(layer: SettingsLayer, key: SettingKey, index?: number): SettingPlace {
  return { file: layer.file, ...layer.placeOf(key, index) };
}
