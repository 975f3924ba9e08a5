import type { Entry } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinalNo, pendingPlan, planningBroke, planningState, unfinishedPlan } from './planning-state.ts';

const custom = (customType: string, data: unknown) => ({ type: 'custom', customType, data });
const id = fc.constantFrom('q1', 'q2', 'toString');
const start = fc.boolean().map((planning) => custom('task_start', { messageId: 'm', maxIterations: 9, planning }));
const request = id.map((each) => custom('pending-plan-s', { id: each, kind: 'plan', payload: {}, options: [] }));
const response = fc
  .record({
    requestId: id,
    kind: fc.constantFrom('plan', 'permission'),
    value: fc.constantFrom('approve', 'reject'),
    text: fc.constantFrom(undefined, '', 'smaller'),
    by: fc.constantFrom('face', 'policy'),
  })
  .map((data) => custom('response', data));
const approved = fc
  .record({
    requestId: id,
    implementationPlan: fc.constantFrom('p', 1),
    taskList: fc.constant('t'),
    edited: fc.constantFrom([], null),
  })
  .map((data) => custom('approved_plan', data));
const artifact = fc
  .record({
    artifact: fc.constantFrom('implementation_plan', 'task_list', 'other'),
    path: fc.constantFrom('a.md', 7),
    file: fc.constantFrom({ version: 'v' }, null),
  })
  .map((details) => ({
    type: 'message',
    message: { role: 'toolResult', toolName: 'create_artifact', isError: false, details },
  }));
const junk = fc.oneof(
  fc.jsonValue().map((data) => custom('approved_plan', data)),
  fc.jsonValue().map((data) => custom('response', data)),
  fc.jsonValue().map((data) => custom('pending-plan-s', data)),
  fc.jsonValue().map((details) => ({ type: 'custom_message', customType: 'walkthrough_missing', details })),
  fc.jsonValue().map((message) => ({ type: 'message', message })),
);
const end = fc.constantFrom('completed', 'failed').map((outcome) => custom('task_end', { outcome, message: '' }));
const path = fc
  .array(fc.oneof(start, request, response, approved, artifact, end, junk), { maxLength: 20 })
  .map((entries) => entries.map((entry, at) => ({ ...entry, id: `e${at}`, parentId: null, timestamp: '' }) as Entry));

describe('planningState', () => {
  it('IDE-34 reads any log, and takes nothing for an approval but a yes to a plan that was asked for and kept', () => {
    fc.assert(
      fc.property(path, (entries) => {
        const state = planningState(entries);
        expect(pendingPlan(entries)).toEqual(state?.pending);
        planningBroke(entries);
        if (state?.phase !== 'executing') return;
        const text = JSON.stringify(entries);
        expect(text).toContain('"value":"approve"');
        expect(state.plan).toMatchObject({ implementationPlan: 'p', taskList: 't', edited: [] });
        expect(unfinishedPlan(entries)).toEqual(state.plan);
        expect(state.answer?.requestId).toBe(state.plan?.requestId);
      }),
    );
    expect(planningState([])).toBeUndefined();
  });

  it('IDE-35 nothing waits behind an answer, the end of the task, or another task', () => {
    fc.assert(
      fc.property(path, id, fc.constantFrom('approve', 'reject'), (entries, requestId, value) => {
        const at = (fields: object) => ({ id: 'x', parentId: null, timestamp: '', ...fields }) as Entry;
        const asked = [...entries, at(custom('pending-plan-s', { id: requestId, kind: 'plan' }))];
        if (planningState(asked)) expect(pendingPlan(asked)?.id).toBe(requestId);
        const answer = { requestId, kind: 'plan', value, by: 'face' };
        expect(pendingPlan([...asked, at(custom('response', answer))])).toBeUndefined();
        expect(pendingPlan([...asked, at(custom('task_end', { outcome: 'failed' }))])).toBeUndefined();
        expect(pendingPlan([...asked, at(custom('task_start', { planning: true }))])).toBeUndefined();
      }),
    );
  });

  it.each([
    ['approve', undefined, 'face', false],
    ['reject', 'smaller', 'face', false],
    ['reject', ' ', 'face', true],
    ['reject', undefined, 'face', true],
    ['reject', 'Another thread was opened.', 'policy', true],
  ])('IDE-32 %s with %j by %s ends the task: %s', (value, text, by, isFinal) => {
    expect(isFinalNo({ requestId: 'q', kind: 'plan', value, by, ...(text === undefined ? {} : { text }) })).toBe(
      isFinal,
    );
  });
});
