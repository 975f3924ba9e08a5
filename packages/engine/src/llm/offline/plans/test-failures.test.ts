import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insideWorkspace, readTestOutput } from './test-failures.ts';

const OUTPUTS: Record<string, { output: string; failed: string[]; place: string }> = {
  vitest: {
    output: ` ❯ src/a.test.ts (2 tests | 1 failed) 6ms
     × adds up 5ms
 FAIL  src/a.test.ts > store > adds up
AssertionError: expected 2 to be 3 // Object.is equality
 ❯ src/a.test.ts:2:63
 Test Files  1 failed (1)`,
    failed: ['src/a.test.ts > store > adds up'],
    place: 'src/a.test.ts:2',
  },
  jest: {
    output: `FAIL src/sum.test.js
  ● sum › adds
    expect(received).toBe(expected) // Object.is equality
    Expected: 3
      at Object.<anonymous> (src/sum.test.js:5:21)
      at node_modules/jest-circus/build/x.js:1:1
Tests:       1 failed, 1 total`,
    failed: ['sum › adds'],
    place: 'src/sum.test.js:5',
  },
  'node, spec': {
    output: `▶ store
  ✖ adds up (0.8ms)
✖ store (1.5ms)
ℹ tests 1
ℹ fail 1

✖ failing tests:

test at test/b.test.mjs:2:27
✖ adds up (0.8ms)
  AssertionError [ERR_ASSERTION]: 2 == 3
      at TestContext.<anonymous> (file:///w/notes/test/b.test.mjs:4:56)
      at node:internal/test_runner/test:1903:71`,
    failed: ['adds up'],
    place: '/w/notes/test/b.test.mjs:4',
  },
  'node, TAP': {
    output: `TAP version 13
    not ok 1 - adds up
      ---
      location: '/w/notes/test/b.test.mjs:2:27'
      error: '2 == 3'
      stack: |-
        TestContext.<anonymous> (file:///w/notes/test/b.test.mjs:2:56)
      ...
not ok 1 - store
  ---
  type: 'suite'
  failureType: 'subtestsFailed'
  ...
# fail 1`,
    failed: ['adds up'],
    place: '/w/notes/test/b.test.mjs:2',
  },
  pytest: {
    output: `>       assert add(1, 1) == 2
E       assert 3 == 2
tests/test_calc.py:3: AssertionError
FAILED tests/test_calc.py::test_add - assert 3 == 2
============================== 1 failed in 0.60s ===============================`,
    failed: ['tests/test_calc.py::test_add'],
    place: 'tests/test_calc.py:3',
  },
  unittest: {
    output: `FAIL: test_add (test_t.T.test_add)
  File "/w/py/test_t.py", line 4, in test_add
AssertionError: 2 != 3
Ran 1 test in 0.000s`,
    failed: ['test_add (test_t.T.test_add)'],
    place: '/w/py/test_t.py:4',
  },
  go: {
    output: `--- FAIL: TestAdd (0.00s)
    calc_test.go:7: got 3, want 2
FAIL
FAIL\texample.org/calc\t0.002s`,
    failed: ['TestAdd'],
    place: 'calc_test.go:7',
  },
  cargo: {
    output: `test tests::adds ... FAILED
thread 'tests::adds' (26583) panicked at src/lib.rs:8:9:
assertion \`left == right\` failed
             at /rustc/598/library/std/src/panicking.rs:689:5
             at ./src/lib.rs:8:9
test result: FAILED. 0 passed; 1 failed`,
    failed: ['tests::adds'],
    place: 'src/lib.rs:8',
  },
};

describe('the output of test runners', () => {
  it.each(Object.entries(OUTPUTS))('IDE-28 reads %s', (_, { output, failed, place }) => {
    const report = readTestOutput(output);
    expect(report.failed).toEqual(failed);
    expect(report.places.map((each) => `${each.path}:${each.line}`)[0]).toBe(place);
    expect(report.messages.length + report.summary.length).toBeGreaterThan(0);
  });

  it('IDE-28 counts the tests that could not run, and keeps each message with its test', () => {
    const report = readTestOutput(`___________________ ERROR at setup of TestA.test_get[x (y)] ____________________
E       recursive dependency involving fixture 'httpbin' detected
________________________________ TestA.test_add ________________________________
>       assert add(1, 1) == 3
E       assert 2 == 3
FAILED tests/test_a.py::TestA::test_add - ...
FAILED tests/test_a.py::test_sub[a b] - ValueError: no - not that
ERROR tests/test_a.py::TestA::test_get[x (y)]
ERROR tests/test_b.py - ModuleNotFoundError: No module named 'b'
======== 2 failed, 3 passed, 205 errors in 0.60s ========`);
    expect(report.failed).toEqual(['tests/test_a.py::TestA::test_add', 'tests/test_a.py::test_sub[a b]']);
    expect(report.broken).toEqual(['tests/test_a.py::TestA::test_get[x (y)]', 'tests/test_b.py']);
    expect(report.counts).toEqual({ failed: 2, broken: 205 });
    expect([...report.failed, ...report.broken].map((name) => report.said.get(name))).toEqual([
      'assert 2 == 3',
      'ValueError: no - not that',
      "recursive dependency involving fixture 'httpbin' detected",
      "ModuleNotFoundError: No module named 'b'",
    ]);
    expect(report.messages).toEqual([]);
  });

  it('IDE-28 reads the sum of a quiet pytest', () => {
    expect(readTestOutput('4 failed, 410 passed, 1 xfailed, 205 errors in 43.79s').counts).toEqual({
      failed: 4,
      broken: 205,
    });
  });

  it('IDE-28 names nothing outside the workspace', () => {
    const { places } = readTestOutput(
      Object.values(OUTPUTS)
        .map((each) => each.output)
        .join('\n'),
    );
    expect(places.filter(({ path }) => /node_modules|rustc|^node:/.test(path))).toEqual([]);
  });

  it('IDE-28 calls an absolute path as the workspace does', () => {
    const top = ['src/', 'test/', 'main.ts'];
    expect(insideWorkspace('/w/notes/test/a.test.ts', top)).toEqual(['test/a.test.ts']);
    expect(insideWorkspace('/home/src/x/src/a.ts', top)).toEqual(['src/x/src/a.ts', 'src/a.ts']);
    expect(insideWorkspace('/w/main.ts', top)).toEqual(['main.ts']);
    expect(insideWorkspace('/usr/lib/x.ts', top)).toEqual([]);
    expect(insideWorkspace('../x.ts', top)).toEqual([]);
    expect(insideWorkspace('a.ts', top)).toEqual(['a.ts']);
  });

  it('IDE-28 reads any output without throwing', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('not ok 1 - x', '✖ x', 'a.ts:1:2', 'FAIL a.ts > b', '  ---'),
          ),
          { maxLength: 30 },
        ),
        (lines) => {
          expect(readTestOutput(lines.join('\n')).failed).toBeInstanceOf(Array);
        },
      ),
    );
  });
});
