import { calledArguments, textOf, timeline, type View, type ViewItem } from '@black-ide/protocol';
import { plainText } from '@black-ide/workspace';
import { drawFact } from '../text/draw-fact.ts';
import { doing, factLine } from '../text/fact-line.ts';
import { widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { diffLines, diffOf } from './diff-lines.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { Transcript } from './transcript.ts';
import { wrap } from './wrap.ts';

/** The details of a whole long session would take seconds to draw and nobody would read them. */
const MAX_ITEMS = 400;
const MAX_LINES = 300;
const RUNNING_CHARS = 100_000;

/** The newest part of a session with everything opened: what each call was given, what it answered, what it changed. */
export function detailLines(view: View, columns: number, paint: Painter): string[] {
  const all = timeline(view);
  const items = all.slice(-MAX_ITEMS);
  const transcript = new Transcript(paint, () => columns);
  const calls = new Map<string, Record<string, unknown>>();
  const lines: string[] = [];
  if (all.length > items.length) {
    lines.push(paint.dim(`${all.length - items.length} earlier entries are in black sessions show`));
  }
  let answer = '';
  for (const item of items) {
    if (item.kind === 'assistant') answer = textOf(item.content).trim();
    // What a task ends with has mostly been said by its last answer.
    if (item.kind === 'taskEnd' && item.end.outcome === 'completed' && item.end.message.trim() === answer) continue;
    lines.push(...opened(item, { columns, paint, calls, transcript }));
  }
  return lines
    .filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
    .flatMap((line) => broken(line, columns));
}

/** What goes on now, opened: each running call with what it was given and what it has printed so far. */
export function runningLines({ live }: Pick<View, 'live'>, columns: number, paint: Painter): string[] {
  const lines = live.tools.flatMap((tool) => {
    // Only the end is shown, so only the end is worked on: output may come by the megabyte.
    const output = plainText(tool.output.slice(-RUNNING_CHARS)).trimEnd();
    return [
      ...wrap(`… ${visibleLine(doing(tool))}`, columns, '', '  '),
      ...(tool.name === 'run_command' ? [] : given(tool.name, tool.args))
        .flatMap((text) => indented(text, columns, paint))
        .map(paint.dim),
      ...(output ? indented(output, columns, paint) : []),
      '',
    ];
  });
  if (!live.text) return lines;
  const markdown = new MarkdownStream(paint, () => columns);
  return [...lines, ...markdown.push(live.text), ...markdown.end()].flatMap((line) => broken(line, columns));
}

/** A line that is wider than the screen, e.g. of code, in lines that are not; what follows stands further in. */
function broken(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = /^ */.exec(line)![0].slice(0, Math.floor(columns / 2));
  return wrap(line.slice(indent.length), columns, indent, `${indent}  `);
}

function indented(text: string, columns: number, paint: Painter): string[] {
  return bounded(visibleText(text.trimEnd()).split('\n'), paint).flatMap((line) =>
    wrap(line.replaceAll('\t', '    '), columns, '    '),
  );
}

interface Opening {
  columns: number;
  paint: Painter;
  calls: Map<string, Record<string, unknown>>;
  transcript: Transcript;
}

function opened(item: ViewItem, { columns, paint, calls, transcript }: Opening): string[] {
  const indent = (text: string): string[] => indented(text, columns, paint);
  switch (item.kind) {
    case 'assistant': {
      for (const [id, args] of calledArguments(item.content)) calls.set(id, args);
      const thought = item.content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n');
      const words = textOf(item.content);
      const markdown = new MarkdownStream(paint, () => columns);
      const thinking = thought.trim() ? [paint.dim('▸ Thought'), ...indent(thought).map(paint.dim), ''] : [];
      return [...thinking, ...(words.trim() ? [...markdown.push(words), ...markdown.end(), ''] : [])];
    }
    case 'toolResult': {
      const args = calls.get(item.callId) ?? {};
      const text = textOf(item.content);
      const fact = factLine({ name: item.name, isError: item.isError, args, text, details: item.details });
      if (!fact) return [];
      const diff = diffOf(item.details);
      const body = diff === undefined ? indent(text) : diffLines(diff, paint, MAX_LINES).map((line) => `    ${line}`);
      return [
        // Why it did not work out stands below, as the call itself has told it.
        drawFact({ ...fact, why: '' }, columns, paint),
        ...given(item.name, args).flatMap(indent).map(paint.dim),
        ...body,
        '',
      ];
    }
    case 'notice':
      return item.display ? [...indent(textOf(item.content)), ''] : [];
    case 'compaction':
      return [paint.dim('· summed up what came before'), ...indent(item.summary), ''];
    case 'command':
      return [`$ ${visibleLine(item.command)}`, ...indent(item.output), ''];
    default:
      return transcript.add(item);
  }
}

/** What a call was given and its line does not tell. */
function given(name: string, args: Readonly<Record<string, unknown>>): string[] {
  if (name === 'edit_file' || name === 'write_file' || name === 'create_artifact') return [];
  const rest = Object.entries(args).filter(([key]) => (key !== 'path' && key !== 'pattern') || name === 'run_command');
  return rest.map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function bounded(lines: string[], paint: Painter): string[] {
  if (lines.length <= MAX_LINES) return lines;
  const half = MAX_LINES / 2;
  return [...lines.slice(0, half), paint.dim(`… ${lines.length - MAX_LINES} lines …`), ...lines.slice(-half)];
}
