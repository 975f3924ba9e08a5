import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineCommandSchema, parseCommand } from './commands.ts';

const TYPES = engineCommandSchema.options.map((option) => option.shape.type.value);

describe('parseCommand', () => {
  it('IDE-11 answers anything at all with a command or a typed error, and never throws', () => {
    const message = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true, withSparseArray: true }),
      fc.record({ type: fc.anything({ withNullPrototype: true }), sessionId: fc.anything() }),
      fc.record({ type: fc.constantFrom(...TYPES), sessionId: fc.jsonValue(), text: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(message, (input) => {
        const parsed = parseCommand(input);
        if (parsed.ok) expect(TYPES).toContain(parsed.command.type);
        else expect(['malformed_command', 'unknown_command']).toContain(parsed.error.code);
      }),
    );
  });

  it('IDE-11 tells an unknown command from a malformed one', () => {
    expect(parseCommand({ type: 'sing' })).toMatchObject({ ok: false, error: { code: 'unknown_command' } });
    expect(parseCommand({ type: 'constructor' })).toMatchObject({ ok: false, error: { code: 'unknown_command' } });
    expect(parseCommand({ type: 'cancelTask' })).toMatchObject({ ok: false, error: { code: 'malformed_command' } });
    for (const input of [null, undefined, 7, 'hello', [], {}, { type: 7 }, JSON.parse('{"type":{"toString":5}}')]) {
      expect(parseCommand(input)).toMatchObject({ ok: false, error: { code: 'malformed_command' } });
    }
  });

  it('IDE-11 keeps error messages short, whatever was sent', () => {
    const parsed = parseCommand({ type: 'x'.repeat(1_000_000) });
    expect(!parsed.ok && parsed.error.message.length).toBeLessThan(200);
    const deep = parseCommand({ type: 'startAgentTask', sessionId: 's', images: Array(1_000).fill({}) });
    expect(!deep.ok && deep.error.message.length).toBeLessThan(700);
  });

  it('IDE-11 fills in what a face may leave out', () => {
    expect(parseCommand({ type: 'hello', protocol: 1 })).toEqual({
      ok: true,
      command: { type: 'hello', protocol: 1, capabilities: [] },
    });
    const answer = { type: 'respond', sessionId: 's', requestId: 'r', value: 'allow' };
    expect(parseCommand(answer)).toEqual({ ok: true, command: { ...answer, by: 'face' } });
  });
});
