import { cleanPath, looksLikePath } from '../code/file-kind.ts';
import type { Request } from './request.ts';
import type { Said } from './said.ts';

const SCOPE =
  /^(?:all|every|each|any)\s+(?:(?:the\s+)?(?:occurrences?|instances?|uses?|mentions?|appearances?)\s+of\s+)?|^(?:the\s+)?(?:occurrences?|instances?|uses?|mentions?)\s+of\s+/iu;
const KIND =
  /^(?:the\s+)?(?:word|text|string|name|term|phrase|function|method|class|variable|constant|type|symbol|field|property|identifier|parameter)\s+(?=\S)/iu;
const JOINTS: Record<string, RegExp> = {
  replace: /\s+(?:with|by)\s+/giu,
  substitute: /\s+(?:with|by)\s+/giu,
  swap: /\s+(?:with|for)\s+/giu,
  rename: /\s+(?:to|as|into)\s+/giu,
  change: /\s+(?:to|into)\s+/giu,
  refactor: /\s+(?:to|into)\s+/giu,
};

/**
 * `A with B [in PLACE]`. What is not quoted must be plain enough to be sure of; otherwise the answer says what to quote.
 * `change` and `refactor` are everyday words, so they count only between single names or quoted texts.
 */
export function readReplacement(said: Said, verb: string, rest: string): Request | undefined {
  const everyday = verb === 'change' || verb === 'refactor';
  const body = rest.replace(SCOPE, '').replace(KIND, '');
  const joints = [...body.matchAll(JOINTS[verb]!)];
  if (joints.length === 0) return everyday ? undefined : unclear(verb);
  if (joints.length > 1) return everyday ? undefined : unclear(verb);
  const joint = joints[0]!;
  const from = said.open(body.slice(0, joint.index));
  const tail = splitPlace(said, body.slice(joint.index + joint[0].length));
  const to = said.open(tail.to.replace(KIND, ''));
  if (everyday && !(isSingle(from) && isSingle(to))) return undefined;
  if (from.text === '' || (to.text === '' && !to.quoted)) return unclear(verb);
  if (verb === 'rename' && looksLikePath(from.text) && !from.quoted) {
    return {
      kind: 'unclear',
      hint: 'I do not move or rename files; `git mv` does. I can replace text: `replace A with B in FILE`.',
    };
  }
  if (from.text === to.text) return { kind: 'unclear', hint: 'The old and the new text are the same.' };
  if (from.text.includes('\n')) return { kind: 'unclear', hint: 'I can only replace text that lies within one line.' };
  const rename = verb === 'rename' || verb === 'refactor';
  const { place, perhaps } = tail;
  return {
    kind: 'replace',
    from: from.text,
    to: to.text,
    ...(place ? { place } : {}),
    ...(perhaps ? { perhaps } : {}),
    rename,
  };
}

/** `… in src/a.ts` and `… in the docs folder` name a place; `… in common` may be one. */
function splitPlace(said: Said, tail: string): { to: string; place?: string; perhaps?: { to: string; place: string } } {
  const to = everywhere(tail);
  const found =
    /^(.+?)\s+(?:in|inside|within|under|throughout|across)\s+(?:all\s+(?:of\s+)?)?(?:the\s+)?(?<word>(?:file|folder|directory)\s+)?(?<path>\S+)(?<after>\s+(?:file|folder|directory))?$/iu.exec(
      to,
    );
  const { word, path, after } = found?.groups ?? {};
  if (!found || !path) return { to };
  const { text, quoted } = said.open(path);
  const before = found[1]!;
  if (quoted || word !== undefined || after !== undefined || looksLikePath(text))
    return { to: before, place: cleanPath(text) };
  return { to, perhaps: { to: said.open(before.replace(KIND, '')).text, place: cleanPath(text) } };
}

function everywhere(to: string): string {
  return to.replace(
    /\s+(?:everywhere|in (?:all|every|the whole|the entire|this|the) (?:files?|project|code ?base|repo(?:sitory)?|workspace|code))$/iu,
    '',
  );
}

function isSingle(phrase: { text: string; quoted: boolean }): boolean {
  return phrase.quoted || /^[\p{L}\p{N}_$.-]+$/u.test(phrase.text);
}

function unclear(verb: string): Request {
  const example = verb === 'rename' ? 'rename `A` to `B` in FILE' : 'replace "A" with "B" in FILE';
  return { kind: 'unclear', hint: `I cannot tell the old text from the new one. Put both in quotes: ${example}.` };
}
