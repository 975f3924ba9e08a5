import type { Request } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { requestLine, requestText } from './request-text.ts';

const request: Request = {
  id: 'q1',
  kind: 'permission',
  title: 'Allow run_command?',
  payload: {
    name: 'run_command',
    args: { command: `make${' '.repeat(300)}\n\u202eclean` },
    decision: { why: 'It is not known.' },
  },
  options: [],
  default: 'deny',
};

describe('requestText', () => {
  it('shows the whole command that waits, its hidden characters made visible, and why it is asked', () => {
    expect(requestText(request)).toEqual([
      'Allow run_command?',
      '$ make<300 blanks>',
      '<U+202E>clean',
      '(It is not known.)',
    ]);
    expect(requestLine(request)).toMatch(/^Allow run_command\? \$ make/);
  });

  it('IDE-65 says that a command would run without a sandbox, and why', () => {
    const payload = { ...request.payload, args: { command: 'ls' }, unsandboxed: 'bubblewrap is not installed' };
    expect(requestText({ ...request, payload })).toContain('Runs without a sandbox: bubblewrap is not installed.');
  });

  it('IDE-83 numbers the options of a question of the model', () => {
    const options = ['red', 'blue'].map((value) => ({ value, label: value }));
    expect(requestText({ ...request, kind: 'ask_user', title: 'Which?', options })).toEqual([
      'Which?',
      '1. red',
      '2. blue',
    ]);
  });

  it('IDE-51 tells what an undo would not cover', () => {
    const ignored = ['node_modules/', 'dist/', 'a.log', 'b.log'];
    const told = (notCovered: unknown) =>
      requestText({ ...request, payload: { ...request.payload, notCovered } }).at(-1);
    expect(told({ ignored, large: ['big.bin'] })).toBe(
      'Undo does not cover: big.bin, node_modules/, dist/, a.log and 1 more',
    );
    expect(told({ why: 'the workspace is your home folder' })).toBe(
      'Undo does not cover it: the workspace is your home folder.',
    );
    const known = { ...request.payload, notCovered: { ignored }, notCoveredKnown: true };
    expect(requestText({ ...request, payload: known }).at(-1)).toBe('(It is not known.)');
    expect(told({ ignored: 5 })).toBe('(It is not known.)');
  });

  it('takes a payload of any shape', () => {
    expect(requestText({ ...request, payload: { name: 1 } })).toEqual(['Allow run_command?']);
    expect(requestText({ ...request, payload: { name: 'x', args: null, decision: 'y' } })).toEqual([
      'Allow run_command?',
      'x',
    ]);
    expect(requestText({ ...request, kind: 'loop_limit', payload: { limit: 3 } })).toEqual(['Allow run_command?']);
  });
});
