import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentions, occurrences, replaceWhole } from './occurrences.ts';

describe('occurrences', () => {
  it('IDE-28 tells whole words from parts of longer ones', () => {
    expect(occurrences('note notes notebook $note note.', 'note').map((each) => each.whole)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(mentions('saveNotes', 'saveNote')).toBe(false);
    expect(mentions('a-b', 'a')).toBe(true);
  });

  it('IDE-28 counts vowel signs and astral letters as parts of a word', () => {
    expect(mentions('নামে', 'নাম')).toBe(false);
    expect(mentions('নাম দিন', 'নাম')).toBe(true);
    expect(mentions('𝒳a', 'a')).toBe(false);
    expect(mentions('😀a', 'a')).toBe(true);
  });

  it('IDE-28 has no word edge where the text itself has none', () => {
    expect(occurrences('a=>b', '=>')).toEqual([{ at: 1, whole: true }]);
    expect(occurrences('abc', '')).toEqual([]);
  });

  it('IDE-28 replaces whole words only, and any text literally', () => {
    expect(replaceWhole('note notes note', 'note', '$&')).toBe('$& notes $&');
  });

  it('IDE-28 undoes itself where the new text is new', () => {
    const text = fc
      .array(fc.constantFrom('note', 'notes', ' ', '.', 'x', '\t', 'নাম'), { maxLength: 20 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (line) => {
        const changed = replaceWhole(line, 'note', 'qqq');
        expect(mentions(changed, 'note')).toBe(false);
        expect(replaceWhole(changed, 'qqq', 'note')).toBe(line);
      }),
    );
  });
});
