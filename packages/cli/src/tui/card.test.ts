import type { Request } from '@black-ide/protocol';
import { expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { Card, GUARD_MS } from './card.ts';

const PLAIN = painter({}, false);

function permission(args: Record<string, unknown>, name = 'run_command'): Request {
  return {
    id: 'q1',
    kind: 'permission',
    title: `Allow ${name}`,
    payload: { callId: 'c1', name, args, decision: { why: 'no rule allows it' } },
    options: [
      { value: 'allow', label: 'Allow once' },
      { value: 'deny', label: 'Deny' },
    ],
    default: 'deny',
  };
}

it('shows the whole command with what is hidden in it, and why it is asked', () => {
  const command = `echo ${'long '.repeat(40)}\u202e\nsecond line`;
  const body = new Card(permission({ command })).body(40, PLAIN);
  const text = body.map((line) => line.slice(2)).join(' ');
  expect(text).toContain('Run this command? $ echo long');
  expect(text).toContain('<U+202E> second line (no rule allows it)');
  expect(text.match(/long/g)).toHaveLength(40);
  expect(Math.max(...body.map((line) => line.length))).toBeLessThanOrEqual(40);
});

it('shows what an edit would change', () => {
  const body = new Card(permission({ path: '.env', old_string: 'a', new_string: 'b\nc' }, 'edit_file')).body(60, PLAIN);
  expect(body).toEqual(expect.arrayContaining(['│ -a', '│ +b', '│ +c']));
});

it('field notes §4 #43: focuses nothing by itself, and takes no key before it was seen for 250 ms', () => {
  const card = new Card(permission({ command: 'make' }));
  expect(card.focused).toBeUndefined();
  expect(card.isReady(1_000_000)).toBe(false);
  card.painted(1_000);
  card.painted(1_200);
  expect(card.isReady(1_000 + GUARD_MS - 1)).toBe(false);
  expect(card.isReady(1_000 + GUARD_MS)).toBe(true);
  card.hidden();
  expect(card.isReady(9_000)).toBe(false);
});

it('asks for words with a refusal, and where there is nothing to choose from', () => {
  expect(new Card(permission({})).options.map(({ wantsWords }) => wantsWords)).toEqual([false, true]);
  const asked = new Card({
    ...permission({}),
    kind: 'ask_user',
    title: 'Which?',
    options: [{ value: 'no', label: 'No' }],
  });
  expect(asked.options).toEqual([
    { value: 'no', label: 'No', wantsWords: false },
    { value: '', label: 'Answer in words', wantsWords: true },
  ]);
  expect(asked.body(40, PLAIN)).toEqual(['│ Which?']);
  expect(new Card({ ...permission({}), options: [] }).options).toEqual([
    { value: '', label: 'Answer in words', wantsWords: true },
  ]);
});

it('puts the choices below each other where they do not fit side by side', () => {
  const card = new Card(permission({}));
  expect(card.choices(60, PLAIN)).toEqual(['│   1 Allow once    2 Deny']);
  expect(card.choices(20, PLAIN)).toEqual(['│   1 Allow once', '│   2 Deny']);
  card.move(1);
  expect(card.choices(20, PLAIN)[0]).toBe('│ › 1 Allow once');
});

it('IDE-62 offers what it would allow from now on, whole, however narrow the screen is', () => {
  const rule = 'npm run build-everything-there-is …';
  const card = new Card({
    ...permission({ command: 'npm run build-everything-there-is' }),
    options: [
      { value: 'allow', label: 'Allow once' },
      { value: 'allow-session', label: `Allow \`${rule}\` in this session` },
      { value: 'deny', label: 'Deny' },
    ],
  });
  const drawn = card.choices(40, PLAIN).map((line) => line.slice(2).trim());
  expect(drawn.join(' ')).toContain(rule);
  expect(drawn.every((line) => line.length <= 38)).toBe(true);
  expect(card.options.map(({ wantsWords }) => wantsWords)).toEqual([false, false, true]);
});

function plan(artifacts: unknown): Request {
  return {
    id: 'q2',
    kind: 'plan',
    title: 'Carry out this plan?',
    payload: { artifacts, summary: 'said above' },
    options: [
      { value: 'approve', label: 'Approve & Execute' },
      { value: 'reject', label: 'Reject & Revise' },
    ],
    default: 'reject',
  };
}

it('IDE-32 a plan shows its tasks, three answers at most, and its documents to open', () => {
  const tasks = Array.from({ length: 12 }, (_, at) => `- [ ] task ${at}`).join('\n');
  const folder = '.blackide/artifacts/x';
  const card = new Card(
    plan([
      { kind: 'implementation_plan', path: `${folder}/implementation_plan.md`, lines: 1, preview: '# Plan' },
      { kind: 'task_list', path: `${folder}/task_list.md`, lines: 12, preview: tasks },
    ]),
  );
  const body = card.body(60, PLAIN);
  expect(body[0]).toBe('│ Carry out this plan?');
  expect(body).toHaveLength(10);
  expect(body.at(-1)).toBe('│ …');
  expect(card.answers).toBe(3);
  expect(card.options.map(({ wantsWords }) => wantsWords)).toEqual([false, true, false, false, false]);
  expect(card.choices(80, PLAIN)).toEqual([
    '│   1 Approve & Execute    2 Reject & Revise    3 Edit first',
    '│   4 ▸ implementation plan · 1 line    5 ▸ task list · 12 lines',
  ]);
  expect(card.choices(40, PLAIN)).toHaveLength(5);
  expect(card.focused).toBeUndefined();
});

it('IDE-32 opens no path that a damaged log names outside the workspace', () => {
  const paths = ['/etc/passwd.md', '../x.md', 'a/../../x.md', 'a\\..\\..\\x.md', '\\\\host\\x.md', 'x.sh'];
  const card = new Card(plan(paths.map((path) => ({ kind: 'task_list', path, lines: 1, preview: '' }))));
  expect(card.options).toHaveLength(2);
  expect(new Card(plan('nonsense')).options).toHaveLength(2);
  expect(new Card(plan([null, 1, { kind: 'x' }])).options).toHaveLength(2);
});
