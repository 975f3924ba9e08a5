import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wellFormedJson } from './well-formed-json.ts';

const HALVES = fc.constantFrom(
  '\ud83d',
  '\ude00',
  '\ud83d\ude00',
  '\\',
  '\\u',
  '\\ud83d',
  '"',
  '\n',
  'é',
  'x',
  '\u0000',
);

describe('wellFormedJson', () => {
  it('SES-6 makes every half of an emoji a replacement character, and touches nothing else', () => {
    const text = fc.oneof(
      fc.array(HALVES).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const value = texts.flatMap((each) => [each, { [each]: [each] }]);
        const json = JSON.stringify(value);
        const fixed = wellFormedJson(json);
        const whole = texts.map((each) => each.toWellFormed());
        expect(JSON.parse(fixed)).toEqual(whole.flatMap((each) => [each, { [each]: [each] }]));
        if (texts.every((each) => each.isWellFormed())) expect(fixed).toBe(json);
      }),
    );
  });

  it('SES-6 reads text of programs that escape all but ASCII', () => {
    fc.assert(
      fc.property(
        fc.array(HALVES).map((parts) => parts.join('')),
        (text) => {
          const json = JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => {
            const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
            return `\\u${code}`;
          });
          expect(JSON.parse(wellFormedJson(json))).toBe(text.toWellFormed());
          if (text.isWellFormed()) expect(wellFormedJson(json)).toBe(json);
        },
      ),
    );
  });

  it('SES-6 keeps pairs that another program wrote as escapes, in any case of letters', () => {
    expect(JSON.parse(wellFormedJson('"\\ud83d\\ude00 \\uD83D\\uDE00 \\uD83d"'))).toBe('😀 😀 \ufffd');
    expect(wellFormedJson('"\\ud83d\\ud83d\\ude00"')).toBe('"\\ufffd\\ud83d\\ude00"');
    expect(wellFormedJson('"\\\\ud83d"')).toBe('"\\\\ud83d"');
    expect(wellFormedJson('"\\\\\\ud83d"')).toBe('"\\\\\\ufffd"');
    expect(wellFormedJson('not json \\ud8')).toBe('not json \\ud8');
  });
});
