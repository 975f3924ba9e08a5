import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTING_KEYS, SETTINGS } from './settings-table.ts';

it('IDE-87 every setting is in the docs as it is', () => {
  const docs = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  const rows = [
    ...docs.matchAll(/^\| `([A-Za-z.]+)` +\| `(.+?)` +\| ([a-z ]+?) +\| (?:`([A-Z_]+)`)? *\| (.+?) +\|$/gm),
  ];
  const told = rows.map(([, ...cells]) => cells);
  const are = SETTING_KEYS.map((key) => {
    const { default: usual, workspace, env, about } = SETTINGS[key];
    const may = workspace === undefined ? 'no' : 'adds' in workspace ? 'adds' : 'only stricter';
    return [key, typeof usual === 'string' ? usual : JSON.stringify(usual), may, env, about];
  });
  expect(told).toEqual(are);
});
