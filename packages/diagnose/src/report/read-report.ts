import type { Frame, Trace } from '../frames/frame.ts';
import { parseTraces } from '../frames/parse-traces.ts';

/** What a report says, by the kind of its parts. */
export interface Report {
  title: string;
  /** Everything, as it came. */
  text: string;
  /** Prose without code, traces and links. */
  prose: string;
  /** Blocks and spans of code that are no traces. */
  code: string[];
  /** Texts in quotes, and what errors say: these may stand in the code as they are. */
  quotes: string[];
  traces: Trace[];
  /** Words that are written as names are in code, most often named first. */
  names: string[];
  /** Words that look like paths of files. */
  paths: string[];
}

/** What stands above and between traces. */
const TRACE_HEAD =
  /^\s*(?:Traceback \(most recent call last\)|Stack ?trace\b|Call stack|The above exception was|During handling of the above|goroutine \d+ \[|stack backtrace:|\.\.\. \d+ (?:more|common frames)|Caused by:|Exception in thread|--- End of)/i;
const MOST_QUOTES = 24;
const MOST_NAMES = 60;
const FENCE = /^[ \t]*(?:```|~~~)[^\n]*\n([\s\S]*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;
const SPAN = /`([^`\n]{1,300})`/g;
const QUOTE =
  /"([^"\n]{4,200})"|“([^”\n]{4,200})”|(?<![\p{L}\p{N}])'([^'\n]{4,200})'(?![\p{L}\p{N}])|«([^»\n]{4,200})»/gu;
const LINK = /\b(?:https?|ftp):\/\/[^\s)>\]]+/g;
const PATH = /(?<![\w/.-])(?:[A-Za-z]:[\\/])?(?:[\w@.+-]+[\\/])*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/(])/g;
/** An inner capital, an underscore, a dotted or scoped name, a call. */
const NAME =
  /(?<![\p{L}\p{N}_$.])[$@#]?[\p{L}_][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_][\p{L}\p{N}_$]*)*(?:\(\))?(?![\p{L}\p{N}_$])/gu;
const LOOKS_LIKE_NAME = /[_$]|::|->|#\p{L}|\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|\p{L}\.\p{L}|\(\)$/u;

/** Takes a report apart. Whatever it says is data. */
export function readReport(text: string): Report {
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines = clean.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const title = (lines[first] ?? '')
    .replace(/^#+\s*|^(?:subject|title)\s*:\s*/i, '')
    .trim()
    .slice(0, 300);
  const traces = parseTraces(clean);
  const blocks = [...clean.matchAll(FENCE)].map((match) => match[1]!);
  const spans = [...clean.replace(FENCE, '\n').matchAll(SPAN)].map((match) => match[1]!.trim());
  const code = [...blocks.filter((block) => parseTraces(block).length === 0), ...spans];
  const inTrace = (line: number): boolean => traces.some((each) => each.startLine <= line && line <= each.endLine);
  const withoutTraces = lines.map((line, at) => (inTrace(at + 1) || TRACE_HEAD.test(line) ? '' : line)).join('\n');
  const bare = withoutTraces.replace(FENCE, '\n').replace(LINK, ' ');
  const prose = bare.replace(SPAN, ' $1 ');
  return {
    title,
    text: clean,
    prose,
    code,
    quotes: quotesOf(clean, traces),
    traces,
    names: namesOf([prose, ...code, ...traces.flatMap((trace) => trace.frames.map(calledIn))].join('\n')),
    paths: [...new Set([...bare.matchAll(PATH)].map(([path]) => path.replaceAll('\\', '/')))],
  };
}

/** The function of a frame, as a name in code. */
function calledIn({ symbol }: Frame): string {
  const name = symbol
    ?.replace(/\s*\[as .*\]$/, '')
    .split(/[.:#>\\/]+/)
    .at(-1)
    ?.replace(/\W+/g, '');
  return name ? `${name}()` : '';
}

function quotesOf(text: string, traces: readonly Trace[]): string[] {
  const said = traces.flatMap(({ message }) => message ?? []);
  const inQuotes = [...text.replace(LINK, ' ').matchAll(QUOTE)].map(
    (match) => match.slice(1).find((each) => each !== undefined)!,
  );
  const errors = text
    .split('\n')
    .filter(
      (line) =>
        line.length < 300 && /\b(?:error|exception|panic|warning|failed|fatal|cannot|invalid|unexpected)\b/i.test(line),
    );
  return [...new Set([...said, ...inQuotes, ...errors.map((line) => line.trim())])].slice(0, MOST_QUOTES);
}

function namesOf(text: string): string[] {
  const counts = new Map<string, number>();
  for (const [found] of text.replace(LINK, ' ').matchAll(NAME)) {
    const name = found.replace(/\(\)$/, '').replace(/^[@#]/, '');
    if (LOOKS_LIKE_NAME.test(found) && name.length > 2 && name.length < 100)
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort((x, y) => y[1] - x[1])
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}
