import { type Entry, foldEntries, timeline } from '@black-ide/protocol';
import { expect, it } from 'vitest';
import { painter } from './painter.ts';
import { timelineText } from './timeline-text.ts';

it('IDE-73 a tool that was called by way of call_tool is told with its own subject', () => {
  const message = (id: string, parentId: string | null, fields: object): Entry =>
    ({ type: 'message', id, parentId, timestamp: '', message: fields }) as unknown as Entry;
  const call = { type: 'toolCall', id: 'c', name: 'call_tool' };
  const entries = [
    message('a', null, {
      role: 'assistant',
      content: [{ ...call, arguments: { name: 'web_fetch', arguments: { url: 'https://example.com/x' } } }],
    }),
    message('b', 'a', { role: 'toolResult', toolCallId: 'c', toolName: 'web_fetch', content: [], isError: true }),
  ];
  expect(timelineText(timeline(foldEntries('s', entries)), 80, painter({}, false)).join('\n')).toContain(
    'https://example.com/x',
  );
});
