/** What stands for code in a pattern: `$X` one node, `$_` one that is not captured, `$$$X` or `$$$` any number of them. */
export interface Metavariable {
  /** Undefined where nothing is captured: `$_`, `$_REST`, `$$$`. */
  name: string | undefined;
  isSequence: boolean;
}

/** How metavariables are written for a parser that knows nothing of them. Each gets a word, an identifier. */
export interface PlaceholderForm {
  single(word: string): string;
  sequence(word: string): string;
}

/** A pattern as a parser can read it. */
export interface EncodedPattern {
  code: string;
  /** The metavariables by the text that stands for them in the code. */
  placeholders: ReadonlyMap<string, Metavariable>;
  /** What is written in the pattern where a text of the code holds placeholders. */
  decode(text: string): string;
}

/** A metavariable where it stands in a text. */
export interface FoundMetavariable extends Metavariable {
  /** As written. */
  source: string;
  start: number;
  end: number;
}

const METAVARIABLE = /(?<![$\w])\$(?:\$\$([A-Z_][A-Z0-9_]*)?|([A-Z_][A-Z0-9_]*))(?![\w$])/g;
/** Variables of the language itself that look like metavariables. */
const SUPERGLOBAL = /^\$(?:_(?:GET|POST|SERVER|COOKIE|FILES|ENV|REQUEST|SESSION)|GLOBALS)$/;

/** The metavariables of a pattern or a replacement, in their order. */
export function findMetavariables(text: string): FoundMetavariable[] {
  return [...text.matchAll(METAVARIABLE)]
    .filter(([source]) => !SUPERGLOBAL.test(source))
    .map((match) => {
      const [source, sequence, single] = match;
      const name = sequence ?? single;
      const isNamed = name !== undefined && !name.startsWith('_');
      return {
        name: isNamed ? name : undefined,
        isSequence: source.startsWith('$$$'),
        source,
        start: match.index,
        end: match.index + source.length,
      };
    });
}

/**
 * Writes a pattern for the parser.
 * @param found its metavariables; the same source gets the same word
 * @param formOf the form that each of them is written in
 */
export function encodePattern(
  pattern: string,
  found: readonly FoundMetavariable[],
  formOf: (index: number) => PlaceholderForm,
): EncodedPattern {
  const stem = freeStem(pattern);
  const words = new Map<string, string>();
  const placeholders = new Map<string, Metavariable>();
  const sources = new Map<string, string>();
  let code = '';
  let at = 0;
  for (const [index, { name, isSequence, source, start, end }] of found.entries()) {
    const word = words.get(source) ?? `${stem}${words.size}z`;
    words.set(source, word);
    const written = formOf(index)[isSequence ? 'sequence' : 'single'](word);
    // The form may hold more than the parser takes for one node, so each of its words counts too.
    for (const text of [written, written.replace(/;$/, ''), word]) {
      placeholders.set(text, { name, isSequence });
      sources.set(text, source);
    }
    code += pattern.slice(at, start) + written;
    at = end;
  }
  const longestFirst = [...sources].sort(([one], [other]) => other.length - one.length);
  return {
    code: code + pattern.slice(at),
    placeholders,
    decode: (text) =>
      longestFirst.reduce((decoded, [written, source]) => decoded.replaceAll(written, () => source), text),
  };
}

/** The beginning of words that the pattern itself does not use. */
function freeStem(pattern: string): string {
  let stem = 'mvq';
  while (pattern.includes(stem)) stem += 'q';
  return stem;
}
