import type { Request } from '@black-ide/protocol';
import { doing } from './fact-line.ts';
import { visibleText } from './visible-text.ts';

/** What a question is about, whole, for a person who has to decide: what would be done, and why it is asked. */
export function requestText({ title, kind, payload, options }: Request): string[] {
  const choices = kind === 'ask_user' ? options.map(({ label }, index) => `${index + 1}. ${label}`) : [];
  const facts = kind === 'permission' ? permissionFacts(title, payload) : choices;
  return [title, ...facts].flatMap((text) => visibleText(text.trim()).split('\n'));
}

/** The same in one line. */
export function requestLine(request: Request): string {
  return requestText(request).slice(0, 2).join(' ');
}

function permissionFacts(title: string, { name, args, decision, notCovered }: Request['payload']): string[] {
  if (typeof name !== 'string') return [];
  const what = isRecord(args) && isInTitle(title, args) ? '' : doing({ name, args: isRecord(args) ? args : {} });
  const why = isRecord(decision) && typeof decision.why === 'string' ? `(${decision.why})` : '';
  return [what, why, notCoveredText(notCovered)].filter((text) => text !== '');
}

const NAMED = 4;

/** Which files a command could change without a way back. */
function notCoveredText(notCovered: unknown): string {
  if (!isRecord(notCovered)) return '';
  const { why, ignored, large, unreadable } = notCovered;
  if (typeof why === 'string') return `Undo does not cover it: ${why}.`;
  const names = [large, unreadable, ignored].flatMap((list) => (Array.isArray(list) ? list : [])).map(String);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.length > 0 ? `Undo does not cover: ${names.slice(0, NAMED).join(', ')}${more}` : '';
}

/** The beginning of what would be written: a person decides about the content, not about the path alone. */
export function requestContent({ payload: { args } }: Request): string[] {
  const text = isRecord(args) ? (args.content ?? args.new_string ?? args.patch) : undefined;
  if (typeof text !== 'string') return [];
  const lines = visibleText(text.trimEnd()).split('\n');
  const more = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES).map((line) => `| ${line}`), ...(more > 0 ? [`| … ${more} more lines`] : [])];
}

const SHOWN_LINES = 12;

/** A command that stands whole in the title need not be told twice. */
function isInTitle(title: string, { command, cwd }: Record<string, unknown>): boolean {
  return typeof command === 'string' && title.includes(command) && (typeof cwd !== 'string' || title.includes(cwd));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
