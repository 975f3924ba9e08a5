import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedSession, SessionParser } from './session-parser.ts';

const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}';
const entry = (id: string, parentId: string | null, more: object = {}) =>
  JSON.stringify({ type: 'custom', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', customType: 'x', ...more });

describe('SessionParser', () => {
  it('SES-1 reads the header and every entry in order; unknown types and fields stay as they are (SES-2)', () => {
    const song = JSON.stringify({ type: 'song', id: 'b', parentId: 'a', timestamp: 't', notes: [1, { two: null }] });
    const header = HEADER.replace('}', ',"title":"T","parentSession":"p","ours":{"not":1}}');
    const parsed = parse([header, entry('a', null), song]);
    expect(parsed).toMatchObject({ problems: [], migrated: false, tooNew: false });
    expect(parsed.header).toEqual(JSON.parse(header));
    expect(parsed.entries).toEqual([JSON.parse(entry('a', null)), JSON.parse(song)]);
  });

  it('SES-6 an empty file, one without header, malformed JSON: nothing thrown, the rest loads and is reported', () => {
    expect(parse([])).toMatchObject({ header: undefined, entries: [], plausible: true, problems: [] });
    expect(parse([entry('a', null)])).toMatchObject({ header: undefined, entries: [{ id: 'a' }], plausible: true });
    expect(parse(['not json'])).toMatchObject({ header: undefined, entries: [], plausible: false });
    expect(parse(['# A readme', '', 'text'])).toMatchObject({ plausible: false });
    expect(parse(['{"name":"a package","type":"module"}'])).toMatchObject({ migrated: false, plausible: false });
    expect(parse(['{"type":"user","id":"of another tool"}'])).toMatchObject({ migrated: false, plausible: false });
    const parsed = parse([HEADER, 'garbage', entry('a', null), '', entry('b', 'a'), '[1]', 'null', '{"type":']);
    expect(parsed.entries.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(parsed.problems).toEqual([
      'Line 2 is no entry and was skipped.',
      'Line 4 is blank.',
      'Line 6 is no entry and was skipped.',
      'Line 7 is no entry and was skipped.',
      'Line 8 is no entry and was skipped.',
    ]);
  });

  it('SES-6 any garbage between entries costs no entry', () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom('', '   ', '\u0000\u0000', '{"type":"message"', '{"type":"message","id":5}', HEADER, '\ufeff'),
      fc.nat(80).map((cut) => entry('zz', 'a').slice(0, cut)),
    );
    const spots = fc.array(fc.array(garbage, { maxLength: 3 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(spots, (between) => {
        const ids = ['a', 'b', 'c', 'd', 'e'];
        const lines = ids.flatMap((id, i) => [...between[i]!, entry(id, i ? ids[i - 1]! : null)]);
        const parsed = parse([HEADER, ...lines.map((line) => line.replaceAll('\n', ' '))]);
        expect(parsed.header?.id).toBe('s1');
        expect(parsed.entries.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
        expect(new Set(parsed.entries.map(({ id }) => id)).size).toBe(parsed.entries.length);
        expect(parsed.problems.length).toBeLessThanOrEqual(51);
        expect(parsed.entries.every(({ parentId }) => parentId === null || typeof parentId === 'string')).toBe(true);
      }),
    );
  });

  it('SES-6 a last line without its end loads when it is whole and is reported when it is not', () => {
    expect(parse([HEADER, entry('a', null)], false)).toMatchObject({ entries: [{ id: 'a' }], problems: [] });
    const torn = parse([HEADER, entry('a', null).slice(0, -1)], false);
    expect(torn).toMatchObject({
      entries: [],
      problems: ['Line 2 was cut off in the middle of a write and was skipped.'],
    });
    for (let cut = 1; cut < HEADER.length; cut++) {
      expect(parse([HEADER.slice(0, cut)], false)).toMatchObject({ header: undefined, plausible: true });
    }
  });

  it('SES-6 the second of two headers or of two entries with one id is skipped, a missing parent makes a root', () => {
    const parsed = parse([
      HEADER,
      entry('a', null, { n: 1 }),
      HEADER,
      entry('a', null, { n: 2 }),
      '{"type":"x","id":"b"}',
    ]);
    expect(parsed.entries).toMatchObject([
      { id: 'a', n: 1 },
      { id: 'b', parentId: null },
    ]);
    expect(parsed.problems).toHaveLength(3);
  });

  it('SES-6 reports no more than a person can read', () => {
    const parsed = parse([HEADER, ...Array(500).fill('x')]);
    expect(parsed.problems).toHaveLength(51);
    expect(parsed.problems.at(-1)).toBe('… and 450 more.');
  });

  it('SES-5 knows a newer version, and one that is no number, as too new', () => {
    for (const version of ['4', '99', '"3"', 'null', '{}']) {
      const parsed = parse([HEADER.replace('"version":3', `"version":${version}`), entry('a', null)]);
      expect(parsed).toMatchObject({ tooNew: true, migrated: false, entries: [{ id: 'a' }] });
    }
    expect(parse([HEADER.replace('"version":3,', ''), '{"type":"x"}'])).toMatchObject({
      tooNew: false,
      migrated: true,
    });
  });

  it('SES-6 reads a file that an editor gave a mark and Windows line ends', () => {
    const parsed = parse([`\ufeff${HEADER}\r`, `${entry('a', null)}\r`]);
    expect(parsed).toMatchObject({ header: { id: 's1' }, entries: [{ id: 'a' }], problems: [] });
  });
});

function parse(lines: string[], lastIsComplete = true): ParsedSession {
  const parser = new SessionParser();
  for (const [i, line] of lines.entries()) parser.line(line, i + 1, lastIsComplete || i < lines.length - 1);
  return parser.finish();
}
