/** An escape of JSON: a pair of surrogates, one alone, or any other. */
const ESCAPES = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2}|.)/gs;
const SURROGATE = /^\\u[dD][89a-fA-F]/;

/**
 * JSON text whose strings hold no half of a surrogate pair: each becomes U+FFFD. An emoji that some program cut in two
 * would make providers refuse the whole conversation. Works on the text, so that nesting costs no stack.
 */
export function wellFormedJson(text: string): string {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return text;
  return text.replace(ESCAPES, (found: string, low: string | undefined) =>
    low === undefined && SURROGATE.test(found) ? '\\ufffd' : found,
  );
}
