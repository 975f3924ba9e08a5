import { visibleText } from '@black-ide/protocol';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './escape-html.ts';

/** Longer texts, and what the parser cannot take, are shown as they are. */
const LONGEST = 50_000;

/**
 * Markdown of a model or a person as HTML that can do nothing: HTML in it is shown as text, pictures become links, and
 * only http, https and mailto addresses can be followed, their address told in full.
 */
export function markdownToHtml(markdown: string): string {
  if (markdown.length > LONGEST) return asIs(markdown);
  try {
    return MARKED.parse(visibleText(markdown), { async: false });
  } catch {
    // Nested deeper than the parser can follow.
    return asIs(markdown);
  }
}

function asIs(text: string): string {
  return `<pre class="plain">${escapeHtml(text)}</pre>\n`;
}

const MARKED = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    link({ href, tokens }: Tokens.Link) {
      return link(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }) => link(href, `picture: ${escapeHtml(text || 'no name')}`),
  },
});

/** A link with its address in sight. */
function link(href: string, label: string): string {
  const address = escapeHtml(href);
  const told = label === address || `mailto:${label}` === address ? label : `${label} (${address})`;
  const url = URL.parse(href);
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return told;
  return `<a href="${address}" rel="noopener noreferrer nofollow">${told}</a>`;
}
