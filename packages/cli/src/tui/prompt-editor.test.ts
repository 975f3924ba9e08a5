import fc from 'fast-check';
import { expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { Completions } from './completions.ts';
import { given, kept } from './kept-text.ts';
import { PromptEditor } from './prompt-editor.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

const MODELS = ['openai/gpt-5-mini', 'openai/gpt-5', 'other/openai/gpt-5', 'google/gemini'];

const COMPLETIONS = new Completions({
  commands: () => SLASH_COMMANDS,
  paths: async () => ['src/a.ts'],
  argumentsOf: async (command) => (command === 'model' ? MODELS.map((value) => ({ value })) : []),
});

function editor() {
  const sent: string[] = [];
  const prompt = new PromptEditor(
    {
      paint: painter({}, false),
      rows: () => 24,
      changed: () => undefined,
      submit: (text) => sent.push(text),
    },
    COMPLETIONS,
  );
  const type = (text: string) => {
    for (const character of text) prompt.key(character);
  };
  const lines = () => prompt.draw(30).lines.slice(1, -1);
  return { prompt, sent, type, lines };
}

it('sends with Enter; Alt+Enter, Ctrl+J and a backslash before Enter begin a new line', () => {
  const { prompt, sent, type, lines } = editor();
  type('one');
  prompt.key('\u001b\r');
  type('two');
  prompt.key('\n');
  type('three\\');
  prompt.key('\r');
  type('four');
  expect(lines()).toEqual(['one', 'two', 'three', 'four']);
  prompt.key('\r');
  expect(sent).toEqual(['one\ntwo\nthree\nfour']);
  expect(prompt.isEmpty).toBe(true);
});

it('folds a long paste to a placeholder and sends what was pasted', () => {
  const { prompt, sent, type, lines } = editor();
  const text = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join('\n');
  type('see ');
  prompt.paste(text.replaceAll('\n', '\r'));
  expect(lines()).toEqual(['see [paste #1 +10000 lines]']);
  expect(prompt.text).toBe(`see ${text}`);
  prompt.key('\r');
  expect(sent).toEqual([`see ${text}`]);
});

it('takes a folded paste away with one key', () => {
  const { prompt, type } = editor();
  type('a');
  prompt.paste('x\n'.repeat(50));
  prompt.key('\u007f');
  expect(prompt.text).toBe('a');
});

it('writes out what is invisible in a short paste', () => {
  const { prompt } = editor();
  prompt.paste('rm \u202e-rf\u001b[31m x');
  expect(prompt.text).toBe('rm <U+202E>-rf␛[31m x');
});

it('deletes wide and combined characters whole and keeps the cursor where they end', () => {
  const { prompt, type } = editor();
  type('漢字');
  expect(prompt.draw(30).cursor).toEqual({ row: 1, column: 4 });
  prompt.key('\u007f');
  type('e\u0301');
  prompt.key('\u007f');
  expect(prompt.text).toBe('漢');
});

it('goes through earlier prompts and comes back to what was written', () => {
  const { prompt } = editor();
  prompt.remember(['first', 'second']);
  prompt.key('\u001b[A');
  expect(prompt.text).toBe('second');
  prompt.key('\u001b[A');
  expect(prompt.text).toBe('first');
  prompt.key('\u001b[B');
  prompt.key('\u001b[B');
  expect(prompt.text).toBe('');
});

it('one Enter sends a command with the argument that was typed in full or chosen', async () => {
  const { prompt, sent, type } = editor();
  const offered = () => expect.poll(() => prompt.isCompleting).toBe(true);
  type('/model openai/gpt-5');
  await offered();
  prompt.key('\r');
  type('/model gemi');
  await offered();
  prompt.key('\r');
  type('/model gpt-5');
  await offered();
  // What begins with it or has it as its name comes before what only holds it.
  expect(prompt.draw(60).lines.slice(3).join()).toMatch(/openai\/gpt-5-mini.*openai\/gpt-5.*other/);
  prompt.key('\u001b[B');
  prompt.key('\r');
  expect(sent).toEqual(['/model openai/gpt-5', '/model google/gemini', '/model openai/gpt-5']);
  expect(prompt.isEmpty).toBe(true);
});

it('keys that are faster than the completions send what was typed', async () => {
  const { prompt, sent, type } = editor();
  type('/mod');
  await expect.poll(() => prompt.isCompleting).toBe(true);
  type('el openai/gpt-4');
  prompt.key('\r');
  type('/mo');
  await expect.poll(() => prompt.isCompleting).toBe(true);
  prompt.key('\r');
  expect(sent).toEqual(['/model openai/gpt-4', '/model']);
});

it('a paste arrives byte for byte: tabs, blanks before the first line, short or folded, wherever it stands', () => {
  const { prompt, sent, type, lines } = editor();
  const code = '\tif (a)\n\t\treturn  "x";\t';
  type('see');
  prompt.paste(code.replaceAll('\n', '\r'));
  expect(lines()).toEqual(['see⇥if (a)', '⇥⇥return  "x";⇥']);
  expect(prompt.text).toBe(`see${code}`);
  prompt.key('\r');
  const long = `  ${code}\u001b[31m\u0000\n`.repeat(12);
  prompt.paste(long);
  prompt.key('\r');
  type('a');
  prompt.paste('.b');
  prompt.paste('/c\n'.repeat(11));
  prompt.key('\r');
  expect(sent).toEqual([`see${code}`, long.trimEnd(), `a.b${'/c\n'.repeat(11).trimEnd()}`]);
  prompt.text = code;
  expect(prompt.text).toBe(code);
  prompt.text = '';
  prompt.remember([`x${code}y`]);
  prompt.key('\u001b[A');
  expect(prompt.text).toBe(`x${code}y`);
});

it('any paste comes back out of the editor as it went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      fc.pre(!/[\r\ufdd0-\ufdef\ufffe]/.test(text));
      expect(given(kept(text))).toBe(text);
    }),
  );
});

it('brings a prompt back with its pastes folded, and sends it whole; the draft keeps its own', () => {
  const { prompt, sent, type, lines } = editor();
  const [first, other] = ['x\n'.repeat(50), 'y\n'.repeat(50)];
  type('see ');
  prompt.paste(first);
  type(' end');
  prompt.key('\r');
  prompt.remember(['short', 'z\n'.repeat(20), sent[0]!]);
  type('draft ');
  prompt.paste(other);
  prompt.key('\u0001');
  const [up, down] = ['\u001b[A', '\u001b[B'];
  prompt.key(up);
  expect(lines()).toEqual(['see [paste #1 +51 lines] end']);
  prompt.key(up);
  expect(lines()).toEqual(['[paste #1 +20 lines]']);
  prompt.key(up);
  expect(lines()).toEqual(['short']);
  prompt.key(down);
  prompt.key(down);
  prompt.key(down);
  expect(prompt.text).toBe(`draft ${other}`);
  prompt.key(up);
  prompt.key('\r');
  expect(sent[1]).toBe(sent[0]);
});
