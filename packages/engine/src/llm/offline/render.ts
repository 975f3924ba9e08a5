import { extension } from './code/file-kind.ts';

/** Longest line that an answer shows. */
const MAX_LINE = 160;

/** Control characters, and those that turn or hide text, as visible codes; tabs stay, and so do the two joiners that scripts like Bengali need. */
export function visible(text: string): string {
  return text.replace(
    /(?![\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}

/** A text as inline code, whatever backticks it holds. */
export function code(text: string): string {
  const shown = clip(visible(text), MAX_LINE);
  if (shown.trim() === '') return '(blank)';
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** `path:line`, as inline code. */
export function place(path: string, line: number): string {
  return code(`${path}:${line}`);
}

/** Numbered lines in a fence. */
export function excerpt(lines: ReadonlyMap<number, string>, from: number, to: number, path: string): string {
  const rows: string[] = [];
  const width = String(to).length;
  for (let line = from; line <= to; line++) {
    const text = lines.get(line);
    if (text !== undefined) rows.push(`${String(line).padStart(width)}  ${clip(visible(text), MAX_LINE)}`.trimEnd());
  }
  return fenced(rows.join('\n'), extension(path));
}

/** Text in a fence that nothing in it can close. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** At most so many characters, never half of one. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** `1 file`, `2 files`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Paragraphs with a blank line between them; empty ones are left out. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n');
}

/** The first items as a Markdown list, and how many more there are. */
export function bullets(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  if (items.length > most) shown.push(`- … and ${items.length - most} more`);
  return shown.join('\n');
}
