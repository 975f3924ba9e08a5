import { normalBreaks, type Rung, type Target } from './edit-ladder.ts';
import { foldText } from './folded-text.ts';
import { shiftLine } from './indentation.ts';
import { diffLines } from './line-diff.ts';
import { endingNear, lineBreakOf } from './line-endings.ts';

/**
 * The text that replaces a target: the lines that the request leaves as they are keep the file's own bytes; changed and new
 * ones take the file's line endings and the block's indentation. Undefined where a line cannot take that indentation.
 */
export function adaptReplacement(
  text: string,
  target: Target,
  oldText: string,
  newText: string,
  rung: Rung,
): string | undefined {
  const lineBreak = lineBreakOf(text);
  const dropBreak = (one: string) => (target.withoutFinalBreak && one.endsWith('\n') ? one.slice(0, -1) : one);
  const oldLines = dropBreak(normalBreaks(oldText, lineBreak)).split('\n');
  const newLines = dropBreak(normalBreaks(newText, lineBreak)).split('\n');
  const there = splitEndings(text.slice(target.start, target.end), lineBreak);
  const sources = pairLines(oldLines, newLines);
  const parts: string[] = [];
  let ending = there.find((line) => line.ending !== '')?.ending ?? endingNear(text, target.end);
  for (const [n, line] of newLines.entries()) {
    const source = sources[n];
    const original = source === undefined ? undefined : there[source];
    const content = adaptLine(
      line,
      source === undefined ? undefined : oldLines[source],
      original?.content,
      target,
      rung,
    );
    if (content === undefined) return undefined;
    if (original?.ending) ending = original.ending;
    parts.push(content, n === newLines.length - 1 ? '' : ending);
  }
  return parts.join('');
}

function adaptLine(
  line: string,
  old: string | undefined,
  original: string | undefined,
  target: Target,
  rung: Rung,
): string | undefined {
  if (original !== undefined && line === old) return original;
  if (target.shift) return shiftLine(line, target.shift);
  if (rung === 'look-alikes' && old !== undefined && original !== undefined) return keepLookAlikes(line, old, original);
  return line;
}

/** For every new line the old line it is, or became; undefined for one that is wholly new. */
function pairLines(oldLines: readonly string[], newLines: readonly string[]): (number | undefined)[] {
  const sources: (number | undefined)[] = [];
  let at = 0;
  for (const { aStart, aEnd, bStart, bEnd } of diffLines(oldLines, newLines)) {
    while (sources.length < bStart) sources.push(at++);
    for (let n = 0; n < bEnd - bStart; n += 1) sources.push(aStart + n < aEnd ? aStart + n : undefined);
    at = aEnd;
  }
  while (sources.length < newLines.length) sources.push(at++);
  return sources;
}

/** Keeps the file's own characters at both ends of a line, as far as the request left them alone. */
function keepLookAlikes(line: string, old: string, original: string): string {
  const [before, after, file] = [old, line, original].map((one) => foldText(one, 'look-alikes')) as [
    Folded,
    Folded,
    Folded,
  ];
  if (before.text !== file.text) return line;
  const shorter = Math.min(before.text.length, after.text.length);
  let head = 0;
  while (head < shorter && before.text[head] === after.text[head]) head += 1;
  let tail = 0;
  const [a, b] = [before.text.length - 1, after.text.length - 1];
  while (tail < shorter - head && before.text[a - tail] === after.text[b - tail]) tail += 1;
  while (head > 0 && (file.toEnd(head) === undefined || after.toEnd(head) === undefined)) head -= 1;
  const startOfTail = (folded: Folded) => folded.toStart(folded.text.length - tail);
  while (tail > 0 && (startOfTail(file) === undefined || startOfTail(after) === undefined)) tail -= 1;
  const kept = [original.slice(0, file.toEnd(head)), tail === 0 ? '' : original.slice(startOfTail(file))];
  return `${kept[0]}${line.slice(after.toEnd(head), tail === 0 ? undefined : startOfTail(after))}${kept[1]}`;
}

type Folded = ReturnType<typeof foldText>;

interface EndedLine {
  content: string;
  ending: string;
}

function splitEndings(segment: string, lineBreak: '\n' | '\r'): EndedLine[] {
  const pieces = segment.split(lineBreak);
  return pieces.map((piece, n) => {
    if (n === pieces.length - 1) return { content: piece, ending: '' };
    if (lineBreak === '\n' && piece.endsWith('\r')) return { content: piece.slice(0, -1), ending: '\r\n' };
    return { content: piece, ending: lineBreak };
  });
}
