import { expect, it } from 'vitest';
import { readChat } from './chat/read-chat.ts';
import { type ModelRequest, modelRequest } from './model-request.ts';
import { parseScript } from './script.ts';
import { TurnSelector } from './turn-selector.ts';

function ask(...messages: [role: string, content: string][]): ModelRequest {
  const list = messages.map(([role, content]) =>
    role === 'tool' ? { role, content, tool_call_id: 'x' } : { role, content },
  );
  const tools = [{ type: 'function', function: { name: 'read' } }];
  const body = { model: 'm1', messages: list, tools };
  return modelRequest('chat', readChat(body), body, {});
}

it('by index: in order, each once, `times` as often as said, then the fallback', async () => {
  const selector = new TurnSelector({
    turns: [{ text: '1' }, { text: '2', times: 2 }, { text: '3' }],
    fallback: { text: 'end' },
  });
  const texts = [];
  for (let at = 0; at < 5; at++) texts.push((await selector.select(ask(['user', 'x'])))?.text);
  expect(texts).toEqual(['1', '2', '2', '3', 'end']);
});

it('by index: turns whose `when` does not fit wait for a request that fits', async () => {
  const selector = new TurnSelector([
    { text: 'b', when: { lastUserText: 'bee' } },
    { text: 'tool', when: { lastToolResult: 'ENOENT' }, times: 'always' },
    { text: 'any' },
  ]);
  expect((await selector.select(ask(['user', 'sea'])))?.text).toBe('any');
  expect((await selector.select(ask(['user', 'sea'], ['assistant', 'x'], ['tool', 'ENOENT: no'])))?.text).toBe('tool');
  expect((await selector.select(ask(['user', 'a bee'])))?.text).toBe('b');
  expect(await selector.select(ask(['user', 'a bee']))).toBeUndefined();
});

it('by conversation: a repeated request gets the same turn', async () => {
  const selector = new TurnSelector({ match: 'conversation', turns: [{ text: '0' }, { text: '1' }] });
  const second = ask(['user', 'x'], ['assistant', '0'], ['tool', 'r']);
  expect((await selector.select(second))?.text).toBe('1');
  expect((await selector.select(second))?.text).toBe('1');
  expect((await selector.select(ask(['user', 'x'])))?.text).toBe('0');
});

it('by last user text: each prompt has a run of turns of its own', async () => {
  const selector = new TurnSelector({
    match: 'last-user-text',
    turns: [
      { text: 'a0', when: { lastUserText: 'alpha' } },
      { text: 'b0', when: { lastUserText: { pattern: '^BETA', flags: 'i' } } },
      { text: 'a1', when: { lastUserText: 'alpha' } },
    ],
  });
  expect((await selector.select(ask(['user', 'alpha'])))?.text).toBe('a0');
  expect((await selector.select(ask(['user', 'alpha'], ['assistant', 'a0'], ['tool', 'r'])))?.text).toBe('a1');
  const later = ask(['user', 'alpha'], ['assistant', 'a0'], ['user', 'beta please']);
  expect((await selector.select(later))?.text).toBe('b0');
});

it('a function gets the request and its index', async () => {
  const selector = new TurnSelector((request, index) => ({ text: `${request.lastUserText} ${index}` }));
  await selector.select(ask(['user', 'x']));
  expect((await selector.select(ask(['user', 'y'])))?.text).toBe('y 1');
});

it('matches on system text, model, wire and offered tools', async () => {
  const turn = (when: object) => parseScript([{ when }]);
  const request = ask(['system', 'be brief'], ['user', 'x']);
  for (const fits of [{ system: 'brief' }, { model: 'm1' }, { wire: 'chat' }, { tool: 'read' }]) {
    expect(await new TurnSelector(turn(fits)).select(request)).toBeDefined();
  }
  for (const not of [{ system: 'long' }, { model: 'm2' }, { wire: 'anthropic' }, { tool: 'write' }]) {
    expect(await new TurnSelector(turn(not)).select(request)).toBeUndefined();
  }
});

it('says what is wrong with a script', () => {
  expect(() => parseScript([{ txt: 'typo' }])).toThrow(/txt/);
  expect(() => parseScript({ turns: [{ toolCalls: [{ name: 'a', args: {}, rawArgs: '{' }] }] })).toThrow(
    /args or rawArgs/,
  );
  expect(parseScript({ turns: [], match: 'conversation' })).toEqual({ turns: [], match: 'conversation' });
});
