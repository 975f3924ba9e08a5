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

function permissionFacts(title: string, { name, args, decision, unsandboxed }: Request['payload']): string[] {
  if (typeof name !== 'string') return [];
  const what = isRecord(args) && isInTitle(title, args) ? '' : doing({ name, args: isRecord(args) ? args : {} });
  const why = isRecord(decision) && typeof decision.why === 'string' ? `(${decision.why})` : '';
  const exposed = typeof unsandboxed === 'string' ? `Runs without a sandbox: ${unsandboxed}.` : '';
  return [what, why, exposed].filter((text) => text !== '');
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
