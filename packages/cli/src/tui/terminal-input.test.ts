import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Output } from '../headless/output.ts';
import { keyOf, TerminalInput } from './terminal-input.ts';

const MARKED = { begin: '\u001b[200~', end: '\u001b[201~' };

/** What an input tells of these reads, with pastes in angle brackets, as soon as it has told of `last`. */
async function heard(reads: readonly string[], last: string): Promise<string[]> {
  const stdin = new PassThrough();
  const told: string[] = [];
  const done = Promise.withResolvers<void>();
  const tell = (what: string): void => {
    told.push(what);
    if (what === last) done.resolve();
  };
  const out = new Output(new Writable({ write: (_chunk, _encoding, written) => written() }));
  const input = new TerminalInput(stdin, out, {
    key: ({ name, data }) => tell(name ?? data),
    paste: (text) => tell(`<${text}>`),
    ended: () => tell('ended'),
  });
  input.start();
  for (const read of reads) stdin.emit('data', read);
  await done.promise;
  input.stop();
  return told;
}

it('knows Home and End however a terminal spells them', () => {
  for (const sent of ['\u001b[H', '\u001bOH', '\u001b[1~', '\u001b[7~']) expect(keyOf(sent).name).toBe('home');
  for (const sent of ['\u001b[F', '\u001bOF', '\u001b[4~', '\u001b[8~']) expect(keyOf(sent).name).toBe('end');
  // For the editor too, which reads what was sent.
  expect(keyOf('\u001b[4~').data).toBe('\u001b[F');
});

it('tells text from keys', () => {
  expect(keyOf('é')).toEqual({ data: 'é', text: 'é' });
  expect(keyOf('\u0003')).toEqual({ data: '\u0003', name: 'ctrl+c' });
});

it('takes a burst of text for the paste of a terminal that does not mark them, line ends and all', async () => {
  const long = 'hello world\r'.repeat(10);
  expect(await heard([long], `<${long}>`)).toEqual([`<${long}>`]);
  // However it is split; what follows at once belongs to it.
  expect(await heard([long, long, 'the\tend\r'], `<${long}${long}the\tend\r>`)).toHaveLength(1);
  // A key ends it, and comes after it.
  expect(await heard([long, '\r'], 'enter')).toEqual([`<${long}>`, 'enter']);
  expect(await heard([long, '\u001b[A'], 'up')).toEqual([`<${long}>`, 'up']);
  expect(await heard([long, '\u0003'], 'ctrl+c')).toEqual([`<${long}>`, 'ctrl+c']);
});

it('leaves what is typed, and pastes that are marked, as they are', async () => {
  expect(await heard(['hi\r'], 'enter')).toEqual(['h', 'i', 'enter']);
  expect(await heard([`${'x'.repeat(70)}\u0003`], 'ctrl+c')).toHaveLength(71);
  const long = 'hello world\r'.repeat(10);
  expect(await heard([MARKED.begin, long, `${long}${MARKED.end}`, 'a'], 'a')).toEqual([`<${long}${long}>`, 'a']);
});
