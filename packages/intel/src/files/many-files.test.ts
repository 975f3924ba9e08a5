import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CodePlace } from './fixtures/use-code.ts';

/** All of them take a minute to write on a busy machine. */
const COUNT = process.env.BLACK_TEST_DEEP === '1' ? 100_000 : 20_000;

it('INT-4 holds a hundred thousand files: reads them once, and only what changed later', async () => {
  await using place = await CodePlace.make();
  for (let folder = 0; folder < COUNT / 100; folder++) {
    mkdirSync(place.workspace.at(`d${folder % 50}/e${folder}`), { recursive: true });
    for (let file = 0; file < 100; file++)
      writeFileSync(place.workspace.at(`d${folder % 50}/e${folder}/f${file}`), 'x');
  }
  const { code } = place.open();
  expect(await code.refresh()).toMatchObject({ added: COUNT });
  await code.dispose();
  const again = place.open();
  await place.workspace.write('d7/e7/f7', 'changed');
  expect(await again.code.refresh()).toMatchObject({ changed: 1, unchanged: COUNT - 1, rebuilt: undefined });
  expect(again.read()).toEqual(['d7/e7/f7']);
  expect(again.known()['d7/e7/f7']).toBe('changed');
}, 600_000);
