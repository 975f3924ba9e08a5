import type { AnswerPage, PageRow, PageSection } from './answer-page.ts';

/** A longer line of code is cut. */
const MOST_CODE = 120;

/**
 * A page as plain text for a model: `path:line  what  (notes)`, one a line. Rows that find no room are counted.
 * @param most characters.
 */
export function pageText({ head, sections, notes }: AnswerPage, most: number): string {
  const lines: string[] = [];
  if (head) {
    if (head.signature) lines.push(clip(head.signature));
    lines.push(`${head.place}  ${head.about}`);
    if (head.doc) lines.push(clip(head.doc));
  }
  lines.push(...notes);
  let room = most - lines.join('\n').length;
  for (const [at, section] of sections.entries()) {
    // What comes first may take more, but leaves something to what follows.
    const share = room / Math.min(sections.length - at, 2);
    const text = sectionText(section, share);
    lines.push(text);
    room -= text.length + 1;
  }
  return lines.join('\n').slice(0, most).toWellFormed();
}

function sectionText({ title, rows, more }: PageSection, most: number): string {
  const shown: string[] = [];
  let size = title.length + 24;
  for (const row of rows) {
    const text = rowText(row);
    if (size + text.length + 1 > most) break;
    shown.push(text);
    size += text.length + 1;
  }
  const left = rows.length - shown.length + more;
  return [`${title}${shown.length > 0 ? ':' : ''}`, ...shown, ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n');
}

function rowText({ place, text, notes, code }: PageRow): string {
  const parts = [place, text, notes.length > 0 ? `(${notes.join(', ')})` : '', code ? `| ${clip(code)}` : ''];
  return `  ${parts.filter(Boolean).join('  ')}`;
}

function clip(text: string): string {
  return text.length > MOST_CODE ? `${text.slice(0, MOST_CODE - 1).toWellFormed()}…` : text;
}
