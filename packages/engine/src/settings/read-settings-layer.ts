import type { ConfigProblem } from '@black-ide/protocol';
import type * as z from 'zod';
import { JsonDocument, type Position } from './json-document.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings-table.ts';

/** What one file sets, and where. */
export interface SettingsLayer {
  file: string;
  values: Partial<Settings>;
  /** Where a setting's value, or an element of its list, stands. */
  placeOf(key: SettingKey, index?: number): Position;
  problems: ConfigProblem[];
}

/** Keys of the person's file that other readers judge, and one for editors. */
const ELSEWHERE = new Set(['providers', '$schema']);
const GROUPS = new Set(SETTING_KEYS.flatMap((key) => (key.includes('.') ? [key.slice(0, key.indexOf('.'))] : [])));

interface Found {
  value: unknown;
  path: readonly string[];
}

/**
 * Reads the text of a `settings.json`. What is faulty is left out and reported; never throws.
 * @param ofWorkspace whether it is a workspace's, which has no say in where models are asked.
 */
export function readSettingsLayer(file: string, text: string, ofWorkspace = false): SettingsLayer {
  const document = new JsonDocument(text);
  const problems: ConfigProblem[] = document.faults.map((fault) => ({ file, severity: 'error', ...fault }));
  const report = (severity: ConfigProblem['severity'], path: readonly PropertyKey[], message: string): void => {
    problems.push({ file, severity, ...document.positionOf(path), message });
  };
  const found = new Map<string, Found>();
  if (document.faults.length === 0) {
    if (!isObject(document.value)) report('error', [], 'the settings must be an object');
    else collect(document.value, found, (path) => report('error', path, `\`${path.join('.')}\` is there twice`));
  }
  const values: Partial<Settings> = {};
  for (const [key, { value, path }] of found) {
    if (!isSettingKey(key)) {
      if (ofWorkspace && key === 'providers')
        report('warning', path, 'a workspace cannot set `providers`; it is ignored');
      else if (!ELSEWHERE.has(key)) report('warning', path, `there is no setting \`${key}\``);
      continue;
    }
    const parsed = (SETTINGS[key].schema as z.ZodType).safeParse(value);
    if (parsed.success) Object.assign(values, { [key]: parsed.data });
    else
      for (const issue of parsed.error.issues) report('error', [...path, ...issue.path], `\`${key}\` ${reason(issue)}`);
  }
  const placeOf = (key: SettingKey, index?: number): Position => {
    const path = found.get(key)?.path ?? [];
    return document.positionOf(index === undefined ? path : [...path, index]);
  };
  return { file, values, placeOf, problems };
}

/** The settings of an object, under their dotted names, whichever way they are written. */
function collect(object: Record<string, unknown>, found: Map<string, Found>, twice: (path: string[]) => void): void {
  const add = (key: string, value: unknown, path: string[]): void => {
    if (found.has(key)) twice(path);
    found.set(key, { value, path });
  };
  for (const [key, value] of Object.entries(object)) {
    if (!GROUPS.has(key) || !isObject(value)) add(key, value, [key]);
    else for (const [inner, each] of Object.entries(value)) add(`${key}.${inner}`, each, [key, inner]);
  }
}

function reason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.map(String).join(', ')}`;
  return `is not right: ${issue.message}`;
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
