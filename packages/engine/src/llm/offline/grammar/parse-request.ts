import { FORMS } from './grammar.ts';
import type { Request } from './request.ts';
import { Said } from './said.ts';

/** Longer messages are no such request; only their first line is looked at. */
const MAX_LENGTH = 2_000;

/** Reads a person's message. Never throws; what fits no form is `unknown`. */
export function parseRequest(message: string): Request {
  const text = message.trim();
  const firstLine = text.split(/\r?\n/, 1)[0]!.trim();
  if (firstLine === text) return text.length <= MAX_LENGTH ? parseText(text) : { kind: 'unknown' };
  const first = standsAlone(firstLine) ? parseText(firstLine) : undefined;
  if (first && !/^(?:unknown|unclear|greeting|thanks)$/.test(first.kind)) return first;
  const whole = text.length <= MAX_LENGTH ? parseText(text) : undefined;
  if (whole && whole.kind !== 'unknown') return whole;
  return first ?? (firstLine.length <= MAX_LENGTH ? parseText(firstLine) : { kind: 'unknown' });
}

/** True for a line that the next one does not go on: what is piped in or pasted below a question is no part of it. */
function standsAlone(line: string): boolean {
  const openQuote = ['```', '"', '`'].some((quote) => line.split(quote).length % 2 === 0);
  return line.length <= MAX_LENGTH && !openQuote && !UNFINISHED.test(line);
}

const UNFINISHED =
  /(?:^|\s)(?:a|an|the|this|that|all|of|to|in|on|at|by|for|from|with|and|or|is|are|was|does|do|where|what|which|who|how|places?|lines?|files?|me|my|find|replace|rename|show|explain)$|[,:(“‘«]$/iu;

function parseText(text: string): Request {
  const said = new Said(text);
  if (GIT.test(said.bare)) return { kind: 'unknown', instead: NO_GIT };
  for (const form of FORMS) {
    const match = form.pattern.exec(form.whole ? said.whole : form.careful ? said.careful : said.bare);
    const request = match && form.read(match.groups ?? {}, said);
    if (request) return request;
  }
  const instead = INSTEAD.find(([pattern]) => pattern.test(said.bare))?.[1];
  return { kind: 'unknown', ...(instead ? { instead } : {}) };
}

/** The history that git keeps is spoken of as files are, but lies in none. */
const GIT =
  /^(?:git\s+\S.*|(?:(?:summari[sz]e|explain|describe|show|list|read|outline|what(?:'s| is| are| was| were)?|tell(?: me)? about|who made|when was)\s+(?:me\s+|in\s+)?(?:(?:the|my|our|all|this)\s+)*(?:(?:last|latest|recent|most recent|newest|previous|current|uncommitted|unstaged|staged|pending|local|git|pull|merge|commit|\d+)\s+)+(?:\d+\s+)?(?:commits?|changes?|diffs?|branch(?:es)?|history|log|status|stash|blame|requests?|tags?|releases?|messages?))(?:\s+(?:here|now|of|on|in|from|by|since|for|to|say|says|do|does|did|about)\b.*)?|(?:what|who) (?:has |have )?(?:recently )?changed (?:recently|lately|last|since|today|yesterday|in git)\b.*)$/iu;
const NO_GIT =
  'I do not read the history that git keeps; `git status`, `git diff` and `git log` in a terminal show it.';

/** What would take no language model and yet is no request of the grammar, with what comes nearest. */
const INSTEAD: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /^(?:(?:run|execute|start|launch|install|build|compile|lint|deploy|commit|push|pull|checkout|clone)\b|(?:npm|npx|pnpm|yarn|node|python3?|pip3?|pytest|cargo|go|make|docker|bash|sh|curl|tsc|cd|mkdir)\s+\S)/iu,
    'The only commands I run are those of your tests: `run the tests`, or `run the tests in FOLDER`.',
  ],
  [
    /\bversions?\b/iu,
    'A version stands in the manifest: `show package.json`, `show pyproject.toml`, or `find "version"`.',
  ],
  [/^(?:count|how (?:many|much|long|big|large|old))\b/iu, 'I can list and find: `list FOLDER`, `find all NAME`.'],
  [
    /^(?:delete|remove|move|copy|mv|cp|rm)\s+(?:the\s+)?(?:file\s+|folder\s+)?\S*[./]\S*/iu,
    'I do not move, copy or delete files; I can replace text in them: `replace "A" with "B" in FILE`.',
  ],
];
