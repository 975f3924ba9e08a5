import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partMatches, relatives, splitWords, stem } from './words.ts';

describe('words of code and of people', () => {
  it.each([
    ['saveNote', ['save', 'note']],
    ['save_note-2', ['save', 'note', '2']],
    ['parseHTTPBody', ['parse', 'http', 'body']],
    ['MAX_TITLE', ['max', 'title']],
    ['শিরোনাম খালি', ['শিরোনাম', 'খালি']],
    ['Größe', ['größe']],
    ['{}();', []],
  ])('IDE-28 splits %s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it.each([
    ['validate', 'validated', 'validates', 'validating', 'validation', 'validator'],
    ['save', 'saves', 'saved', 'saving'],
    ['create', 'creates', 'created', 'creation', 'creator'],
    ['delete', 'deletes', 'deleted', 'deleting', 'deletion'],
    ['parse', 'parses', 'parsed', 'parsing', 'parser'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['note', 'notes', 'noted'],
    ['entry', 'entries'],
    ['copy', 'copies', 'copied', 'copying'],
    ['throw', 'throws', 'thrown', 'throwing'],
    ['write', 'writes', 'written', 'writing'],
    ['class', 'classes'],
    ['add', 'adds', 'added', 'adding'],
  ])('IDE-28 brings the forms of %s together', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it('IDE-28 keeps short and foreign words as they are', () => {
    expect(['id', 'string', 'status', 'শিরোনাম', 'utf8'].map(stem)).toEqual([
      'id',
      'string',
      'status',
      'শিরোনাম',
      'utf8',
    ]);
  });

  it('IDE-28 knows words that stand for one another, never the word itself', () => {
    expect(relatives(stem('validated'))).toContain('check');
    expect(relatives(stem('checked'))).toContain('valid');
    expect(relatives('valid')).not.toContain('valid');
    expect(relatives('nonsense')).toEqual([]);
  });

  it('IDE-28 prefers the same word to one that only begins alike', () => {
    expect(partMatches('notes', 'note')).toBe(1);
    expect(partMatches('notebook', 'note')).toBeLessThan(1);
    expect(partMatches('denote', 'note')).toBe(0);
  });

  it('IDE-28 stems any word to something that it begins with', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,14}$/), (word) => {
        const base = stem(word);
        expect(base.length).toBeGreaterThan(0);
        expect(base.slice(0, 2)).toBe(word.slice(0, 2));
      }),
    );
  });
});
