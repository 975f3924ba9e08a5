import type { Request } from '@black-ide/protocol';
import type { Painter } from '../text/painter.ts';
import { planArtifacts, requestText, type ShownArtifact } from '../text/request-text.ts';
import { visibleCommand, visibleLine, visibleText } from '../text/visible-text.ts';
import { diffLines } from './diff-lines.ts';
import { wrap } from './wrap.ts';

/** A key that was pressed before a person can have seen the question is not an answer to it. */
export const GUARD_MS = 250;

const REFUSALS: readonly string[] = ['deny', 'reject', 'stop', 'no'];

/** The answer that no option gives. */
const IN_WORDS: CardOption = { value: '', label: 'Answer in words', wantsWords: true };

export interface CardOption {
  value: string;
  label: string;
  /** Words of the person belong to it: why not, or what instead. */
  wantsWords: boolean;
  /** It is no answer: it opens a document to be read, or all of them in the person's editor. */
  opens?: ShownArtifact | 'editor';
}

/** Of a rewrite of many files a card shows so many lines; the details have more. */
const DIFF_LINES = 200;
/** Of a plan's tasks, so many lines stand on the card; all of them can be opened. */
const TASK_LINES = 8;

/** An open question as it stands on the screen. Nothing is focused until a person chooses to. */
export class Card {
  readonly request: Request;
  readonly options: readonly CardOption[];
  /** The option that Enter would take. */
  focused: number | undefined;
  #paintedAt: number | undefined;

  constructor(request: Request) {
    this.request = request;
    const isFree = request.kind === 'ask_user' || request.options.length === 0;
    const offered = request.options.map(({ value, label }) => ({
      value,
      label,
      wantsWords: !isFree && REFUSALS.includes(value),
    }));
    this.options = isFree ? [...offered, IN_WORDS] : [...offered, ...documents(request)];
  }

  /** Words of the person are an answer as they are. */
  get takesWords(): boolean {
    return this.options.includes(IN_WORDS);
  }

  /** The card is on the screen now; when it was there already, nothing changes. */
  painted(now: number): void {
    this.#paintedAt ??= now;
  }

  get isPainted(): boolean {
    return this.#paintedAt !== undefined;
  }

  /** It was taken off the screen, e.g. by a list: it has to be seen anew. */
  hidden(): void {
    this.#paintedAt = undefined;
  }

  /** Whether a key pressed now can be an answer. */
  isReady(now: number): boolean {
    return this.#paintedAt !== undefined && now - this.#paintedAt >= GUARD_MS;
  }

  /** Moves the focus; the first move takes the first or the last option. */
  move(by: 1 | -1): void {
    const count = this.options.length;
    this.focused = this.focused === undefined ? (by > 0 ? 0 : count - 1) : (this.focused + by + count) % count;
  }

  /** What is asked, whole; `spelt`: how text is written that the terminal cannot show. */
  body(columns: number, paint: Painter, spelt = asItIs): string[] {
    const { request } = this;
    const inner = Math.max(columns - 2, 8);
    const lines = words(request).flatMap((line, at) =>
      wrap(at === 0 ? paint.bold(paint.accent(spelt(line))) : spelt(line), inner),
    );
    for (const line of [...change(request, paint), ...plan(request)]) lines.push(...wrap(spelt(line), inner));
    return lines.map((line) => `${paint.accent('│')} ${line}`);
  }

  choices(columns: number, paint: Painter, spelt = asItIs): string[] {
    const bar = paint.accent('│');
    const words = this.options.map(({ label }, at) => `${at < 9 ? at + 1 : ' '} ${spelt(visibleCommand(label))}`);
    const draw = (text: string, at: number): string =>
      at === this.focused ? paint.bold(paint.accent(`› ${text}`)) : `  ${text}`;
    const inRows = (from: number, to: number): string[] => {
      const part = words.slice(from, to);
      const width = part.reduce((sum, text) => sum + text.length + 4, 2);
      const drawn = (text: string, at: number): string => draw(text, from + at);
      if (width <= columns) return part.length > 0 ? [part.map(drawn).join('  ')] : [];
      // A choice is never cut: what it allows has to be read whole.
      return part.flatMap((text, at) => wrap(drawn(text, at), columns - 2, '', '    '));
    };
    const { answers } = this;
    return [...inRows(0, answers), ...inRows(answers, words.length)].map((row) => `${bar} ${row}`);
  }

  /** How many of the options, from the first, are answers or lead to one; the others open something to read. */
  get answers(): number {
    const reading = this.options.findIndex(({ opens }) => typeof opens === 'object');
    return reading < 0 ? this.options.length : reading;
  }
}

/** What a plan's card opens: its documents, to be edited and to be read. */
function documents({ kind, payload }: Request): CardOption[] {
  const artifacts = kind === 'plan' ? planArtifacts(payload) : [];
  if (artifacts.length === 0) return [];
  const option = { value: '', wantsWords: false };
  const reading = artifacts.map((artifact) => {
    const lines = `${artifact.lines} ${artifact.lines === 1 ? 'line' : 'lines'}`;
    return { ...option, label: `▸ ${artifact.kind.replace('_', ' ')} · ${lines}`, opens: artifact };
  });
  return [{ ...option, label: 'Edit first', opens: 'editor' }, ...reading];
}

/** The tasks of a plan, as far as a card has room for them. */
function tasks({ payload }: Request): string[] {
  const list = planArtifacts(payload).find(({ kind }) => kind === 'task_list');
  if (!list) return [];
  const lines = visibleText(list.preview.trimEnd())
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, TASK_LINES);
  return lines.length > shown.length || list.lines > lines.length ? [...shown, '…'] : shown;
}

function asItIs(text: string): string {
  return text;
}

/** The question in words; a command stands below its question, so the question need not repeat its beginning. */
function words(request: Request): string[] {
  if (request.kind === 'plan') return [visibleLine(request.title), ...tasks(request)];
  // Its options stand below as choices.
  if (request.kind === 'ask_user') return visibleText(request.title.trim()).split('\n');
  const isCommand = request.kind === 'permission' && request.payload.name === 'run_command';
  return requestText(isCommand ? { ...request, title: 'Run this command?' } : request);
}

/** What a file call would write, as a diff: a person cannot judge it by its path. */
function change({ payload }: Request, paint: Painter): string[] {
  const { args, diff } = payload;
  if (typeof args !== 'object' || args === null) return [];
  const { old_string, new_string, content, patch } = args as Record<string, unknown>;
  if (typeof patch === 'string') return diffLines(patch, paint);
  if (typeof diff === 'string') return diffLines(diff, paint, DIFF_LINES);
  const minus = typeof old_string === 'string' ? marked('-', old_string) : [];
  const added = typeof new_string === 'string' ? new_string : content;
  const plus = typeof added === 'string' ? marked('+', added) : [];
  return [...minus, ...plus].length > 0 ? diffLines([...minus, ...plus].join('\n'), paint) : [];
}

function marked(mark: string, text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => mark + line);
}

/** The words of a longer question, wherever its payload keeps them. */
function plan({ kind, payload, title }: Request): string[] {
  // What the model says of a plan stands above already.
  if (kind === 'plan') return [];
  const texts = ['plan', 'text', 'question', 'error', 'summary']
    .map((name) => payload[name])
    .filter((text) => typeof text === 'string' && !title.includes(text));
  return texts.flatMap((text) => visibleText(String(text).trim()).split('\n'));
}
