import type { AssistantMessage, ToolResultMessage, UserMessage } from '@black-ide/protocol';
import { textOf, zeroUsage } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextManager, type PlacedMessage, TRUNCATED } from './context-manager.ts';
import { estimateTokens, TokenMeter } from './tokens.ts';

const NONE = new Map<string, string>();

function user(text: string, entryId = 'u'): PlacedMessage {
  return { entryId, message: { role: 'user', content: text, timestamp: 0 } satisfies UserMessage };
}

function turn(id: string, output: string): PlacedMessage[] {
  const call: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: 'read_file', arguments: { path: id } }],
    api: 'x',
    provider: 'x',
    model: 'x',
    usage: zeroUsage(),
    stopReason: 'toolUse',
    timestamp: 0,
  };
  const result: ToolResultMessage = {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'read_file',
    content: [{ type: 'text', text: output }],
    isError: false,
    timestamp: 0,
  };
  return [
    { entryId: `a${id}`, message: call },
    { entryId: `r${id}`, message: result },
  ];
}

function tokensOf(placed: readonly PlacedMessage[]): number {
  const meter = new TokenMeter();
  return placed.reduce((sum, { message }) => sum + meter.of(message), 0);
}

describe('ContextManager.fit', () => {
  it('IDE-14 under budget nothing changes: the very same messages come back', () => {
    const placed = [user('hello'), ...turn('1', 'some output')];
    const fitted = new ContextManager().fit(placed, 10_000, NONE);
    expect(fitted.cuts).toEqual([]);
    expect(fitted.messages.every((message, i) => message === placed[i]!.message)).toBe(true);
  });

  it('IDE-14 over budget the oldest results go first; calls, user messages and the newest results stay whole', () => {
    const placed = [user('question'), ...[1, 2, 3, 4, 5, 6].flatMap((n) => turn(String(n), 'x'.repeat(4_000)))];
    const budget = 5_000;
    const { messages, cuts, tokens } = new ContextManager().fit(placed, budget, NONE);
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(cuts.map((cut) => cut.entryId)).toEqual(['r1', 'r2', 'r3', 'r4']);
    expect(cuts.every((cut) => cut.text === TRUNCATED)).toBe(true);
    expect(messages).toHaveLength(placed.length);
    expect(textOf(messages.at(-1)!.content)).toBe('x'.repeat(4_000));
    expect(textOf(messages[0]!.content)).toBe('question');
  });

  it('IDE-23 a cut goes down to 60 % of the budget, so that the next turns need none', () => {
    const manager = new ContextManager();
    const placed = [user('q'), ...[...Array(20).keys()].flatMap((n) => turn(String(n), 'y'.repeat(2_000)))];
    const budget = tokensOf(placed) - 10;
    const first = manager.fit(placed, budget, NONE);
    expect(first.tokens).toBeLessThanOrEqual(budget * 0.6 + 600);
    const recorded = new Map(first.cuts.map((cut) => [cut.entryId, cut.text]));
    const next = manager.fit([...placed, ...turn('next', 'z'.repeat(2_000))], budget, recorded);
    expect(next.cuts).toEqual([]);
    expect(JSON.stringify(next.messages.slice(0, placed.length))).toBe(JSON.stringify(first.messages));
  });

  it('IDE-14 a single result over the budget (a 5 MB read) is cut to head and tail with a note', () => {
    const text = `HEAD ${'😀'.repeat(1_300_000)} TAIL`;
    const { messages, cuts, tokens } = new ContextManager().fit([user('q'), ...turn('1', text)], 20_000, NONE);
    expect(tokens).toBeLessThanOrEqual(20_000);
    const shown = textOf(messages.at(-1)!.content);
    expect(shown.startsWith('HEAD ')).toBe(true);
    expect(shown.endsWith(' TAIL')).toBe(true);
    expect(shown).toMatch(/\[\d+ of \d+ characters cut here to fit the context; ask for a smaller part/);
    expect(shown.isWellFormed()).toBe(true);
    expect(cuts).toHaveLength(1);
  });

  it('IDE-14 a user message that alone exceeds the budget is refused with its size', () => {
    const long = user('w'.repeat(40_000));
    expect(() => new ContextManager().fit([long], 5_000, NONE)).toThrow(/about 10008 tokens.*room for 5000/);
  });

  it('IDE-14 property: never over budget while results can be cut, pairs kept, recorded cuts give the same bytes', () => {
    const outputs = fc.array(fc.string({ maxLength: 3_000, unit: 'grapheme' }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(outputs, fc.integer({ min: 1_200, max: 6_000 }), (texts, budget) => {
        const placed = [user('q'), ...texts.flatMap((text, n) => turn(String(n), text))];
        const fitted = new ContextManager().fit(placed, budget, NONE);
        expect(fitted.messages.map((message) => message.role)).toEqual(placed.map(({ message }) => message.role));
        const recorded = new Map(fitted.cuts.map((cut) => [cut.entryId, cut.text]));
        const again = new ContextManager().fit(placed, budget, recorded);
        if (fitted.tokens <= budget) {
          expect(again.cuts).toEqual([]);
          expect(JSON.stringify(again.messages)).toBe(JSON.stringify(fitted.messages));
        }
        expect(fitted.tokens).toBeLessThanOrEqual(Math.max(budget, tokensOf(placed)));
      }),
    );
  });
});

describe('ContextManager.economise', () => {
  const turns = (count: number) => [...Array(count).keys()].flatMap((n) => turn(String(n), 'x'.repeat(4_000)));

  it('IDE-23 old results are cut late the first time, then early; each cut is large, so that the prefix stays cached', () => {
    const manager = new ContextManager();
    const budget = 100_000;
    const recorded = new Map<string, string>();
    const cutAt: number[] = [];
    for (let count = 1; count <= 150; count++) {
      const { cuts } = manager.economise([user('q'), ...turns(count)], budget, recorded);
      if (cuts.length > 0) cutAt.push(count);
      for (const { entryId, text } of cuts) recorded.set(entryId, text);
    }
    expect(cutAt[0]).toBe(45);
    expect(cutAt.length).toBeLessThanOrEqual(9);
    const { messages, tokens } = manager.economise([user('q'), ...turns(150)], budget, recorded);
    expect(tokens).toBeLessThan(budget * 0.45);
    expect(textOf(messages.at(-1)!.content)).toBe('x'.repeat(4_000));
  });

  it('IDE-14 a small window is used: results may take half of it', () => {
    const manager = new ContextManager();
    expect(manager.economise([user('q'), ...turns(4)], 9_000, new Map([['x', TRUNCATED]])).cuts).toEqual([]);
    const { cuts } = manager.economise([user('q'), ...turns(5)], 9_000, new Map([['x', TRUNCATED]]));
    expect(cuts).toHaveLength(4);
  });

  it('IDE-14 the results of the newest turn, which the model has not read yet, stay whole however many they are', () => {
    const [, ...results] = turns(9).filter(({ message }) => message.role === 'toolResult');
    const placed = [user('q'), ...turns(1), ...results];
    const { cuts } = new ContextManager().economise(placed, 9_000, new Map([['x', TRUNCATED]]));
    expect(cuts).toEqual([]);
  });

  it('IDE-23 property: what is recorded gives the same bytes again, and nothing but old results changes', () => {
    const outputs = fc.array(fc.string({ maxLength: 3_000, unit: 'grapheme' }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(outputs, fc.integer({ min: 500, max: 6_000 }), fc.boolean(), (texts, budget, long) => {
        const placed = [user('q'), ...texts.flatMap((text, n) => turn(String(n), text))];
        const before = new Map(long ? [['elsewhere', TRUNCATED]] : []);
        const first = new ContextManager().economise(placed, budget, before);
        const recorded = new Map([...before, ...first.cuts.map((cut) => [cut.entryId, cut.text] as const)]);
        const again = new ContextManager().economise(placed, budget, recorded);
        if (recorded.size === 0 || again.cuts.length === 0) {
          expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages));
          expect(again.tokens).toBe(first.tokens);
        }
        const kept = first.messages.filter((message) => message.role !== 'toolResult');
        expect(kept).toEqual(placed.map(({ message }) => message).filter((message) => message.role !== 'toolResult'));
        expect(first.messages.at(-1)).toBe(placed.at(-1)!.message);
      }),
    );
  });
});

describe('estimateTokens', () => {
  it('IDE-14 counts four ASCII characters to a token and other scripts one each', () => {
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('বাংলা')).toBe(5);
    expect(estimateTokens('')).toBe(0);
  });
});
