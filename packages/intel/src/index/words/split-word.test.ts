import { describe, expect, it } from 'vitest';
import { splitWord } from './split-word.ts';

describe('the terms of a word', () => {
  it.each([
    ['parseHTTPBody', ['pars', 'http', 'body', 'parsehttpbody']],
    ['read_file_2', ['read', 'fil', 'readfile2']],
    ['sha256sum', ['sha', '256', 'sum', 'sha256sum']],
    ['__init__', ['init']],
    ['READ_ONLY', ['read', 'only', 'readonly']],
    ['readfile', ['readfil']],
    ['readFile', ['read', 'fil', 'readfil']],
    ['x', []],
  ])('INT-7 splits %s at its borders and keeps it whole', (word, terms) => {
    expect(splitWord(word)).toEqual(terms);
  });

  it('INT-7 finds relatives of an English word by one stem', () => {
    const forms = [
      ['parse', 'parses', 'parsed', 'parsing'],
      ['stop', 'stops', 'stopped', 'stopping'],
      ['entry', 'entries'],
      ['match', 'matches', 'matched'],
      ['apply', 'applies', 'applied'],
    ];
    for (const words of forms) expect(new Set(words.flatMap(splitWord)).size, words.join()).toBe(1);
    const apart = ['string', 'bus', 'class', 'process', 'status', 'sing', 'need', 'red'].flatMap(splitWord);
    expect(new Set(apart).size).toBe(8);
  });

  it('INT-7 leaves out what says nothing: words of every sentence, single letters, and what no person wrote', () => {
    expect(splitWord('isTheFileOfIt')).toEqual(['fil', 'isthefileofit']);
    expect(splitWord('dGhpc0lzQmFzZTY0RW5jb2RlZA3x9Zq7')).toEqual([]);
    expect(splitWord('a'.repeat(129))).toEqual([]);
    expect(splitWord('123456789012')).toEqual([]);
  });

  it('INT-7 knows words beyond ASCII, with or without accents', () => {
    expect(splitWord('Überprüfung')).toEqual(splitWord('Uberprufung'));
    expect(splitWord('cafe\u0301')).toEqual(splitWord('café'));
    expect(splitWord('décodeUTF8')).toEqual(splitWord('decodeUTF8'));
    expect(splitWord('ПроверитьФайл')).toEqual(['проверить', 'фаил', 'проверитьфаил']);
    expect(splitWord('ফাইল_খুলুন')).toEqual(['ফাইল', 'খুলুন', 'ফাইলখুলুন']);
    expect(splitWord('“quoted”')).toEqual(splitWord('quoted'));
  });

  it('INT-7 takes scripts without spaces by pairs of letters', () => {
    expect(splitWord('读取文件')).toEqual(['读取', '取文', '文件']);
    expect(splitWord('文件。目录')).toEqual(['文件', '目录']);
    expect(splitWord('loadファイル')).toContain('load');
    expect(splitWord('loadファイル')).toContain('ファ');
  });
});
