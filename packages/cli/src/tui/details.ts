import { calledArguments, textOf, timeline, type View, type ViewItem } from '@black-ide/protocol';
import { drawFact } from '../text/draw-fact.ts';
import { factLine } from '../text/fact-line.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { diffLines } from './diff-lines.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { Transcript } from './transcript.ts';
import { wrap } from './wrap.ts';

/** The details of a whole long session would take seconds to draw and nobody would read them. */
const MAX_ITEMS = 400;
const MAX_LINES = 300;

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
  return lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '');
}

interface Opening {
  columns: number;
  paint: Painter;
  calls: Map<string, Record<string, unknown>>;
  transcript: Transcript;
}

function opened(item: ViewItem, { columns, paint, calls, transcript }: Opening): string[] {
  const indent = (text: string): string[] =>
    bounded(visibleText(text.trimEnd()).split('\n'), paint).flatMap((line) =>
      wrap(line.replaceAll('\t', '    '), columns, '    '),
    );
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
      return [drawFact(fact, columns, paint), ...given(item.name, args).flatMap(indent).map(paint.dim), ...body, ''];
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
  if (name === 'edit_file' || name === 'write_file') return [];
  const rest = Object.entries(args).filter(([key]) => (key !== 'path' && key !== 'pattern') || name === 'run_command');
  return rest.map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const { diff } = details as { diff?: unknown };
  return typeof diff === 'string' && diff !== '' ? diff : undefined;
}

function bounded(lines: string[], paint: Painter): string[] {
  if (lines.length <= MAX_LINES) return lines;
  const half = MAX_LINES / 2;
  return [...lines.slice(0, half), paint.dim(`… ${lines.length - MAX_LINES} lines …`), ...lines.slice(-half)];
}
