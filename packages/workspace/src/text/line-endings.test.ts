import { describe, expect, it } from 'vitest';
import { endingNear, lineCounter, lineEndings } from './line-endings.ts';

describe('lineEndings', () => {
  it.each([
    ['', { lf: 0, crlf: 0, cr: 0, dominant: '\n', mixed: false, final: true }],
    ['a', { lf: 0, crlf: 0, cr: 0, dominant: '\n', mixed: false, final: false }],
    ['a\nb\n', { lf: 2, crlf: 0, cr: 0, dominant: '\n', mixed: false, final: true }],
    ['a\r\nb\r\nc', { lf: 0, crlf: 2, cr: 0, dominant: '\r\n', mixed: false, final: false }],
    ['a\rb\r', { lf: 0, crlf: 0, cr: 2, dominant: '\r', mixed: false, final: true }],
    ['a\r\nb\nc\r\n', { lf: 1, crlf: 2, cr: 0, dominant: '\r\n', mixed: true, final: true }],
    ['a\r\r\n', { lf: 0, crlf: 1, cr: 1, dominant: '\r\n', mixed: true, final: true }],
  ] as const)('IDE-52 counts the endings of %j', (text, expected) => {
    expect(lineEndings(text)).toEqual(expected);
  });
});

describe('lineCounter', () => {
  it('IDE-52 counts from 1, also in files of old Macs', () => {
    expect([0, 1, 2, 3, 4].map(lineCounter('a\nb\nc'))).toEqual([1, 1, 2, 2, 3]);
    expect([0, 2, 4].map(lineCounter('a\rb\rc'))).toEqual([1, 2, 3]);
    expect(lineCounter('a\r\nb')(3)).toBe(2);
  });
});

describe('endingNear', () => {
  it('IDE-52 takes the ending of the line, else of the one before', () => {
    expect(endingNear('a\r\nb\nc', 0)).toBe('\r\n');
    expect(endingNear('a\r\nb\nc', 3)).toBe('\n');
    expect(endingNear('a\r\nb', 3)).toBe('\r\n');
    expect(endingNear('a\rb', 2)).toBe('\r');
    expect(endingNear('a', 0)).toBe('\n');
  });
});
