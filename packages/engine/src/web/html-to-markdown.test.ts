import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const convert = async (html: string) => (await htmlToMarkdown(html, new URL('https://a.org/docs/'))).text;

describe('htmlToMarkdown', () => {
  it('IDE-73 keeps what a person would read', async () => {
    expect(
      await convert(
        '<head><title>T</title></head><h1>Head <b>two</b></h1><p>One  <em> it </em>and <code>x</code>.<br>Next' +
          '<ul><li>a<li><p>b</p><ol><li>c</li><li>d</ol></ul><p>End <a href="../x?y=(1)">link</a>',
      ),
    ).toBe(
      '# Head **two**\n\nOne _it_ and `x`.\nNext\n\n- a\n- b\n  1. c\n  2. d\n\nEnd [link](https://a.org/x?y=(1%29)',
    );
    expect(await convert('<pre><code>let a;\n  b `c`</code></pre><blockquote><p>said</p></blockquote>')).toBe(
      '```\nlet a;\n  b `c`\n```\n\n> said',
    );
    expect(await convert('<table><tr><th>A<th>B</tr><tr><td><p>1</p><td>2</tr></table>after')).toBe(
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n\nafter',
    );
    expect(await convert('a &lt;b&gt; &amp; &#228;<img src="https://x.y/?q=1" alt="picture">')).toBe(
      'a <b> & äpicture',
    );
  });

  it('IDE-73 leaves out what is for browsers, what is hidden, and links that are none', async () => {
    expect(
      await convert(
        '<script>a()</script><style>b</style><nav>menu</nav><svg><text>c</text></svg><p hidden>d</p>' +
          '<div aria-hidden="true">e<div>f</div></div><a href="javascript:g()">h</a> <a href="#i">j</a><template>k</template>',
      ),
    ).toBe('h j');
  });

  it('IDE-73 ends soon, whatever it is given', async () => {
    for (const html of [
      '<div>',
      '<ul><li>',
      '<a href="x',
      '<',
      '<!--',
      '<b>x',
      'x <b>y</b> ',
      '<blockquote>',
      '<table><tr><td>',
      '</p>',
    ]) {
      expect(typeof (await convert(html.repeat(50_000)))).toBe('string');
    }
    const deep = `before<p>${'<div>'.repeat(2_000)}`;
    expect(await htmlToMarkdown(deep, new URL('https://a.org'))).toEqual({ text: 'before', cut: 'deep' });
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<li>',
      '<ul>',
      '</ul>',
      '<pre>',
      '</pre>',
      '<td>',
      '<tr>',
      '</tr>',
      '<table>',
      '</table>',
      '<nav>',
      '</nav>',
      'x',
      ' ',
      '\n',
      '<a href="/y">',
      '</a>',
      '<blockquote>',
      '</blockquote>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }), async (parts) => {
        expect(typeof (await convert(parts.join('')))).toBe('string');
      }),
    );
  });

  it('IDE-73 reads millions of cells, marks, backticks and blank lines, the text among them whole', async () => {
    const many = 400_000;
    expect((await convert(`<table><tr>${'<td>'.repeat(many)}end</table>`)).includes('| end |')).toBe(true);
    expect(await convert(`<pre>a${'\n'.repeat(many)}b</pre>`)).toBe('```\na\n\nb\n```');
    expect(await convert(`<pre>${'`a'.repeat(many)}</pre>`)).toHaveLength(2 * many + 8);
    const fenced = await convert(`<pre>${'`'.repeat(9)}${'x\n'.repeat(many)}</pre>`);
    expect(fenced.slice(0, 20)).toBe(`${'`'.repeat(10)}\n${'`'.repeat(9)}`);
    expect((await convert('<b>'.repeat(900) + 'word '.repeat(many))).slice(0, 9)).toBe('word word');
    expect(await convert(`x${' '.repeat(many)}y`)).toBe('x y');
  });

  it('IDE-73 is content with a part of a page that takes too long, and ends when cancelled', async () => {
    const html = `<p>begin${'<i>x</i>'.repeat(200_000)}`;
    const base = new URL('https://a.org');
    const { text, cut } = await htmlToMarkdown(html, base, { patienceMs: 0 });
    expect(cut).toBe('slow');
    expect('begin'.startsWith(text.slice(0, 5))).toBe(true);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(htmlToMarkdown(html, base, { signal })).rejects.toThrow('enough');
  });
});
