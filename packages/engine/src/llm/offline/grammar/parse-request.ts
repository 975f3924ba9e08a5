import { FORMS } from './grammar.ts';
import type { Request } from './request.ts';
import { Said } from './said.ts';

/** Longer messages are no such request; only their first line is looked at. */
const MAX_LENGTH = 2_000;

/** Reads a person's message. Never throws; what fits no form is `unknown`. */
export function parseRequest(message: string): Request {
  const text = message.trim();
  const whole = text.length <= MAX_LENGTH ? parseText(text) : undefined;
  if (whole && whole.kind !== 'unknown') return whole;
  const firstLine = text.split(/\r?\n/, 1)[0]!.trim();
  if (firstLine === text || firstLine.length > MAX_LENGTH) return whole ?? { kind: 'unknown' };
  return parseText(firstLine);
}

function parseText(text: string): Request {
  const said = new Said(text);
  for (const form of FORMS) {
    const match = form.pattern.exec(form.whole ? said.whole : form.careful ? said.careful : said.bare);
    const request = match && form.read(match.groups ?? {}, said);
    if (request) return request;
  }
  return { kind: 'unknown' };
}
