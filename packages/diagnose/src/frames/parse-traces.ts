import type { Frame, Trace } from './frame.ts';
import { FRAME_PATTERNS, type FramePattern, MESSAGE_PATTERNS } from './frame-patterns.ts';

/** Lines between frames that are no frames: quoted code, `... 12 more`, functions above their places. */
const MOST_BETWEEN = 3;
/** A longer line is no line of a trace, and may cost a pattern dearly. */
const LONGEST_LINE = 2_000;
const MOST_FRAMES = 400;
/** What logs put in front of each line: times, levels, tags. */
const LOG_PREFIX =
  /^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s*|\d\d-\d\d \d\d:\d\d:\d\d\.\d+\s+(?:\d+\s+\d+\s+)?|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s*)?(?:[VDIWEF]\/[\w.$-]+\s*(?:\(\s*\d+\))?:\s?|[VDIWEF] [\w.$-]+\s*:\s|(?:\[?(?:ERROR|FATAL|WARN|INFO|DEBUG|error|fatal)\]?:?\s+)|E AndroidRuntime:\s|> ?|\|\s?)?/;

/** Finds the stack traces in a text (DX-9), in its order. */
export function parseTraces(text: string): Trace[] {
  const lines = text.split(/\r?\n/);
  const traces: Trace[] = [];
  let open: { pattern: FramePattern; trace: Trace; last: number } | undefined;
  let message: { text: string; line: number } | undefined;
  let goSymbol: string | undefined;
  let count = 0;
  const close = (): void => {
    if (open?.pattern.outermostFirst) open.trace.frames.reverse();
    open = undefined;
  };
  for (const [at, raw] of lines.entries()) {
    if (raw.length > LONGEST_LINE) continue;
    const line = raw.replace(LOG_PREFIX, (prefix) => (/^\s/.test(raw) && !/\S/.test(prefix) ? prefix : ''));
    const found = readFrame(line);
    if (!found) {
      const said = readMessage(line);
      if (said !== undefined) {
        // Python tells the message below its frames.
        if (open?.pattern.outermostFirst && at - open.last <= MOST_BETWEEN) {
          open.trace.message ??= said;
          close();
        } else message = { text: said, line: at };
      }
      goSymbol = /^(?<name>[\w./()*-]+)\(.*\)$/.exec(line.trim())?.groups?.name;
      const previous = open?.trace.frames.at(-1);
      if (open && previous && at === open.last + 1 && /^\s/.test(line)) {
        if (open.pattern.language === 'python') previous.code ??= quoted(line);
        open.trace.endLine = at + 1;
      }
      continue;
    }
    if (count >= MOST_FRAMES) break;
    count += 1;
    const { pattern, frame } = found;
    const goesOn = open && open.pattern.language === pattern.language && at - open.last <= MOST_BETWEEN + 1;
    if (!goesOn) {
      close();
      const isNear = message !== undefined && at - message.line <= MOST_BETWEEN + 2;
      open = {
        pattern,
        trace: {
          language: pattern.language,
          message: isNear ? message!.text : undefined,
          frames: [],
          startLine: at + 1,
          endLine: at + 1,
        },
        last: at,
      };
      traces.push(open.trace);
      message = undefined;
    }
    if (pattern.language === 'go') frame.symbol ??= goSymbol?.split('/').at(-1);
    if (!isSame(frame, open!.trace.frames.at(-1))) open!.trace.frames.push(frame);
    open!.last = at;
    open!.trace.endLine = at + 1;
  }
  close();
  return traces;
}

function readFrame(line: string): { pattern: FramePattern; frame: Frame } | undefined {
  for (const pattern of FRAME_PATTERNS) {
    const groups = pattern.pattern.exec(line)?.groups;
    const read = groups && pattern.read(groups);
    if (!read) continue;
    const none = { file: undefined, line: undefined, column: undefined, symbol: undefined, code: undefined };
    return { pattern, frame: { language: pattern.language, ...none, ...read } };
  }
  return undefined;
}

function readMessage(line: string): string | undefined {
  for (const pattern of MESSAGE_PATTERNS) {
    const groups = pattern.exec(line)?.groups;
    if (groups) return groups.message?.trim() || undefined;
  }
  return undefined;
}

function quoted(line: string): string | undefined {
  const code = line.trim();
  return code === '' || /^[~^\s]+$/.test(code) ? undefined : code;
}

function isSame(frame: Frame, other: Frame | undefined): boolean {
  return other !== undefined && frame.file === other.file && frame.line === other.line && frame.symbol === other.symbol;
}
