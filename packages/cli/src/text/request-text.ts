import type { Request } from '@black-ide/protocol';
import { doing } from './fact-line.ts';
import { visibleText } from './visible-text.ts';

/** What a question is about, whole, for a person who has to decide: what would be done, and why it is asked. */
export function requestText({ title, kind, payload }: Request): string[] {
  const facts = kind === 'permission' ? permissionFacts(payload) : [];
  return [title, ...facts].flatMap((text) => visibleText(text.trim()).split('\n'));
}

/** The same in one line. */
export function requestLine(request: Request): string {
  return requestText(request).slice(0, 2).join(' ');
}

function permissionFacts({ name, args, decision }: Request['payload']): string[] {
  if (typeof name !== 'string') return [];
  const what = isRecord(args) && isInTitle(args) ? '' : doing({ name, args: isRecord(args) ? args : {} });
  const why = isRecord(decision) && typeof decision.why === 'string' ? `(${decision.why})` : '';
  return [what, why].filter((text) => text !== '');
}

/** A short command stands in the title already. */
function isInTitle({ command }: Record<string, unknown>): boolean {
  return typeof command === 'string' && command.length <= 80 && !/[^ -~]| {2}/.test(command);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
