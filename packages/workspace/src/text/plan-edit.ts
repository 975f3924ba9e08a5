import { adaptReplacement } from './adapt-replacement.ts';
import { describeRung, type EditFailure, findTarget, type Rung, type Target } from './edit-ladder.ts';
import type { Span } from './folded-text.ts';

export interface EditRequest {
  /** The text to replace, as the model wrote it. */
  oldText: string;
  newText: string;
  /** Replace every occurrence instead of the only one. */
  all?: boolean;
}

/** A stretch of the original text and what takes its place. */
export interface Replacement extends Span {
  text: string;
}

export interface EditPlan {
  ok: true;
  rung: Rung;
  targets: [Target, ...Target[]];
  /** In order, not overlapping, as small as whole characters allow. */
  replacements: Replacement[];
  /** The whole new text. */
  text: string;
}

/**
 * Plans one edit of a text: finds the target and says what takes its place. Only what lies in the target can change;
 * lines of it that the request repeats unchanged keep their bytes too.
 */
export function planEdit(text: string, { oldText, newText, all = false }: EditRequest): EditPlan | EditFailure {
  if (oldText === newText && oldText !== '') return noChange('The text to replace and its replacement are the same.');
  const found = findTarget(text, oldText, { all });
  if (!found.ok) return alreadyDone(text, newText, found);
  const replacements: Replacement[] = [];
  for (const target of found.targets) {
    const replacement = adaptReplacement(text, target, oldText, newText, found.rung);
    if (replacement === undefined) return unshiftable(target);
    const smallest = shrink(text, { start: target.start, end: target.end, text: replacement });
    if (smallest) replacements.push(smallest);
  }
  if (replacements.length === 0) {
    return noChange(`With ${describeRung(found.rung)} overlooked, the replacement is what the file already has.`);
  }
  return { ok: true, rung: found.rung, targets: found.targets, replacements, text: replaceAll(text, replacements) };
}

/** Puts replacements, in order and not overlapping, into a text. */
export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of replacements) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Leaves out what stays the same at both ends, never cutting a surrogate pair; undefined when all of it does. */
function shrink(text: string, { start, end, text: replacement }: Replacement): Replacement | undefined {
  const old = text.slice(start, end);
  if (old === replacement) return undefined;
  const shorter = Math.min(old.length, replacement.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === replacement.charCodeAt(head)) head += 1;
  if (isHighSurrogate(old.charCodeAt(head - 1))) head -= 1;
  let tail = 0;
  const [a, b] = [old.length - 1, replacement.length - 1];
  while (tail < shorter - head && old.charCodeAt(a - tail) === replacement.charCodeAt(b - tail)) tail += 1;
  if (isLowSurrogate(old.charCodeAt(old.length - tail))) tail -= 1;
  return { start: start + head, end: end - tail, text: replacement.slice(head, replacement.length - tail) };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function noChange(message: string): EditFailure {
  return {
    ok: false,
    code: 'no_change',
    message,
    next: 'Nothing was written. Send the edit only if something is to change.',
  };
}

function unshiftable({ startLine }: Target): EditFailure {
  return {
    ok: false,
    code: 'not_found',
    message: `At line ${startLine} the text to replace is found only with another indentation, and the new text has lines that are indented less than the difference.`,
    next: "Copy the file's lines with their own indentation.",
  };
}

function alreadyDone(text: string, newText: string, failure: EditFailure): EditFailure {
  if (failure.code !== 'not_found' || newText.trim().length < 8) return failure;
  const there = findTarget(text, newText);
  if (!there.ok) return failure;
  const { startLine } = there.targets[0];
  return {
    ...failure,
    next: `The new text already stands at line ${startLine}: was this edit made before? ${failure.next}`,
  };
}
