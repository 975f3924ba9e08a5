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
      `$ make${' '.repeat(300)}`,
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

  it('takes a payload of any shape', () => {
    expect(requestText({ ...request, payload: { name: 1 } })).toEqual(['Allow run_command?']);
    expect(requestText({ ...request, payload: { name: 'x', args: null, decision: 'y' } })).toEqual([
      'Allow run_command?',
      'x',
    ]);
    expect(requestText({ ...request, kind: 'loop_limit', payload: { limit: 3 } })).toEqual(['Allow run_command?']);
  });
});
