import {
  type Content,
  calledArguments,
  calledTool,
  type ImageContent,
  isRecord,
  type SessionHeader,
  textOf,
  timeline,
  type View,
  type ViewItem,
} from '@black-ide/protocol';
import { plainText } from '@black-ide/workspace';

/** What a document tells of a session, block by block. */
export type Block = { id: string; time: string } & (
  | { kind: 'said'; who: 'you' | 'black' | 'summary'; text: string; images: ImageContent[] }
  | { kind: 'thought'; text: string }
  | {
      kind: 'call';
      name: string;
      /** What it was about, in one line. */
      about: string;
      /** How it went, e.g. `+3 −1`; may be empty. */
      outcome: string;
      failed: boolean;
      /** What it was called with, where the line does not say it all. */
      input: string;
      output: string;
      images: ImageContent[];
      /** A unified difference. */
      diff: string;
    }
  | { kind: 'note'; tone: 'plain' | 'asked' | 'failed'; text: string }
);

export interface SessionDocument {
  id: string;
  title: string;
  folder: string;
  /** ISO 8601. */
  started: string;
  models: string[];
  turns: number;
  usage: View['usage'];
  /** How many entries are on branches that were left. */
  elsewhere: number;
  redacted: number;
  blocks: Block[];
}

/** Longer texts are cut: a document is for reading. */
const LONGEST = 100_000;
const LONGEST_LINE = 160;
/** The arguments that say what a call is about. */
const SUBJECTS = ['command', 'pattern', 'query', 'url', 'path', 'name'] as const;

/** The active path of a view as a document. Pure. */
export function documentOf(view: View, header: SessionHeader, redacted: number): SessionDocument {
  const items = timeline(view);
  const models = items.flatMap((item) => (item.kind === 'assistant' ? [`${item.provider}/${item.model}`] : []));
  const first = items.find((item) => item.kind === 'user');
  const title = view.title || (first?.kind === 'user' ? textOf(first.content) : '') || 'A session without messages';
  return {
    id: header.id,
    title: oneLine(title, 120),
    folder: header.cwd,
    started: header.timestamp,
    models: [...new Set(models)],
    turns: models.length,
    usage: view.usage,
    elsewhere: view.items.length - items.length,
    redacted,
    blocks: blocksOf(items),
  };
}

function blocksOf(items: readonly ViewItem[]): Block[] {
  const blocks: Block[] = [];
  const args = new Map<string, Record<string, unknown>>();
  const answered = new Set(items.flatMap((item) => (item.kind === 'toolResult' ? [item.callId] : [])));
  let answer = '';
  for (const item of items) {
    const place = { id: item.entry.id, time: item.entry.timestamp };
    const note = (text: string, tone: 'plain' | 'asked' | 'failed' = 'plain'): void => {
      if (text.trim() !== '') blocks.push({ ...place, kind: 'note', tone, text: oneLine(text, 2_000) });
    };
    switch (item.kind) {
      case 'user':
        blocks.push({
          ...place,
          kind: 'said',
          who: 'you',
          text: cut(textOf(item.content)),
          images: images(item.content),
        });
        break;
      case 'assistant': {
        for (const [id, given] of calledArguments(item.content)) args.set(id, given);
        for (const block of item.content) {
          if (block.type === 'thinking' && block.thinking.trim() !== '') {
            blocks.push({ ...place, kind: 'thought', text: cut(block.thinking) });
          }
        }
        answer = textOf(item.content);
        if (answer.trim() !== '') blocks.push({ ...place, kind: 'said', who: 'black', text: cut(answer), images: [] });
        for (const block of item.content) {
          if (block.type !== 'toolCall' || answered.has(block.id)) continue;
          const called = calledTool(block);
          note(`${called.name} ${aboutCall(called.args)}: no result was recorded`);
        }
        if (item.errorMessage) note(item.errorMessage, 'failed');
        break;
      }
      case 'toolResult':
        if (item.name === 'complete_task' || item.name === 'cancel_task') break;
        blocks.push({ ...place, ...callOf(item, args.get(item.callId) ?? {}) });
        break;
      case 'command': {
        const { command, output, exitCode } = item;
        const outcome = exitCode ? `exit code ${exitCode}` : '';
        const ran = { about: oneLine(command), input: longer(command), output: cut(plainText(output)) };
        blocks.push({
          ...place,
          kind: 'call',
          name: '$',
          ...ran,
          outcome,
          failed: Boolean(exitCode),
          images: [],
          diff: '',
        });
        break;
      }
      case 'compaction':
      case 'branchSummary':
        blocks.push({ ...place, kind: 'said', who: 'summary', text: cut(item.summary), images: [] });
        break;
      case 'taskEnd': {
        const { outcome, message, next } = item.end;
        if (outcome !== 'completed') note([message, next].filter(Boolean).join(' '), 'failed');
        else if (message.trim() !== '' && message.trim() !== answer.trim()) {
          blocks.push({ ...place, kind: 'said', who: 'black', text: cut(message), images: [] });
        }
        break;
      }
      case 'notice':
        if (item.display) note(textOf(item.content));
        break;
      case 'model':
        note(`Model ${item.provider}/${item.modelId}`);
        break;
      case 'mode':
        note(`Mode ${item.mode}`);
        break;
      case 'request':
        note(item.request.title, 'asked');
        break;
      case 'response': {
        const { value, text, by } = item.response;
        note(`→ ${value}${text ? ` (${text})` : ''}, by ${by}`);
        break;
      }
    }
  }
  return blocks;
}

function callOf(item: ViewItem & { kind: 'toolResult' }, args: Record<string, unknown>) {
  const { name, isError, content, details } = item;
  const told = isRecord(details) ? details : {};
  const diff = isError ? '' : typeof told.diff === 'string' ? cut(told.diff) : '';
  const about = aboutCall(args);
  const output = cut(plainText(textOf(content)));
  return {
    kind: 'call' as const,
    name,
    about,
    // What was never run did not fail.
    outcome: told.refused === true ? 'refused' : isError ? 'failed' : outcomeOf(told),
    failed: isError || (typeof told.exitCode === 'number' && told.exitCode !== 0),
    input: diff ? '' : inputOf(args, about),
    // Of a change the difference says more than the sentence.
    output: diff && !output.includes('\n') ? '' : output,
    images: images(content),
    diff,
  };
}

function aboutCall(args: Record<string, unknown>): string {
  const subject = SUBJECTS.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  if (subject !== undefined) return oneLine(String(subject));
  return Object.keys(args).length === 0 ? '' : oneLine(JSON.stringify(args));
}

/** The arguments that the line has not told. */
function inputOf(args: Record<string, unknown>, about: string): string {
  const lines = Object.entries(args)
    .filter(([, value]) => value !== about)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
    });
  return `{${lines.join(', ')}}` === `{${about}}` ? '' : cut(lines.join('\n'));
}

function outcomeOf({ exitCode, seconds, added, removed, matches, entries, from, to }: Record<string, unknown>): string {
  const parts: string[] = [];
  if (typeof added === 'number' && typeof removed === 'number') parts.push(`+${added} −${removed}`);
  if (typeof exitCode === 'number' && exitCode !== 0) parts.push(`exit code ${exitCode}`);
  if (typeof seconds === 'number') parts.push(`${seconds.toFixed(1)} s`);
  if (typeof matches === 'number') parts.push(`${matches} ${matches === 1 ? 'hit' : 'hits'}`);
  if (typeof entries === 'number') parts.push(`${entries} ${entries === 1 ? 'entry' : 'entries'}`);
  if (typeof from === 'number' && typeof to === 'number') parts.push(`lines ${from}–${to}`);
  return parts.join(' · ');
}

function images(content: Content): ImageContent[] {
  return typeof content === 'string' ? [] : content.filter((block) => block.type === 'image');
}

function longer(text: string): string {
  return oneLine(text) === text ? '' : text;
}

function oneLine(text: string, length = LONGEST_LINE): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).toWellFormed()}…` : line;
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text.trimEnd();
  return `${text.slice(0, LONGEST).toWellFormed()}\n[cut: ${text.length - LONGEST} more characters]`;
}
