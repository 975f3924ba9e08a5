/** A line that stands for code which its writer left out. */
export interface Placeholder {
  /** From 1, in the new text. */
  line: number;
  text: string;
}

const OPENERS = /^(?:\{\s*\/\*+|\/\*+|\/\/+!?|<!--+|#+|--\[\[|--+|;+|%+|\(\*|\{-|"""|'''|'|\*|REM\b|dnl\b)\s*/i;
const CLOSERS = /\s*(?:\*+\/\s*\}|\*+\/|--+>|\*\)|-\}|\]\]|"""|'''|#+)\s*$/;
const DOTS_BEFORE = /^(?:\.{2,}|…)\s*/;
const DOTS_BEHIND = /\s*(?:\.{2,}|…)$/;
const BRACKETS = /^(?:<(.*)>|\[(.*)\]|\((.*)\)|\{(.*)\})$/;

const CODE =
  '(?:codes?|contents?|files?|functions?|methods?|class(?:es)?|imports?|exports?|implementations?|logic|lines?|tests?|fields?|propert(?:y|ies)|props|handlers?|routes?|cases?|components?|styles?|rules?|configs?|configuration|setup|body|definitions?|variables?|statements?|elements?|types?|sections?|parts?|script|module|program|document|text|markup|template|query|block)';
const KEPT =
  '(?:(?:is|are|remains?|stays?|was|were|goes|to be|left|kept)\\s+)*(?:unchanged|unmodified|untouched|the same|as before|as is|as-is|omitted(?: for (?:brevity|clarity))?|here|not shown|intact)';

/** Whole sentences of a placeholder that need no dots around them. */
const PLAIN = [
  `(?:the )?(?:rest|remainder)(?: of (?:the |this |your )?(?:[\\w-]+ ){0,2}[\\w-]+)? ${KEPT}`,
  `(?:the )?(?:existing|original|previous|remaining|unchanged|other|current) (?:[\\w-]+ )?${CODE} ${KEPT}`,
  `(?:existing|unchanged|original) code`,
  `(?:your|the) existing (?:[\\w-]+ )?${CODE}(?: ${KEPT})?`,
  `keep (?:the |your |all )?(?:existing|remaining|rest of the|other) (?:[\\w-]+ )?${CODE}(?: ${KEPT})?`,
  `(?:[\\w-]+ )?${CODE} (?:omitted for brevity|omitted for clarity|remains? unchanged|remains? the same|unchanged from (?:before|above))`,
  `omitted for brevity`,
];
/** What is a placeholder between or beside dots, or in brackets. */
const DOTTED = [
  ...PLAIN,
  `(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:[\\w-]+ ){0,2}[\\w-]+`,
  `(?:the )?(?:existing|original|previous|remaining|unchanged|same) (?:[\\w-]+ )?${CODE}(?: (?:above|below|${KEPT}))?`,
  `other (?:existing )?(?:code|methods?|functions?|imports?|routes?|handlers?)(?: ${KEPT})?`,
  `(?:unchanged|no changes?|rest unchanged|same as (?:before|above)|as before)`,
];
const PLAIN_CORE = new RegExp(`^(?:${PLAIN.join('|')})$`, 'i');
const DOTTED_CORE = new RegExp(`^(?:${DOTTED.join('|')})$`, 'i');

/**
 * Finds a line of the new text that stands for omitted code, such as `// ... existing code ...`, `# rest unchanged` or
 * `<unchanged>`, written in any language's comments or bare (IDE-52). Writing it would delete what it stands for. A line
 * that the old text has as well is no such thing.
 */
export function omissionPlaceholder(newText: string, oldText: string): Placeholder | undefined {
  const lines = newText.split(/\r\n|\n|\r/);
  let known: Set<string> | undefined;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (!isPlaceholder(text)) continue;
    known ??= new Set(oldText.split(/\r\n|\n|\r/).map((old) => old.trim()));
    if (!known.has(text)) return { line: index + 1, text };
  }
  return undefined;
}

const MAX_LENGTH = 120;

function isPlaceholder(line: string): boolean {
  if (line.length < 6 || line.length > MAX_LENGTH) return false;
  const opened = line.replace(OPENERS, '');
  const isComment = opened !== line;
  const inner = (isComment ? opened.replace(CLOSERS, '') : line).trim();
  const bare = inner.replace(DOTS_BEFORE, '').replace(DOTS_BEHIND, '');
  const dots = (DOTS_BEFORE.test(inner) ? 1 : 0) + (DOTS_BEHIND.test(inner) ? 1 : 0);
  const brackets = BRACKETS.exec(bare.trim());
  const within = brackets ? (brackets.slice(1).find((group) => group !== undefined) ?? '') : bare;
  const core = within
    .replace(DOTS_BEFORE, '')
    .replace(DOTS_BEHIND, '')
    .replace(/[.:,;]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (core === '') return false;
  if (isComment) return dots > 0 || brackets ? DOTTED_CORE.test(core) : PLAIN_CORE.test(core);
  // Without a comment's sign it must be unmistakable: `...rest` is syntax, and prose may speak of existing code.
  const isMarked = dots === 2 || (brackets !== null && /^[<[]/.test(bare.trim()));
  return isMarked && DOTTED_CORE.test(core);
}
