import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { foldersOfProgram, packageOfProgram } from './package-of-program.ts';

describe('packageOfProgram', () => {
  it('INT-20 tells name and version of the package behind a link, past folders that say only their module type', async () => {
    await using place = await createTempWorkspace({
      files: {
        'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', version: '7.0.2' }),
        'node_modules/typescript/lib/package.json': '{"type":"module"}',
        'node_modules/typescript/lib/tsc.js': '',
        'broken/package.json': '{',
        'broken/tool': '',
      },
    });
    mkdirSync(place.at('node_modules', '.bin'));
    symlinkSync('../typescript/lib/tsc.js', place.at('node_modules', '.bin', 'tsc'));
    writeFileSync(place.at('alone'), '');
    expect(packageOfProgram(place.at('node_modules', '.bin', 'tsc'))).toEqual({ name: 'typescript', version: '7.0.2' });
    expect(packageOfProgram(place.at('broken', 'tool'))).toBeUndefined();
    expect(packageOfProgram(place.at('no', 'such'))).toBeUndefined();
    expect(foldersOfProgram(place.at('node_modules', '.bin', 'tsc'))).toEqual([
      place.at('node_modules', '.bin'),
      place.at('node_modules'),
    ]);
    expect(foldersOfProgram(place.at('alone'))).toEqual([place.path]);
    expect(foldersOfProgram(place.at('no', 'such'))).toEqual([]);
  });
});
