import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';
import { MarkdownStream } from './markdown-stream.ts';

const PLAIN = painter({}, false);
const COLOUR = painter({ TERM: 'xterm' }, true);

function drawn(text: string, columns = 60, paint = PLAIN): string[] {
  const stream = new MarkdownStream(paint, () => columns);
  return [...stream.push(text), ...stream.end()];
}

describe('MarkdownStream', () => {
  it('draws headings, lists, quotes, code and tables for the eye', () => {
    expect(
      drawn(
        '# Title\n\n- one **two** `three`\n  1. deep\n> said\n\n```ts\nconst a = "*b*";\n```\n|a|bb|\n|---|---|\n|1|2|\nend',
      ),
    ).toEqual([
      'Title',
      '',
      '• one two three',
      '  1. deep',
      '│ said',
      '',
      '  const a = "*b*";',
      'a │ bb',
      '──│───',
      '1 │ 2',
      'end',
    ]);
  });

  it('aligns the columns of a table as they are marked, and strikes what is struck', () => {
    expect(drawn('|name|price|mid|\n|:-|--:|:-:|\n|a|12|x|\n|bb|1|yy|')).toEqual([
      'name │ price │ mid',
      '─────│───────│────',
      'a    │    12 │  x',
      'bb   │     1 │ yy',
    ]);
    expect(drawn('~~gone~~ ~ here~~')).toEqual(['~~gone~~ ~ here~~']);
    expect(drawn('~~gone~~', 60, COLOUR)).toEqual(['\u001b[9mgone\u001b[29m']);
  });

  it('hangs what is wrapped below the words of its item', () => {
    expect(drawn('- aaaa bbbb cccc dddd', 14)).toEqual(['• aaaa bbbb', '  cccc dddd']);
  });

  it('stacks a table that is too wide', () => {
    const lines = drawn(`|name|about|\n|-|-|\n|x|${'word '.repeat(20)}|`, 30);
    expect(lines[0]).toBe('• name  x');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  });

  it('a link tells where it leads, and names with underscores keep them', () => {
    expect(drawn('see [docs](https://a.b/c) and my_snake_case * 2 * 3')).toEqual([
      'see docs (https://a.b/c) and my_snake_case * 2 * 3',
    ]);
  });

  it('shows the unfinished line as it would be, without marks of a fence that is being written', () => {
    const stream = new MarkdownStream(PLAIN, () => 60);
    expect(stream.push('one\ntw')).toEqual(['one']);
    expect(stream.partial()).toEqual(['tw']);
    expect(stream.push('o\n``')).toEqual(['two']);
    expect(stream.partial()).toEqual([]);
  });

  it('IDE-79 hands out the same lines however the text is cut', () => {
    const piece = fc.constantFrom(
      '# h',
      '- a',
      '```',
      '|a|b|',
      '|-|-|',
      'text',
      '**b',
      '`',
      '\n',
      '\n',
      ' ',
      '\r\n',
      '漢',
      '> q',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (pieces, cuts) => {
          const text = pieces.join('');
          const stream = new MarkdownStream(PLAIN, () => 40);
          const lines: string[] = [];
          for (let at = 0; at < text.length; ) {
            const length = cuts.next().value as number;
            lines.push(...stream.push(text.slice(at, at + length)));
            at += length;
          }
          lines.push(...stream.end());
          expect(lines).toEqual(drawn(text, 40));
        },
      ),
    );
  });

  it('nothing in the text steers the terminal or hides from the reader', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const lines = drawn(`${text}\u001b[2J\u202e`, 40, COLOUR).join('\n');
        // Our own colours are the only escapes.
        expect(visibleText(stripVTControlCharacters(lines))).toBe(stripVTControlCharacters(lines));
        expect(lines).toContain('␛[2J<U+202E>');
      }),
    );
  });
});
