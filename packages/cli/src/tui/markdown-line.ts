import type { Painter } from '../text/painter.ts';

const CODE = /(`+)(.+?)\1(?!`)/g;
const SPANS: readonly [RegExp, (paint: Painter, match: RegExpExecArray) => string][] = [
  [/^\*\*(?=\S)(.+?)\*\*/, (paint, match) => paint.bold(inline(match[1]!, paint))],
  [/^__(?=\S)(.+?)__(?!\w)/, (paint, match) => paint.bold(inline(match[1]!, paint))],
  [/^\*(?=[^\s*])([^*]+)\*/, (paint, match) => paint.italic(inline(match[1]!, paint))],
  [/^_(?=[^\s_])([^_]+)_(?!\w)/, (paint, match) => paint.italic(inline(match[1]!, paint))],
  [/^~~(?=\S)(.+?)~~/, (paint, match) => paint.struck(inline(match[1]!, paint))],
  [/^\[([^[\]]+)\]\(([^()\s]+)\)/, (paint, match) => link(match[1]!, match[2]!, paint)],
  [/^\\([\\`*_{}[\]()#+.!|~>-])/, (_paint, match) => match[1]!],
];

/** A line's running Markdown, painted. Nothing that is written is left out but the marks themselves. */
export function inline(text: string, paint: Painter): string {
  let painted = '';
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    painted += spans(text.slice(end, match.index), paint) + paint.code(match[2]!.trim());
    end = match.index + match[0].length;
  }
  return painted + spans(text.slice(end), paint);
}

function spans(text: string, paint: Painter): string {
  let painted = '';
  let at = 0;
  while (at < text.length) {
    const next = text.slice(at).search(/[*_~[\\]/);
    if (next < 0) return painted + text.slice(at);
    painted += text.slice(at, at + next);
    at += next;
    const found = spanAt(text, at, paint);
    painted += found?.text ?? text[at]!;
    at += found?.length ?? 1;
  }
  return painted;
}

function spanAt(text: string, at: number, paint: Painter): { text: string; length: number } | undefined {
  const inWord = at > 0 && /\w/.test(text[at - 1]!);
  if (inWord && text[at] === '_') return undefined;
  const rest = text.slice(at);
  for (const [pattern, draw] of SPANS) {
    const match = pattern.exec(rest);
    if (match) return { text: draw(paint, match), length: match[0].length };
  }
  return undefined;
}

/** A link tells where it leads: its words alone could tell a lie. */
function link(words: string, target: string, paint: Painter): string {
  return words === target ? paint.code(words) : `${inline(words, paint)} ${paint.dim(`(${target})`)}`;
}
