/** An escape of JSON: a pair of surrogates, one alone, or any other. */
const ESCAPES = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2}|.)/gs;
const SURROGATE = /^\\u[dD][89a-fA-F]/;

/**
 * JSON text whose strings hold no half of a surrogate pair: each becomes U+FFFD. An emoji that some program cut in two
 * would make providers refuse the whole conversation. Works on the text, so that nesting costs no stack.
 */
export function wellFormedJson(text: string): string {
  if (!mayHoldHalves(text)) return text;
  return text.replace(ESCAPES, (found: string, low: string | undefined) =>
    low === undefined && SURROGATE.test(found) ? '\\ufffd' : found,
  );
}

/**
 * Whether it is worth looking at every escape. Files of programs that escape all but ASCII are full of whole pairs:
 * these are passed over quickly.
 */
function mayHoldHalves(text: string): boolean {
  if (text.includes('\\uD')) return true;
  for (let at = text.indexOf('\\ud'); at !== -1; at = text.indexOf('\\ud', at)) {
    // A backslash before it: whether that one is escaped itself is for the full look to say.
    if (text[at - 1] === '\\') return true;
    const kind = text.charCodeAt(at + 3);
    if (isHigh(kind)) {
      if (!text.startsWith('\\ud', at + 6) || !isLow(text.charCodeAt(at + 9))) return true;
      at += 12;
    } else if (isLow(kind)) {
      return true;
    } else {
      at += 6;
    }
  }
  return false;
}

/** The digit after `\ud`: 8, 9, a, b begin a pair. */
function isHigh(digit: number): boolean {
  return digit === 0x38 || digit === 0x39 || digit === 0x61 || digit === 0x62 || digit === 0x41 || digit === 0x42;
}

/** c to f end one. */
function isLow(digit: number): boolean {
  return (digit >= 0x63 && digit <= 0x66) || (digit >= 0x43 && digit <= 0x46);
}
