import { describe, expect, it } from 'vitest';
import { answerText, deadlineText, stackLines } from './answer-text.ts';
import type { DebugAnswer, Frame } from './report.ts';

let lastId = 0;
function frame(name: string, more: Partial<Frame> = {}): Frame {
  lastId += 1;
  return {
    id: lastId,
    name,
    path: '/w/a.ts',
    sourceReference: 0,
    place: 'a.ts',
    line: 3,
    column: 5,
    isUser: true,
    isPast: false,
    isLabel: false,
    ...more,
  };
}
const foreign = (name: string, more: Partial<Frame> = {}) => frame(name, { isUser: false, place: 'node:x', ...more });
const label = (name: string) => frame(name, { isLabel: true, isUser: false, line: 0 });

const ANSWER: Omit<DebugAnswer, 'outcome'> = {
  title: 'node a.ts',
  output: '',
  dropped: 0,
  breakpoints: [],
  leftMs: 600_000,
};

describe('answerText', () => {
  it('INT-33 tells of a stop: why, where, lines, locals, stack, others', () => {
    const top = frame('work');
    const text = answerText({
      ...ANSWER,
      output: 'hello\n',
      dropped: 12,
      breakpoints: [
        { place: 'b.ts:4', verified: false, line: 4, message: undefined },
        { place: 'c.ts:1', verified: false, line: 9, message: 'no code' },
        { place: 'd.ts:1', verified: true, line: 1, message: undefined },
      ],
      outcome: {
        state: 'stopped',
        stop: {
          reason: 'exception',
          text: 'Error: first\nsecond',
          thread: { id: 2, name: 'a.ts (process 7)', stopped: true },
          frames: [top],
          moreFrames: 3,
          top,
          locals: [
            { name: 'list', value: '[1]', type: 'Array', reference: 4 },
            { name: 'none', value: '', type: 'int', reference: 0 },
          ],
          moreLocals: 2,
          source: { from: 2, lines: ['two', 'three', ''] },
          alsoStopped: [{ id: 3, name: 'b.ts', stopped: true }],
          problems: ['the stack: late'],
        },
      },
    });
    expect(text).toBe(`Stopped (exception): Error: first
second
at work (a.ts:3:5)  [thread 2: a.ts (process 7)]

  2 | two
> 3 | three
  4 |

Locals:
  list = [1]  [ref 4]
  none = int
  … 2 more

Stack:
  #${top.id}   work (a.ts:3:5)
     … 3 more

Also stopped: thread 3 (b.ts, stopped)

[the stack: late]

Output (12 characters before it are left out):
hello

[breakpoint b.ts:4 is not set yet: its code is not loaded]
[breakpoint c.ts:1 (line 9) is not set yet: no code]`);
  });

  it.each([
    [undefined, 3, 'node a.ts has ended with exit code 3.'],
    ['deadline', undefined, 'The time of the debug session is over: node a.ts and its debugger were ended.'],
    ['stopped', undefined, 'The debug session was ended, and node a.ts with it.'],
    ['adapter', undefined, 'The debugger has died; node a.ts was ended with it.\nits last words'],
  ] as const)('INT-32 tells how it ended: %s', (why, exitCode, expected) => {
    const words = why === 'adapter' ? 'its last words' : '';
    expect(answerText({ ...ANSWER, outcome: { state: 'ended', exitCode, why, words } })).toBe(expected);
  });

  it('INT-32 tells when the session is ended', () => {
    expect(deadlineText({ ...ANSWER, outcome: { state: 'running' } })).toBe('[the session is ended in 10 min]');
    expect(deadlineText({ ...ANSWER, leftMs: 1_500, outcome: { state: 'running' } })).toBe(
      '[the session is ended in 2 s]',
    );
  });
});

describe('stackLines', () => {
  it('INT-33 counts foreign frames, and of the past tells only the own ones', () => {
    const past = { isPast: true };
    const lines = stackLines([
      foreign('fail'),
      frame('mine'),
      ...['a', 'b', 'c'].map((name) => foreign(name)),
      label('setTimeout'),
      foreign('x', past),
      label('await'),
      foreign('y', past),
      frame('before', past),
      label('await'),
      foreign('z', past),
    ]);
    expect(lines.map((line) => line.replace(/#\d+ +/, '').trim())).toEqual([
      'fail (node:x:3:5)',
      'mine (a.ts:3:5)',
      'a (node:x:3:5)',
      '… 2 not of this workspace',
      '— await —',
      'before (a.ts:3:5)',
    ]);
  });
});
