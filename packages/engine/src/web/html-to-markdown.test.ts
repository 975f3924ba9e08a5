import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const convert = (html: string) => htmlToMarkdown(html, new URL('https://a.org/docs/')).text;

describe('htmlToMarkdown', () => {
  it('IDE-73 keeps what a person would read', () => {
    expect(
      convert(
        '<head><title>T</title></head><h1>Head <b>two</b></h1><p>One  <em> it </em>and <code>x</code>.<br>Next' +
          '<ul><li>a<li><p>b</p><ol><li>c</li><li>d</ol></ul><p>End <a href="../x?y=(1)">link</a>',
      ),
    ).toBe(
      '# Head **two**\n\nOne _it_ and `x`.\nNext\n\n- a\n- b\n  1. c\n  2. d\n\nEnd [link](https://a.org/x?y=(1%29)',
    );
    expect(convert('<pre><code>let a;\n  b `c`</code></pre><blockquote><p>said</p></blockquote>')).toBe(
      '```\nlet a;\n  b `c`\n```\n\n> said',
    );
    expect(convert('<table><tr><th>A<th>B</tr><tr><td><p>1</p><td>2</tr></table>after')).toBe(
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n\nafter',
    );
    expect(convert('a &lt;b&gt; &amp; &#228;<img src="https://x.y/?q=1" alt="picture">')).toBe('a <b> & äpicture');
  });

  it('IDE-73 leaves out what is for browsers, what is hidden, and links that are none', () => {
    expect(
      convert(
        '<script>a()</script><style>b</style><nav>menu</nav><svg><text>c</text></svg><p hidden>d</p>' +
          '<div aria-hidden="true">e<div>f</div></div><a href="javascript:g()">h</a> <a href="#i">j</a><template>k</template>',
      ),
    ).toBe('h j');
  });

  it('IDE-73 ends soon, whatever it is given', () => {
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
      expect(typeof convert(html.repeat(50_000))).toBe('string');
    }
    expect(htmlToMarkdown(`before<p>${'<div>'.repeat(2_000)}`, new URL('https://a.org'))).toEqual({
      text: 'before',
      cut: true,
    });
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
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }), (parts) => {
        expect(typeof convert(parts.join(''))).toBe('string');
      }),
    );
  });
});
