import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestFile } from './count-tests.mjs';
import { parseRequirements, prove } from './requirements.ts';

const texts = new Map([
  ['IDE-5', 'five'],
  ['IDE-52', 'fifty-two'],
  ['SES-1', 'one'],
]);

function file(name: string, tests: Record<string, string>): TestFile {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, title: fullName, status }));
  return { name: `/root/${name}`, status: 'passed', assertionResults };
}

function coverage(...testResults: TestFile[]) {
  const pathOf = (path: string) => path.replace('/root/', '');
  return prove(texts, { startTime: 0, testResults }, pathOf, (path) => path === 'a.ts');
}

it('lists each of the 164 requirements once, without a gap', () => {
  const all = parseRequirements(readFileSync(join(import.meta.dirname, '../../docs/requirements.md'), 'utf8'));
  const families = { IDE: 88, INT: 36, SES: 26, DX: 14 };
  const wanted = Object.entries(families).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, i) => `${name}-${i + 1}`),
  );
  expect([...all.keys()]).toEqual(wanted);
  expect(wanted).toHaveLength(164);
});

it('refuses a number that stands twice', () => {
  expect(() => parseRequirements('- IDE-1 a\n- IDE-1 b')).toThrow('IDE-1 stands twice');
});

it('takes a number as proven by a passed test that names it, with the code file beside the test', () => {
  const { requirements, unknown } = coverage(file('a.test.ts', { 'IDE-52 and SES-1 hold': 'passed' }));
  const proof = { test: 'IDE-52 and SES-1 hold', file: 'a.test.ts', code: 'a.ts' };
  expect(requirements.map(({ id, proven, passed }) => [id, proven, passed])).toEqual([
    ['IDE-5', false, []],
    ['IDE-52', true, [proof]],
    ['SES-1', true, [proof]],
  ]);
  expect(unknown).toEqual([]);
});

it('takes a number with a failed test as not proven, and a skipped test as nothing', () => {
  const { requirements } = coverage(
    file('b.test.ts', { 'IDE-5 x': 'passed', 'IDE-5 y': 'failed', 'SES-1 z': 'skipped' }),
  );
  expect(requirements.map(({ id, proven, failed }) => [id, proven, failed.map((each) => each.code)])).toEqual([
    ['IDE-5', false, ['b.test.ts']],
    ['IDE-52', false, []],
    ['SES-1', false, []],
  ]);
});

it('reports a test that names a number which does not exist', () => {
  const { unknown } = coverage(
    file('b.test.ts', { 'IDE-99 x': 'passed', 'UTF-16 and XIDE-5 are no requirements': 'passed' }),
  );
  expect(unknown.map((each) => each.id)).toEqual(['IDE-99']);
});
