import { Lines } from './lines.ts';
import { KNOWLEDGE_FILES, type Memory } from './memory.ts';
import { hasSeal, isSealed, sealOf, withoutSeals } from './seal.ts';

export interface MergedMemory {
  text: string;
  /**
   * `replaced`: the machine's own entry of that title. `added beside`: there is one that a person wrote or changed, which
   * stays as it is.
   */
  outcome: 'added' | 'replaced' | 'added beside' | 'unchanged';
}

/** An entry's place: lines from `start` to before `end`. */
interface Found {
  start: number;
  end: number;
  sealed: boolean;
}

/**
 * Puts something to remember into its file (IDE-68). Pure. Only what the machine itself wrote, and nobody has touched
 * since, is ever replaced; every other line stays as it is.
 *
 * @param existing the file's text without a byte order mark; undefined where there is none
 * @param date of today, `2026-01-31`
 */
export function mergeMemory(existing: string | undefined, memory: Memory, date: string): MergedMemory {
  const { heading } = KNOWLEDGE_FILES[memory.kind];
  const before = existing?.trim() ? existing : `${heading}\n`;
  const lines = new Lines(before);
  switch (memory.kind) {
    case 'architecture':
      return mergeSection(lines, memory);
    case 'decision':
      return addDecision(lines, memory, date);
    case 'feature':
      return mergeRow(lines, memory, date);
    default:
      return mergeItem(lines, memory, date);
  }
}

function mergeSection(lines: Lines, { title, text }: Memory): MergedMemory {
  const heading = `## ${oneLine(title)}`;
  const block = `${heading}\n\n${paragraphs(text)}`;
  const found: Found[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    if (!sameText(lines.at(start), heading)) continue;
    const end = endOfSealed(lines, start);
    found.push(end === undefined ? { start, end: start + 1, sealed: false } : { start, end, sealed: true });
  }
  return put(lines, found, [...block.split('\n'), sealOf(block)], (added) => lines.append(added, true));
}

/** Behind the mark of the block that begins at `start`; undefined where no mark fits it. */
function endOfSealed(lines: Lines, start: number): number | undefined {
  for (let at = start + 1; at < lines.length; at += 1) {
    if (hasSeal(lines.at(at)) && isSealed(lines.slice(start, at), lines.at(at))) return at + 1;
  }
  return undefined;
}

/** A decision is never changed: another one of the same title follows it, newest last. */
function addDecision(lines: Lines, { title, text, status = 'accepted' }: Memory, date: string): MergedMemory {
  const body = paragraphs(text);
  let number = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const [, known, name = ''] = /^## ADR-(\d+): (.*)$/.exec(lines.at(at)) ?? [];
    if (known === undefined) continue;
    number = Math.max(number, Number(known));
    const end = endOfSealed(lines, at);
    const isSame =
      end !== undefined && sameText(name, oneLine(title)) && lines.slice(at, end - 1).endsWith(`\n\n${body}`);
    if (isSame && lines.slice(at, end).includes(`\n- Status: ${oneLine(status)}\n`)) {
      return { text: lines.toString(), outcome: 'unchanged' };
    }
  }
  const name = `ADR-${String(number + 1).padStart(4, '0')}: ${oneLine(title)}`;
  const block = `## ${name}\n\n- Date: ${date}\n- Status: ${oneLine(status)}\n\n${body}`;
  return { text: lines.append([...block.split('\n'), sealOf(block)], true).toString(), outcome: 'added' };
}

const HEADER = /^\|\s*feature\s*\|\s*status\s*\|\s*updated\s*\|\s*notes\s*\|\s*$/i;

function mergeRow(lines: Lines, { title, text, status = 'planned' }: Memory, date: string): MergedMemory {
  const row = `| ${cell(title)} | ${cell(status)} | ${date} | ${cell(text)} |`;
  const found: Found[] = [];
  let end: number | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines.at(at);
    if (HEADER.test(line)) end = at + 1;
    else if (end === at && line.trimStart().startsWith('|')) {
      end = at + 1;
      if (sameText(line.split(/(?<!\\)\|/)[1] ?? '', cell(title))) found.push(lineAt(lines, at));
    }
  }
  return put(lines, found, [sealedRow(row)], (added) => {
    if (end !== undefined) lines.insert(end, added);
    else lines.append(['| Feature | Status | Updated | Notes |', '| --- | --- | --- | --- |', ...added], true);
  });
}

/** The mark stands within the last cell, where Markdown does not show it. */
function sealedRow(row: string): string {
  return row.replace(/ \|$/, ` ${sealOf(row)} |`);
}

const ITEM = /^- (?:\[[ xX]\] )?\*\*(.+?)\*\*: /;

function mergeItem(lines: Lines, { kind, title, text, status }: Memory, date: string): MergedMemory {
  const isDone = /^(done|completed?|paid|closed|fixed|resolved)$/i.test(status ?? '');
  const box = kind === 'term' ? '' : isDone ? '[x] ' : '[ ] ';
  const when = kind === 'debt' ? ` (${date})` : '';
  const item = `- ${box}**${oneLine(title).replaceAll('**', '')}**: ${oneLine(text)}${when}`;
  const found: Found[] = [];
  let last: number | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const name = ITEM.exec(lines.at(at))?.[1];
    if (name !== undefined && hasSeal(lines.at(at))) last = at;
    if (name !== undefined && sameText(name, oneLine(title).replaceAll('**', ''))) found.push(lineAt(lines, at));
  }
  return put(lines, found, [`${item} ${sealOf(item)}`], (added) => {
    if (last !== undefined) lines.insert(last + 1, added);
    else lines.append(added, !/^- /.test(lines.at(lines.length - 2)));
  });
}

function lineAt(lines: Lines, at: number): Found {
  const line = lines.at(at);
  const block = line.replace(/ <!-- black:[0-9a-f]{8} -->/, '');
  return { start: at, end: at + 1, sealed: isSealed(block, line) };
}

/** Replaces the newest entry that is the machine's own, or adds one. */
function put(lines: Lines, found: readonly Found[], entry: string[], add: (entry: string[]) => void): MergedMemory {
  const own = found.findLast(({ sealed }) => sealed);
  if (own) {
    if (lines.slice(own.start, own.end) === entry.join('\n')) return { text: lines.toString(), outcome: 'unchanged' };
    return { text: lines.replace(own.start, own.end - own.start, entry).toString(), outcome: 'replaced' };
  }
  add(entry);
  return { text: lines.toString(), outcome: found.length > 0 ? 'added beside' : 'added' };
}

function oneLine(text: string): string {
  return withoutSeals(text).replaceAll(/\s+/g, ' ').trim();
}

function cell(text: string): string {
  return oneLine(text).replaceAll(/(?<!\\)\|/g, '\\|') || '–';
}

/** Lines without blanks at their ends, at most one empty one between them. */
function paragraphs(text: string): string {
  const lines = withoutSeals(text).split(/\r\n|\n|\r/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
