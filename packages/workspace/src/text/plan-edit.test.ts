import { describe, expect, it } from 'vitest';
import { planEdit } from './plan-edit.ts';

function edited(text: string, oldText: string, newText: string, all = false): string {
  const plan = planEdit(text, { oldText, newText, all });
  if (!plan.ok) throw new Error(`${plan.code}: ${plan.message}`);
  return plan.text;
}

describe('planEdit', () => {
  it.each([
    ['keeps CRLF', 'a\r\nb\r\nc\r\n', 'b\n', 'x\ny\n', 'a\r\nx\r\ny\r\nc\r\n'],
    ['keeps CRLF for an exact match of one line', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['keeps LF though the request has CRLF', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nx\r\n', 'a\nx\n'],
    ['keeps the endings of old Macs', 'a\rb\rc', 'a\nb', 'a\nx\ny', 'a\rx\ry\rc'],
    ['keeps each ending in a mixed file', 'a\r\nb\nc\r\nd\n', 'a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\r\nB\nc\r\nd\n'],
    ['takes the neighbour’s ending in a mixed file', 'a\r\nb\nc\r\n', 'b\n', 'b\nnew\n', 'a\r\nb\nnew\nc\r\n'],
    ['keeps blanks at the ends of unchanged lines', 'a  \nb\t\nc \n', 'a\nb\nc', 'a\nB\nc', 'a  \nB\nc \n'],
    ['keeps blanks behind the match', 'a  \nb  \n', 'a\nb', 'a\nx', 'a  \nx  \n'],
    ['keeps a missing final newline', 'a\nlast', 'last\n', 'new\nlast2\n', 'a\nnew\nlast2'],
    [
      'shifts the indentation',
      '\t\tif (x) {\n\t\t\ty();\n\t\t}\n',
      'if (x) {\n\ty();\n}',
      'if (x) {\n\ty();\n\n\tz();\n}',
      '\t\tif (x) {\n\t\t\ty();\n\n\t\t\tz();\n\t\t}\n',
    ],
    ['shifts it back', '  a\n    b\n', '    a\n      b\n', '    a\n      c\n', '  a\n    c\n'],
    [
      'turns spaces into the file’s tabs',
      'f {\n\tx {\n\t\ty\n\t}\n',
      'f {\n    x {\n        y\n',
      'f {\n    x {\n        y\n          z\n',
      'f {\n\tx {\n\t\ty\n\t\t  z\n\t}\n',
    ],
    ['turns tabs into the file’s spaces', 'f {\n  x\n', 'f {\n\tx', 'f {\n\tx\n\t\ty', 'f {\n  x\n    y\n'],
    [
      'keeps look-alikes that were not to change',
      's = “hi”; // don’t\n',
      `s = "hi"; // don't`,
      `s = "ho"; // don't`,
      's = “ho”; // don’t\n',
    ],
    ['keeps look-alikes on unchanged lines', '“a”\n“b”\n', '"a"\n"b"', '"a"\n"c"', '“a”\n“c”\n'],
    ['keeps a ligature whole', 'the ﬁle – x\n', 'the file - x', 'the fold - x', 'the fold – x\n'],
    ['deletes a line', 'a\r\nb\r\nc\r\n', 'b\n', '', 'a\r\nc\r\n'],
    ['deletes the last line', 'a\nb', '\nb', '', 'a'],
    ['does not leave half a line ending', 'a\r\nb\r\nc', '\nb', '', 'a\r\nc'],
  ])('IDE-52 %s', (_, text, oldText, newText, expected) => {
    expect(edited(text, oldText, newText)).toBe(expected);
  });

  it('IDE-52 replaces every place, each with its own endings and indentation', () => {
    expect(edited('x = 1; x = 2;', 'x', 'y', true)).toBe('y = 1; y = 2;');
    expect(edited('a\nb\n-\r\na\r\nb\r\n', 'a\nb\n', 'a\nc\nb\n', true)).toBe('a\nc\nb\n-\r\na\r\nc\r\nb\r\n');
    expect(edited('\ta {\n\t}\n    a {\n    }\n', ' a {\n }', ' a {\n  b\n }', true)).toContain(
      '    a {\n     b\n    }',
    );
  });

  it('IDE-52 replaces the smallest stretch of whole characters', () => {
    const plan = planEdit('say 😀 now\n', { oldText: 'say 😀 now', newText: 'say 😁 now' });
    expect(plan).toMatchObject({ ok: true, replacements: [{ start: 4, end: 6, text: '😁' }] });
  });

  it('IDE-52 refuses what changes nothing', () => {
    expect(planEdit('a\n', { oldText: 'a', newText: 'a' })).toMatchObject({ ok: false, code: 'no_change' });
    expect(planEdit('a\nb\n', { oldText: 'a\nb\n', newText: 'a\r\nb\r\n' })).toMatchObject({
      ok: false,
      code: 'no_change',
    });
    expect(planEdit('a\n', { oldText: '', newText: '' })).toMatchObject({ ok: false, code: 'empty_old' });
    expect(planEdit('', { oldText: '', newText: 'x' })).toMatchObject({ ok: false, code: 'empty_old' });
  });

  it('IDE-52 refuses new lines that cannot take the block’s indentation', () => {
    const plan = planEdit('a {\n  b\n}\n', { oldText: '  a {\n    b\n  }', newText: '  a {\n    b\n}' });
    expect(plan).toMatchObject({ ok: false, code: 'not_found' });
  });

  it('IDE-52 says when the new text is there already', () => {
    const plan = planEdit('one\nconst value = 2;\n', { oldText: 'const value = 1;', newText: 'const value = 2;' });
    expect(plan.ok).toBe(false);
    expect(!plan.ok && plan.next).toContain('already stands at line 2');
  });

  it('IDE-52 takes names of built-in properties for text', () => {
    expect(edited('constructor\n__proto__\n', '__proto__', 'toString')).toBe('constructor\ntoString\n');
    expect(edited('a\n', 'a', '$& $1 $$')).toBe('$& $1 $$\n');
  });
});
