import { expect, it } from 'vitest';
import { countTests, type TestFile } from './count-tests.mjs';

function file(status: string, ...tests: string[]): TestFile {
  const assertionResults = tests.map((each, i) => ({ status: each, title: `t${i}`, fullName: `t${i}` }));
  return { name: 'x.test.ts', status, message: 'why', assertionResults };
}

const report = (...testResults: TestFile[]) => ({ startTime: 0, testResults });

it('counts passed and failed tests', () => {
  const counted = countTests(
    report(file('passed', 'passed', 'passed'), file('failed', 'failed', 'passed', 'skipped')),
    1,
  );
  expect(counted).toEqual({ passed: 3, failed: 1, why: [] });
});

it('counts a run without a report as a failure', () => {
  expect(countTests(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
});

it('counts a run without tests as a failure', () => {
  expect(countTests(report(), 0)).toMatchObject({ passed: 0, failed: 1, why: ['no test ran'] });
});

it('counts a file that could not be loaded as a failure', () => {
  expect(countTests(report(file('failed'), file('passed', 'passed')), 1)).toMatchObject({ passed: 1, failed: 1 });
});

it('counts a failing runner as a failure though each test passed', () => {
  expect(countTests(report(file('passed', 'passed')), 1)).toMatchObject({ passed: 1, failed: 1 });
  expect(countTests(report(file('passed', 'passed')), null)).toMatchObject({ passed: 1, failed: 1 });
});
