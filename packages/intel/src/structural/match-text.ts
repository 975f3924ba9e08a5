import type { StructuralMatch } from './find-matches.ts';
import type { FileMatches, StructuralReport } from './structural-search.ts';

const MAX_LINE = 160;
const MAX_CAPTURE = 60;

/** Each match of a file as one line: `path:line:column: the line  [$X = a.b]`. */
export function matchLines({ path, text, matches }: FileMatches): string[] {
  return matches.map((match) => {
    const { start } = match;
    const captures = captureText(match);
    return `${path}:${start.line}:${start.column}: ${lineOf(text, start.index)}${captures && `  [${captures}]`}`;
  });
}

/** The line in which a match begins, without its indentation. */
export function lineOf(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  return clipped(text.slice(start, end < 0 ? undefined : end).trim(), MAX_LINE);
}

function captureText({ captures }: StructuralMatch): string {
  return captures
    .map(({ name, isSequence, text }) => {
      return `${isSequence ? '$$$' : '$'}${name} = ${clipped(text.replaceAll(/\s+/g, ' '), MAX_CAPTURE)}`;
    })
    .join(', ');
}

/** What a person or a model should know of a search beside its matches. */
export function searchNotes({ skipped, unparsable }: StructuralReport): string[] {
  const [first] = skipped;
  return [
    ...(unparsable.length > 0
      ? [`not searched, because the pattern is no code there: ${unparsable.map(({ language }) => language).join(', ')}`]
      : []),
    ...(first
      ? [
          `${skipped.length} ${skipped.length === 1 ? 'file was' : 'files were'} left out, e.g. ${first.path}: ${first.why}`,
        ]
      : []),
  ];
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
