import { emptyView } from '@black-ide/protocol';
import { expect, it } from 'vitest';
import { widthOf } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { detailLines, runningLines } from './details.ts';

const paint = painter({}, false);

it('shows a running command whole, with what it has printed', () => {
  const command = `make ${'target '.repeat(20)}last`;
  const tool = { callId: 'c', name: 'run_command', args: { command }, output: 'one\rtwo\nthree' };
  const live = { ...emptyView('s').live, running: true, tools: [tool] };
  const lines = runningLines({ live }, 40, paint);
  expect(lines.join(' ')).toMatch(/^… \$ make target[\s\S]*last/);
  expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(['two', 'three']));
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
});

it('breaks wide lines of code and diffs instead of cutting them', () => {
  const code = `call(${'argument, '.repeat(12)}end)`;
  const entry = { id: 'e', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
  const result = {
    kind: 'toolResult' as const,
    entry,
    callId: 'c',
    name: 'edit_file',
    isError: false,
    content: [],
    details: { diff: `@@ -1 +1 @@\n+${code}` },
  };
  const answer = {
    kind: 'assistant' as const,
    entry: { ...entry, id: 'f', parentId: 'e' },
    content: [{ type: 'text' as const, text: `\`\`\`\n    ${code}\n\`\`\`` }],
    provider: 'p',
    model: 'm',
    stopReason: 'stop' as const,
  };
  const view = { ...emptyView('s'), items: [result, answer], leafId: 'f' };
  const lines = detailLines(view, 40, paint);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
  expect(lines.join('').match(/end\)/g)).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('        '))).not.toEqual([]);
});
