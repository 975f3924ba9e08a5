/** What is there for browsers alone, or is not the page's own text. */
const IGNORED = new Set(
  'script style noscript template svg iframe object nav footer form button select textarea head title'.split(' '),
);
const BLOCKS = new Set(
  'p div section article main header aside ul ol dl dt dd table caption figure figcaption address details summary hr'.split(
    ' ',
  ),
);
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '_',
  em: '_',
  code: '`',
  kbd: '`',
  samp: '`',
};
const LONG_LINE = 4_000;
const LONGEST_LINE = 10_000;
const HEADING = /^h([1-6])$/;

interface Mark {
  name: string;
  /** Where it begins in the line. */
  at: number;
  href?: string;
}

/**
 * Writes Markdown from the events of an HTML parser that closes every tag it opens. One pass, no tree: its cost grows with
 * the page alone.
 */
export class MarkdownWriter {
  readonly #base: URL;
  readonly #lines: string[] = [];
  #line = '';
  #marks: Mark[] = [];
  #lists: { ordered: boolean; count: number }[] = [];
  #rows: { cells: number; isFirst: boolean }[] = [];
  #quotes = 0;
  #pre: string | undefined;
  #depth = 0;
  /** The depth of the tag whose content is left out. */
  #ignoredAt: number | undefined;

  /** @param base what relative links start from */
  constructor(base: URL) {
    this.#base = base;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#ignoredAt !== undefined) return;
    if (IGNORED.has(name) || 'hidden' in attributes || attributes['aria-hidden'] === 'true') {
      this.#ignoredAt = this.#depth;
      return;
    }
    if (this.#pre !== undefined) {
      if (name === 'br') this.#pre += '\n';
      return;
    }
    const heading = HEADING.exec(name);
    if (heading || BLOCKS.has(name) || name === 'pre' || name === 'blockquote') this.#endBlock(name);
    if (heading) this.#line = `${'#'.repeat(Number(heading[1]))} `;
    else if (name === 'pre') this.#pre = '';
    else if (name === 'blockquote') this.#quotes += 1;
    else if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', count: 0 });
    else if (name === 'li') this.#beginItem();
    else if (name === 'table') this.#rows.push({ cells: 0, isFirst: true });
    else if (name === 'td' || name === 'th') this.#beginCell();
    else if (name === 'br') this.#endLine();
    else if (name === 'hr') this.#lines.push('---', '');
    else if (name === 'img') this.text(attributes.alt ?? '');
    else if (name in MARKS) this.#marks.push({ name, at: this.#line.length });
    else if (name === 'a') {
      this.#marks.push({ name, at: this.#line.length, ...linkOf(attributes.href, this.#base) });
    }
  }

  text(text: string): void {
    if (this.#ignoredAt !== undefined) return;
    if (this.#pre !== undefined) {
      this.#pre += text;
      return;
    }
    this.#boundLine();
    const collapsed = text.replace(/\s+/g, ' ');
    this.#line += this.#line === '' || this.#line.endsWith(' ') ? collapsed.replace(/^ /, '') : collapsed;
  }

  close(name: string): void {
    const isIgnored = this.#ignoredAt !== undefined;
    if (this.#ignoredAt === this.#depth) this.#ignoredAt = undefined;
    this.#depth -= 1;
    if (isIgnored) return;
    if (this.#pre !== undefined) {
      if (name === 'pre') this.#endPre(this.#pre);
      return;
    }
    if (name === 'a' || name in MARKS) this.#endMark(name);
    else if (name === 'tr') this.#endRow();
    else if (name === 'li') this.#endLine();
    else if (BLOCKS.has(name) || HEADING.test(name) || name === 'blockquote') this.#endBlock(name);
    if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    if (name === 'table') this.#rows.pop();
  }

  /** What was written so far. */
  toString(): string {
    this.#endLine();
    return this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  /** Each text, cell and mark reads or copies the line: one without end would cost the square. Markdown reads two as one. */
  #boundLine(): void {
    const { length } = this.#line;
    if (length > LONG_LINE && (this.#marks.length === 0 || length > LONGEST_LINE)) this.#endLine();
  }

  #beginItem(): void {
    this.#endLine();
    const list = this.#lists.at(-1);
    if (list) list.count += 1;
    const indent = '  '.repeat(Math.min(8, Math.max(0, this.#lists.length - 1)));
    this.#line = `${indent}${list?.ordered ? `${list.count}.` : '-'} `;
  }

  #beginCell(): void {
    const row = this.#rows.at(-1);
    if (row) row.cells += 1;
    this.#boundLine();
    this.#line = `${this.#line.trimEnd()}${this.#line === '' ? '| ' : ' | '}`;
    this.#marks = [];
  }

  #endRow(): void {
    const row = this.#rows.at(-1);
    if (!row || row.cells === 0) return;
    this.#line = `${this.#line.trimEnd()} |`;
    this.#endLine();
    if (row.isFirst) this.#lines.push(`|${' --- |'.repeat(row.cells)}`);
    row.isFirst = false;
    row.cells = 0;
  }

  /** Wraps what the tag holds, the blanks at its ends left outside; nothing around nothing. */
  #endMark(name: string): void {
    const index = this.#marks.findLastIndex((mark) => mark.name === name);
    const mark = this.#marks[index];
    if (!mark) return;
    this.#marks.length = index;
    // Nested marks around a long text would copy it for each.
    if (this.#line.length - mark.at > LONGEST_LINE) return;
    const content = this.#line.slice(mark.at);
    const inner = content.trim();
    if (inner === '') return;
    const [before, after] = mark.name === 'a' ? ['[', `](${mark.href})`] : [MARKS[name]!, MARKS[name]!];
    if (mark.name === 'a' && mark.href === undefined) return;
    const start = content.indexOf(inner);
    const wrapped = `${content.slice(0, start)}${before}${inner}${after}${content.slice(start + inner.length)}`;
    this.#line = this.#line.slice(0, mark.at) + wrapped;
  }

  #endPre(content: string): void {
    this.#pre = undefined;
    const fence = fenceFor(content);
    this.#lines.push(fence);
    // A loop: as arguments of one call, the lines of a large page would not fit on the stack.
    for (const line of content.replace(/^\n/, '').trimEnd().split('\n')) this.#lines.push(line);
    this.#lines.push(fence, '');
  }

  #endLine(): void {
    const line = this.#line.trimEnd();
    this.#line = '';
    this.#marks = [];
    if (line.trim() === '') return;
    this.#lines.push(`${'> '.repeat(Math.min(4, this.#quotes))}${line}`);
  }

  /** Ends the paragraph; within a table's cell, or right behind an item's sign, it goes on. */
  #endBlock(name: string): void {
    const inCell = (this.#rows.at(-1)?.cells ?? 0) > 0;
    if (inCell && name !== 'table') {
      this.text(' ');
      return;
    }
    if (/^\s*(?:-|\d+\.) $/.test(this.#line) && name !== 'ul' && name !== 'ol') return;
    this.#endLine();
    if (this.#lists.length === 0 && this.#lines.at(-1) !== '') this.#lines.push('');
  }
}

/** Longer than every run of backticks in what it fences. */
function fenceFor(content: string): string {
  let length = 3;
  for (const [run] of content.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}

/** A link that a model may follow: http and https alone, with the whole address. */
function linkOf(href: string | undefined, base: URL): { href?: string } {
  const url = href === undefined || href.startsWith('#') ? null : URL.parse(href, base.href);
  return url && /^https?:$/.test(url.protocol) ? { href: url.href.replaceAll(')', '%29') } : {};
}
