/** A piece of a message; `quoted` where all of it stood in one pair of quotes. */
export interface Phrase {
  text: string;
  quoted: boolean;
}

/** Quoted spans become single characters of this private block, so that the grammar cannot look inside them. */
const FIRST_MARK = 0xe000;
const MAX_MARKS = 0x400;
const MARK = /[\ue000-\ue3ff]/g;

const CLOSERS: Record<string, string> = {
  '`': '`',
  '"': '"',
  "'": "'’",
  '“': '”"',
  '‘': '’',
  '«': '»',
  '„': '“”',
};

const OPENING =
  /^(?:please|pls|kindly|hey|hi|hello|okay|ok|so|well|now|then|just|quickly|black|(?:can|could|would|will) you|(?:can|may|could) (?:i|we)|i (?:want|need) (?:you )?to(?: know)?|i(?: woul|')d like (?:you )?to(?: know)?|i wonder|let(?:'s| us)|tell me|help me|do you know|any idea|go (?:ahead )?and)(?:\s*[,:!]\s*|\s+)(?=\S)/iu;
const CLOSING = /(?:\s*,)?\s+(?:please|pls|thanks|thank you|for me|right now|exactly|quickly)$/iu;

/**
 * A message prepared for the grammar: whitespace folded, quoted spans put behind marks, politeness and closing
 * punctuation taken off.
 */
export class Said {
  /** As folded, with nothing taken off. */
  readonly whole: string;
  /** Without politeness and closing punctuation. */
  readonly bare: string;
  /** Like `bare`, but a closing `!` stays: it may belong to a text that is to be written. */
  readonly careful: string;
  readonly #quotes: string[] = [];

  constructor(message: string) {
    this.whole = this.#mark(message.normalize('NFC')).replace(/\s+/gu, ' ').trim();
    this.careful = stripPoliteness(this.whole, /[\s?？।.…]+$/u);
    this.bare = stripPoliteness(this.whole, /(?:[\s?？！!।.…,;:]|\p{Extended_Pictographic}|\ufe0f)+$/u);
  }

  /** A part of the text with its quotes opened again. */
  open(part: string): Phrase {
    const trimmed = part.trim();
    const text = trimmed.replace(MARK, (mark) => this.#quotes[mark.charCodeAt(0) - FIRST_MARK] ?? '');
    return { text, quoted: trimmed.length === 1 && trimmed !== text };
  }

  /** The quoted spans of a part, and what is left of it without them. */
  split(part: string): { quotes: string[]; rest: string } {
    const quotes: string[] = [];
    const rest = part.replace(MARK, (mark) => {
      quotes.push(this.#quotes[mark.charCodeAt(0) - FIRST_MARK] ?? '');
      return ' ';
    });
    return { quotes, rest: rest.replace(/\s+/g, ' ').trim() };
  }

  #mark(message: string): string {
    let out = '';
    for (let at = 0; at < message.length; ) {
      const span = this.#quotes.length < MAX_MARKS ? quotedSpan(message, at) : undefined;
      if (span) {
        out += String.fromCharCode(FIRST_MARK + this.#quotes.length);
        this.#quotes.push(span.text);
        at = span.end;
      } else {
        out += message[at]!.replace(MARK, ' ');
        at += 1;
      }
    }
    return out;
  }
}

/** The quoted text that opens at an index, or undefined: an apostrophe inside a word opens nothing. */
function quotedSpan(message: string, at: number): { text: string; end: number } | undefined {
  if (message.startsWith('```', at)) {
    const end = message.indexOf('```', at + 3);
    if (end < 0) return undefined;
    const inside = message.slice(at + 3, end).replace(/^[\w+-]*\n/, '');
    return inside.trim() ? { text: inside.replace(/\n$/, ''), end: end + 3 } : undefined;
  }
  const closers = CLOSERS[message[at]!];
  if (!closers || (at > 0 && !/[\s([{,:;=]/.test(message[at - 1]!))) return undefined;
  for (let end = at + 1; end < message.length; end++) {
    const char = message[end]!;
    if (char === '\n' && message[at] !== '"' && message[at] !== '`') return undefined;
    if (char === '\\' && message[at] === '"' && message[end + 1] === '"') end += 1;
    else if (
      closers.includes(char) &&
      (char === '`' || /^(?:$|[\s.,;:!?)\]}(…।])/.test(message.slice(end + 1, end + 2)))
    ) {
      const text = message.slice(at + 1, end).replaceAll(message[at] === '"' ? '\\"' : '\0', '"');
      return text.trim() !== '' || char !== '`' ? { text, end: end + 1 } : undefined;
    }
  }
  return undefined;
}

function stripPoliteness(text: string, punctuation: RegExp): string {
  let rest = text.replace(/^\/(?=[a-z]+(?:\s|$))/i, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(punctuation, '').replace(CLOSING, '').replace(OPENING, '');
  }
  return rest;
}
