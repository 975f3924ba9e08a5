import type { Findings } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateFindings } from './validate-findings.ts';

const FILES: Record<string, string[]> = {
  'src/store.ts': ['export class Store {', '  save(title: string) {', "    if (title === '') return;", '  }', '}'],
  'src/main.ts': ["import { Store } from './store.ts';", 'new Store().save("");'],
};
const repository = { lines: (path: string) => FILES[path] };
const PATCH = `@@ -3,1 +3,1 @@
-    if (title === '') return;
+    if (title === '') throw new Error('no title');
`;
const GOOD: Findings = {
  rootCause: 'save returns where it should throw',
  affectedFiles: [
    { path: 'src/store.ts', startLine: 2, endLine: 4, symbol: 'Store.save', why: 'it swallows', confidence: 0.8 },
  ],
  proposedChanges: [{ path: 'src/store.ts', startLine: 3, endLine: 3, what: 'throw', patch: PATCH }],
  assessment: {
    complexity: { level: 'low', reason: 'a line' },
    risk: { level: 'low', reason: 'two callers' },
    confidence: { value: 0.8, reason: 'read' },
  },
  evidence: ['src/store.ts:3'],
  reproduction: null,
  testsToAdd: [],
};
const problemsOf = async (value: unknown): Promise<string[]> => {
  const result = await validateFindings(value, repository);
  return result.ok ? [] : result.problems;
};

/** Each makes a faulty report of a good one. */
const FAULTS: ((seed: number) => unknown)[] = [
  (seed) =>
    without(
      GOOD,
      ['rootCause', 'affectedFiles', 'proposedChanges', 'assessment', 'evidence', 'reproduction', 'testsToAdd'],
      seed,
    ),
  (seed) => ({
    ...GOOD,
    affectedFiles: [
      without(GOOD.affectedFiles[0]!, ['path', 'startLine', 'endLine', 'symbol', 'why', 'confidence'], seed),
    ],
  }),
  (seed) => ({ ...GOOD, assessment: without(GOOD.assessment, ['complexity', 'risk', 'confidence'], seed) }),
  (seed) => file({ path: `src/made-up-${seed}.ts` }),
  (seed) => file({ path: ['../etc/passwd', '/etc/passwd', 'SRC/store.ts', 'src', ''][seed % 5]! }),
  (seed) => file({ endLine: 6 + (seed % 1000) }),
  (seed) => file({ startLine: 5, endLine: 1 + (seed % 4) }),
  (seed) => file({ startLine: -(seed % 9) }),
  (seed) => file({ startLine: 1.5 + seed }),
  (seed) => file({ symbol: `Store.erase${seed}` }),
  (seed) => file({ confidence: 1.01 + seed }),
  () => file({ why: '   ' }),
  (seed) => ({ ...GOOD, [`extra${seed}`]: true }),
  (seed) => file({ [`extra${seed}`]: true }),
  () => ({ ...GOOD, affectedFiles: [] }),
  () => ({ ...GOOD, affectedFiles: Array.from({ length: 11 }, () => GOOD.affectedFiles[0]) }),
  (seed) => change({ patch: PATCH.replace("title === ''", `title === ${seed}`) }),
  (seed) => change({ patch: `not a patch ${seed}` }),
  () => change({ path: 'src/main.ts', startLine: 1, endLine: 1 }),
  (seed) => change({ path: `gone${seed}.ts` }),
  (seed) => ['a text', null, [], seed, { ...GOOD, rootCause: '' }][seed % 5],
];

function without(value: object, keys: string[], seed: number): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== keys[seed % keys.length]));
}
function file(more: object): unknown {
  return { ...GOOD, affectedFiles: [{ ...GOOD.affectedFiles[0], ...more }] };
}
function change(more: object): unknown {
  return { ...GOOD, proposedChanges: [{ ...GOOD.proposedChanges[0], ...more }] };
}

describe('validateFindings', () => {
  it('DX-4 takes what is true', async () => {
    expect(await validateFindings(GOOD, repository)).toEqual({ ok: true, findings: GOOD });
  });

  it('DX-4 says each fault in words that a model can mend it by', async () => {
    expect(await problemsOf(file({ path: 'src/a.ts' }))).toEqual(['affectedFiles.0.path: there is no file src/a.ts']);
    expect(await problemsOf(file({ endLine: 9 }))).toEqual([
      'affectedFiles.0.endLine: src/store.ts has 5 lines, not 9',
    ]);
    expect(await problemsOf(file({ symbol: 'Store.load' }))).toEqual([
      'affectedFiles.0.symbol: Store.load does not stand in src/store.ts:2-4',
    ]);
    expect(await problemsOf(change({ patch: '@@ -1,1 +1,1 @@\n-nothing\n+something\n' }))).toEqual([
      'proposedChanges.0.patch: it does not apply to src/store.ts',
    ]);
  });

  it('DX-4 property: no report with a fault is taken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(FAULTS.length - 1), fc.nat(100_000), async (fault, seed) => {
        expect((await validateFindings(FAULTS[fault]!(seed), repository)).ok).toBe(false);
      }),
    );
  });

  it('DX-4 takes none of 10,000 faulty reports', async () => {
    let taken = 0;
    for (let seed = 0; seed < 10_000; seed += 1) {
      if ((await validateFindings(FAULTS[seed % FAULTS.length]!(seed), repository)).ok) taken += 1;
    }
    expect(taken).toBe(0);
  });
});
