import { calledArguments, type Request, type RequestKind, textOf, type ViewItem } from '@black-ide/protocol';
import { type FactLine, factLine } from '../text/fact-line.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { answerText } from '../text/request-text.ts';
import { inWords } from '../text/timeline-text.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { changePreview } from './change-preview.ts';
import { factLines } from './fact-lines.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { planLines, planSteps } from './plan-lines.ts';
import { wrap } from './wrap.ts';

/** Of a message that was pasted, so many lines are shown again. */
const USER_LINES = 12;
/** Their answers tell nothing without the question. */
const TOLD_WITH_ANSWER: readonly RequestKind[] = ['ask_user', 'loop_limit', 'repeated_failure'];

/** Of a walkthrough, so many lines are shown. */
const WALKTHROUGH_LINES = 40;

/**
 * Turns what is added to a view, and the text that streams in before, into the lines of the conversation. Each line
 * is handed out once: it goes into the terminal's scrollback and is never drawn again.
 */
export class Transcript {
  readonly #paint: Painter;
  readonly #columns: () => number;
  readonly #diffs: boolean;
  readonly #markdown: MarkdownStream;
  readonly #calls = new Map<string, Record<string, unknown>>();
  /** What has streamed of the answer that is not in the log yet. */
  #streamed = '';
  /** What was said since the person's last message: the end of the task need not say it again. */
  readonly #answers = new Set<string>();
  /** Questions without an answer yet; and calls whose question was told with its answer. */
  readonly #asked = new Map<string, Request>();
  readonly #answered = new Set<string>();
  /** The steps of the plan that was told last. */
  #planned = '';
  readonly #settled = new Set<ViewItem['kind']>();
  /** What the last lines were, to keep air between words and none between facts. */
  #last: 'start' | 'words' | 'facts' = 'start';
  #blank = true;
  /** The next words begin something. */
  #beginning = false;

  /** `diffs`: the beginning of each change is shown below its line. */
  constructor(paint: Painter, columns: () => number, { diffs = false }: { diffs?: boolean } = {}) {
    this.#paint = paint;
    this.#diffs = diffs;
    this.#columns = columns;
    this.#markdown = new MarkdownStream(paint, columns);
  }

  /** More of an answer that is being written. */
  delta(text: string): string[] {
    const begins = this.#streamed === '';
    this.#streamed += text;
    return this.#words(this.#markdown.push(text), begins);
  }

  /** The line that is being written, as it looks so far. */
  partial(): string[] {
    const lines = this.#markdown.partial();
    const apart = lines.length > 0 && !this.#blank && (this.#last === 'facts' || this.#beginning);
    return apart ? ['', ...lines] : lines;
  }

  /** The answer that was being written is given up and asked for anew. */
  startOver(): string[] {
    const lines = this.#words(this.#markdown.end(), false);
    this.#streamed = '';
    return lines;
  }

  add(item: ViewItem): string[] {
    switch (item.kind) {
      case 'user':
        this.#answers.clear();
        return this.#user(item.content);
      case 'assistant':
        return this.#assistant(item);
      case 'toolResult': {
        const { callId, name, isError, content, details } = item;
        const fact = factLine({ name, isError, args: this.#calls.get(callId) ?? {}, text: textOf(content), details });
        const { kind, content: written } = this.#calls.get(callId) ?? {};
        this.#calls.delete(callId);
        const isTold = this.#answered.delete(callId) && !isError;
        if (name === 'update_plan' && !isError && fact) return this.#facts(this.#plan(fact, details));
        if (!fact || isTold) return [];
        const change =
          this.#diffs && !isError && name !== 'create_artifact'
            ? changePreview(details, this.#columns(), this.#paint)
            : [];
        const lines = this.#facts([...factLines(fact, this.#columns(), this.#paint), ...change]);
        const isWalkthrough = name === 'create_artifact' && kind === 'walkthrough' && !isError;
        return isWalkthrough ? [...lines, ...this.#walkthrough(String(written), details)] : lines;
      }
      case 'request':
        this.#asked.set(item.request.id, item.request);
        return [];
      case 'model':
      case 'mode': {
        // The first ones are how it begins; the status line tells them.
        const isFirst = !this.#settled.has(item.kind);
        this.#settled.add(item.kind);
        return isFirst ? [] : this.#facts(this.#wrapped(inWords(item)!));
      }
      case 'response':
        return this.#response(item.response);
      case 'taskEnd':
        return this.#end(item.end);
      case 'command':
        return this.#facts([this.#fitted(visibleLine(inWords(item)!))]);
      default: {
        const words = inWords(item);
        return words ? this.#facts(this.#wrapped(words)) : [];
      }
    }
  }

  /** Takes an item that is not shown: only what later ones rest on is kept. */
  skip(item: ViewItem): void {
    if (item.kind === 'assistant') {
      for (const [id, args] of calledArguments(item.content)) this.#calls.set(id, args);
    } else if (item.kind === 'model' || item.kind === 'mode') this.#settled.add(item.kind);
    else if (item.kind === 'request') this.#asked.set(item.request.id, item.request);
  }

  /** Words of ours to the person. */
  note(text: string, tone: 'dim' | 'bad' = 'dim'): string[] {
    return this.#facts(
      visibleText(text)
        .split('\n')
        .flatMap((line) => {
          const indent = /^ */.exec(line)![0].slice(0, this.#columns() / 2);
          return wrap(this.#paint[tone](line.slice(indent.length)), this.#columns(), indent);
        }),
    );
  }

  #user(content: Parameters<typeof textOf>[0]): string[] {
    const images = typeof content === 'string' ? 0 : content.filter((block) => block.type === 'image').length;
    const all = visibleText(textOf(content).trimEnd()).split('\n');
    const shown = all.length > USER_LINES ? all.slice(0, USER_LINES - 1) : all;
    const lines = shown.flatMap((line, index) =>
      wrap(line, this.#columns(), this.#paint.bold(index === 0 ? '› ' : '  '), '  '),
    );
    if (all.length > shown.length) lines.push(this.#paint.dim(`  … ${all.length - shown.length} more lines`));
    if (images > 0) lines.push(this.#paint.dim(`  + ${images} ${images === 1 ? 'image' : 'images'}`));
    return this.#words(lines, true);
  }

  #assistant({ content, errorMessage, stopReason }: Extract<ViewItem, { kind: 'assistant' }>): string[] {
    for (const [id, args] of calledArguments(content)) this.#calls.set(id, args);
    const lines: string[] = [];
    const thought = content
      .flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
      .join('\n')
      .trim();
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    this.#answers.add(text.trim());
    const known = this.#streamed;
    if (thought && known === '') lines.push(...this.#facts([this.#fitted(`▸ Thought · ${lineCount(thought)}`)]));
    const more = text.startsWith(known) ? text.slice(known.length) : `\n${text}`;
    const drawn = this.#markdown.push(more);
    drawn.push(...this.#markdown.end());
    if (text.trim() !== '') lines.push(...this.#words(drawn, known === ''));
    this.#streamed = '';
    if (errorMessage && stopReason !== 'aborted') lines.push(...this.#facts(this.#wrapped(`✗ ${errorMessage}`)));
    return lines;
  }

  /** What was done, for the person to read at the end of a planned task. */
  #walkthrough(text: string, details: unknown): string[] {
    const all = text.trim().split('\n');
    const shown = all.slice(0, WALKTHROUGH_LINES).join('\n');
    const lines = this.#words([...this.#markdown.push(`${shown}\n`), ...this.#markdown.end()], true);
    if (all.length <= WALKTHROUGH_LINES) return lines;
    const { path } = (details ?? {}) as { path?: unknown };
    return [...lines, ...this.note(`… ${all.length - WALKTHROUGH_LINES} more lines in ${String(path)}`)];
  }

  /** A plan with its steps where they are new; where only their state is, in one line. */
  #plan(fact: FactLine, details: unknown): string[] {
    const steps = planSteps(details);
    const words = steps.map(({ step }) => step).join('\n');
    const isNew = words !== this.#planned;
    this.#planned = words;
    const current = steps.find(({ status }) => status === 'in_progress');
    const tail = [fact.tail, isNew || !current ? '' : visibleLine(current.step)].filter(Boolean).join(' · ');
    const line = fitWidth(`${fact.text} ${tail}`, this.#columns());
    const lines = isNew ? planLines(steps, this.#columns() - 2, this.#paint, steps.length) : [];
    return [this.#paint.dim(line), ...lines.map((each) => `  ${each}`)];
  }

  #response({ requestId, kind, value, text, by }: Extract<ViewItem, { kind: 'response' }>['response']): string[] {
    const request = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    // What was allowed or denied is told by the line of the call itself.
    if (kind === 'permission' && (value === 'allow' || by === 'policy')) return [];
    const who = by === 'terminal' ? '' : `, by ${by}`;
    const answer = this.#wrapped(`→ ${answerText({ value, text })}${who}`);
    if (!request || !TOLD_WITH_ANSWER.includes(kind)) return this.#facts(answer);
    if (typeof request.payload.callId === 'string') this.#answered.add(request.payload.callId);
    return this.#facts([...this.#wrapped(`? ${request.title}`), ...answer]);
  }

  #end({ outcome, message, next }: Extract<ViewItem, { kind: 'taskEnd' }>['end']): string[] {
    if (outcome !== 'completed')
      return this.note(`✗ ${[message, next].filter(Boolean).join(' ')}`, outcome === 'failed' ? 'bad' : 'dim');
    if (this.#isSaid(message)) return next ? this.note(`· ${next}`) : [];
    return this.#words([...this.#markdown.push(message), ...this.#markdown.end()], true);
  }

  /** The end is made of nothing but answers that stand above. */
  #isSaid(message: string): boolean {
    const longestFirst = [...this.#answers].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((rest, answer) => rest.replace(answer, () => ''), message).trim() === '';
  }

  /** A fact that is read to its end, e.g. why something was refused. */
  #wrapped(text: string): string[] {
    return wrap(this.#paint.dim(visibleLine(text)), this.#columns(), '', '  ');
  }

  #fitted(text: string): string {
    return this.#paint.dim(fitWidth(text, this.#columns()));
  }

  /** Lines of words; an empty line before them where they begin something. */
  #words(lines: string[], begins: boolean): string[] {
    this.#beginning ||= begins;
    if (lines.length === 0) return [];
    const apart = !this.#blank && (this.#beginning || this.#last === 'facts');
    this.#beginning = false;
    // Two empty lines in a row tell no more than one.
    const kept = lines.filter((line, at) => line !== '' || (at === 0 ? !this.#blank && !apart : lines[at - 1] !== ''));
    return this.#done(apart ? ['', ...kept] : kept, 'words');
  }

  #facts(lines: string[]): string[] {
    return this.#done(this.#last === 'words' && !this.#blank ? ['', ...lines] : lines, 'facts');
  }

  #done(lines: string[], what: 'words' | 'facts'): string[] {
    if (lines.length === 0) return lines;
    this.#last = what;
    this.#blank = lines.at(-1) === '';
    return lines;
  }
}

function lineCount(text: string): string {
  const count = text.split('\n').length;
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}
