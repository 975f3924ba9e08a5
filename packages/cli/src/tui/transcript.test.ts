import { type Entry, foldEntries } from '@black-ide/protocol';
import { expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { Transcript } from './transcript.ts';

const paint = painter({}, false);

/** The lines that the entries of a session become, at so many columns. */
function told(columns: number, ...entries: Record<string, unknown>[]): string[] {
  const transcript = new Transcript(paint, () => columns);
  const log = entries.map((entry, at) => {
    const place = { id: `e${at}`, parentId: at > 0 ? `e${at - 1}` : null, timestamp: '2026-01-01T00:00:00.000Z' };
    return { ...place, ...entry } as unknown as Entry;
  });
  return foldEntries('s', log).items.flatMap((item) => transcript.add(item));
}

function called(name: string, args: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'message',
    message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name, arguments: args }] },
  };
}

function answered(toolName: string, text: string, isError: boolean, details?: unknown): Record<string, unknown> {
  const content = [{ type: 'text', text }];
  return { type: 'message', message: { role: 'toolResult', toolCallId: 'c1', toolName, content, isError, details } };
}

it('a refusal is told to its end, without the terms of the gate, below the call', () => {
  const why = 'It would delete what is outside of the workspace, and nobody could bring that back again.';
  const lines = told(
    40,
    called('run_command', { command: 'rm -rf /home/someone/else/and/a/very/long/path' }),
    answered('run_command', `Refused (stage 4, hard-deny): ${why}`, true),
  );
  expect(lines[0]).toMatch(/^✗ \$ rm -rf.*…$/);
  expect(lines.slice(1).join(' ').replace(/\s+/g, ' ')).toBe(` refused: ${why}`);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  const short = answered('run_command', 'Refused (stage 7, answer): use npm', true);
  expect(told(60, called('run_command', { command: 'make' }), short)).toEqual(['✗ $ make: refused: use npm']);
});

it('what a provider answers instead of an answer is told to its end', () => {
  const errorMessage = 'The provider says that the account has no credit left; buy some there, or use another model.';
  const lines = told(40, {
    type: 'message',
    message: { role: 'assistant', content: [], stopReason: 'error', errorMessage },
  });
  expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(`✗ ${errorMessage}`);
});

it('a question is told before its answer, once', () => {
  const request = {
    id: 'r1',
    kind: 'ask_user',
    title: 'Which one?',
    payload: { callId: 'c1' },
    options: [],
    default: '',
  };
  const lines = told(
    60,
    called('ask_user', { question: 'Which one?' }),
    { type: 'custom', customType: 'request', data: request },
    {
      type: 'custom',
      customType: 'response',
      data: { requestId: 'r1', kind: 'ask_user', value: 'pnpm', by: 'terminal' },
    },
    answered('ask_user', 'The person answered: pnpm', false),
  );
  expect(lines).toEqual(['? Which one?', '→ pnpm']);
});
