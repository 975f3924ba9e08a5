import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the floor is the agreed one, byte for byte: a faster reference would flatter nobody, a slower one us', () => {
  const bytes = readFileSync(join(import.meta.dirname, 'floor.mjs'));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    'cc70df5c19c484365c1fcc5b5418a407d400991e94f32e381a487e4be22ec98b',
  );
});
