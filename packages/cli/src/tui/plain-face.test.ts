import { PassThrough } from 'node:stream';
import { emptyView, type Request } from '@black-ide/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Output } from '../headless/output.ts';
import type { Chat } from './chat.ts';
import { PlainFace } from './plain-face.ts';

const REQUEST: Request = {
  id: 'q',
  kind: 'permission',
  title: 'Run `make`?',
  payload: { name: 'run_command', args: { command: 'make' } },
  options: [
    { value: 'allow', label: 'Allow once' },
    { value: 'deny', label: 'Deny' },
  ],
  default: 'deny',
};

function begin() {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let told = '';
  stdout.on('data', (chunk) => {
    told += String(chunk);
  });
  const said: string[] = [];
  const answers: (string | undefined)[][] = [];
  const face = PlainFace.start({
    stdin,
    out: new Output(stdout),
    unicode: true,
    submit: (text) => void said.push(text),
    quit: () => undefined,
  });
  onTestFinished(() => face.stop());
  const chat = {
    view: emptyView('s'),
    running: true,
    request: undefined as Request | undefined,
    status: { mode: 'Agent', model: 'a/b' },
    answer: async (_request: Request, ...answer: (string | undefined)[]) => void answers.push(answer),
  };
  face.chat = chat as unknown as Chat;
  const ask = (): void => {
    chat.request = REQUEST;
    face.changed();
  };
  return { stdin, said, answers, ask, told: () => told };
}

it('field notes §4 #43: what was typed before the question stood there is a message, not its answer', async () => {
  const { stdin, said, answers, ask } = begin();
  stdin.write('1 more thing: do not push anything\n');
  ask();
  await vi.waitFor(() => expect(said).toEqual(['1 more thing: do not push anything']));
  expect(answers).toEqual([]);
});

it('field notes §4 #43: an answer counts once the question could be read; yes takes no further words', async () => {
  const { stdin, said, answers, ask, told } = begin();
  ask();
  stdin.write('1\n');
  await vi.waitFor(() => expect(told().match(/Run `make`/g)).toHaveLength(2));
  await vi.waitFor(() => expect(told()).toContain('Answer with the number'));
  stdin.write('1 and push it\n');
  await vi.waitFor(() => expect(told().match(/Answer with the number/g)).toHaveLength(2));
  expect(answers).toEqual([]);
  stdin.write('2 use ninja\n');
  await vi.waitFor(() => expect(answers).toEqual([['deny', 'use ninja']]));
  expect(said).toEqual([]);
});
