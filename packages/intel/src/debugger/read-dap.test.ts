import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakpointOf,
  breakpointsOf,
  field,
  framesOf,
  scopesOf,
  stoppedOf,
  threadsOf,
  variablesOf,
} from './read-dap.ts';

/** Anything, with the protocol's own names more often than chance would have them. */
const names = fc.constantFrom(
  ...[
    'stackFrames',
    'variables',
    'scopes',
    'threads',
    'breakpoints',
    'breakpoint',
    'id',
    'name',
    'line',
    'source',
    'path',
  ],
  ...[
    'value',
    'type',
    'variablesReference',
    'expensive',
    'verified',
    'message',
    'reason',
    'threadId',
    'presentationHint',
  ],
);
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue(),
    fc.array(tie('body'), { maxLength: 4 }),
    fc.dictionary(names, tie('body'), { maxKeys: 6 }),
  ),
}));

describe('answers of debug adapters', () => {
  it('INT-31 are read whatever they are, and what comes out has its types', () => {
    fc.assert(
      fc.property(body, (answer) => {
        for (const { id, name, line, path, hint } of framesOf(answer)) {
          expect([typeof id, typeof name, typeof line]).toEqual(['number', 'string', 'number']);
          expect(path === undefined || path !== '').toBe(true);
          expect(['normal', 'subtle', 'label']).toContain(hint);
        }
        for (const { name, value, type, reference } of variablesOf(answer)) {
          expect([name, value, type].every((text) => typeof text === 'string')).toBe(true);
          expect(Number.isFinite(reference)).toBe(true);
        }
        for (const { reference, expensive } of scopesOf(answer))
          expect([typeof reference, typeof expensive]).toEqual(['number', 'boolean']);
        for (const { id } of threadsOf(answer)) expect(Number.isFinite(id)).toBe(true);
        for (const { verified } of [...breakpointsOf(answer), breakpointOf(answer)].filter(
          (each) => each !== undefined,
        )) {
          expect(typeof verified).toBe('boolean');
        }
        expect(typeof stoppedOf(answer).reason).toBe('string');
        expect(['undefined', 'string']).toContain(typeof field(answer, 'name', 'string'));
      }),
    );
  });

  it('INT-31 are read as the protocol says', () => {
    const source = { path: '/w/a.ts', presentationHint: 'deemphasize' };
    expect(framesOf({ stackFrames: [{ id: 3, name: 'f', line: 2, column: 1, source }] })).toEqual([
      {
        id: 3,
        name: 'f',
        path: '/w/a.ts',
        sourceName: undefined,
        sourceReference: 0,
        line: 2,
        column: 1,
        hint: 'subtle',
      },
    ]);
    expect(variablesOf({ variables: [{ name: 'special variables', value: '', variablesReference: 2 }] })).toEqual([
      { name: 'special variables', value: '', type: '', reference: 2, isGroup: true },
    ]);
    expect(stoppedOf({ reason: 'step', threadId: 4, allThreadsStopped: true })).toMatchObject({
      reason: 'step',
      threadId: 4,
      allThreadsStopped: true,
    });
  });
});
