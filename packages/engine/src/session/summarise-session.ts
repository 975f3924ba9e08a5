import { basename } from 'node:path';
import { isHeader, isRecord, type SessionSummary, textOf, userContent } from '@black-ide/protocol';
import type { FileEnds } from '@black-ide/workspace';
import { idInFileName } from './session-ids.ts';
import { wellFormedJson } from './well-formed-json.ts';

const TITLE_LENGTH = 80;
/** How the entries that count begin, as we and the pi family write them. */
const MESSAGE = '{"type":"message"';
const NAME = '{"type":"session_info"';
const HEADER = '"type":"session"';

/** A summary, and whether enough of the file was read to tell when the last message was. */
export interface Summarised {
  summary: SessionSummary;
  complete: boolean;
}

/**
 * What a list tells of a session, from the two ends of its file (SES-4). A name that was given in the middle of a large
 * file is not seen. Never throws: what is damaged has a `problem`.
 */
export function summariseSession(path: string, ends: FileEnds): Summarised {
  const head = linesOf(ends.head);
  const tail = linesOf(ends.tail);
  const whole = ends.tail === '';
  const cut = whole ? undefined : head.pop();
  if (!whole) tail.shift();
  const lines = [...head, ...tail];
  const found = head.find((line) => line.includes(HEADER) && isHeader(parse(line)));
  const header = parse(found ?? '') ?? {};
  const active = timeOfLastMessage(lines);
  const fallback = new Date(ends.modified).toISOString();
  const created = typeof header.timestamp === 'string' && header.timestamp ? header.timestamp : fallback;
  const messages = lines.filter(isConversation).length;
  const cwd = typeof header.cwd === 'string' ? header.cwd : '';
  return {
    summary: {
      id: found ? String(header.id) : (idInFileName(basename(path)) ?? basename(path)),
      ...(path ? { path } : {}),
      cwd,
      title: titleOf(nameOf(lines) ?? header.title) || titleOf(firstQuestion(head, cut)) || '(no messages)',
      created,
      modified: active ?? (found ? created : fallback),
      messages,
      ...(whole ? {} : { atLeast: true }),
      ...(found ? {} : { problem: 'It has lost its first line.' }),
    },
    complete: whole || active !== undefined,
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function isConversation(line: string): boolean {
  const role = roleOf(line);
  return role === 'user' || role === 'assistant';
}

/** The role is the first thing that a message says of itself. */
function roleOf(line: string): string | undefined {
  if (!line.startsWith(MESSAGE)) return undefined;
  return /"message":\{"role":"(\w+)"/.exec(line.slice(0, 400))?.[1];
}

function timeOfLastMessage(lines: readonly string[]): string | undefined {
  for (const line of lines.toReversed()) {
    const entry = isConversation(line) ? parse(line) : undefined;
    if (!entry) continue;
    const { timestamp } = entry.message as { timestamp?: unknown };
    const written = typeof entry.timestamp === 'string' ? entry.timestamp : '';
    const time = new Date(typeof timestamp === 'number' && timestamp > 0 ? timestamp : written);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
  }
  return undefined;
}

/** The last name given; '' where it was taken away again, undefined where none was given. */
function nameOf(lines: readonly string[]): string | undefined {
  const entry = parse(lines.findLast((line) => line.startsWith(NAME)) ?? '');
  if (!entry) return undefined;
  return typeof entry.name === 'string' ? entry.name : '';
}

/** What the person asked first, also where the line was too long to be read whole. */
function firstQuestion(head: readonly string[], cut: string | undefined): string {
  const line = head.find((each) => roleOf(each) === 'user');
  const message = parse(line ?? '')?.message;
  if (isRecord(message)) return textOf(userContent(message.content));
  if (cut === undefined || roleOf(cut) !== 'user') return '';
  const beginning = /"(?:content|text)":"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u]){1,400})/.exec(cut)?.[1];
  return String(parse(`{"text":"${beginning ?? ''}"}`)?.text ?? '');
}

/** One line, cut between characters. */
function titleOf(text: unknown): string {
  if (typeof text !== 'string') return '';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= TITLE_LENGTH) return line;
  const characters = Array.from(line.slice(0, TITLE_LENGTH * 2));
  if (characters.length <= TITLE_LENGTH) return line;
  return `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(wellFormedJson(line));
    return isRecord(value) ? value : undefined;
  } catch {
    // A line that was cut, or garbage: there is nothing to be told of it.
    return undefined;
  }
}
