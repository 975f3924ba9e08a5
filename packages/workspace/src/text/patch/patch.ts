/** One line of a hunk: context, taken away, or put in. */
export interface PatchLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Some neighbouring changes of a file. */
export interface PatchHunk {
  /** How the hunk is called in messages: its `@@` line. */
  header: string;
  /** Lines that stand somewhere before the hunk, outermost first (`@@ class A`). */
  anchors: string[];
  /** The line, from 1, at which its old side began when the patch was made. */
  oldStart?: number;
  lines: PatchLine[];
  /** The old side is the end of the file. */
  atEnd: boolean;
  /** Sides whose last line has no line ending. */
  openSides: { old: boolean; new: boolean };
}

/** What a patch does to one file. */
export type FilePatch =
  | { kind: 'add'; path: string; content: string; executable: boolean }
  /** `hunks`: what the file must hold, where the patch says so. */
  | { kind: 'delete'; path: string; hunks: PatchHunk[] }
  | { kind: 'update'; path: string; moveTo?: string; hunks: PatchHunk[] };

export type ParsedPatch = { ok: true; files: [FilePatch, ...FilePatch[]] } | PatchProblem;

/** Why a patch cannot be read: in words for whoever wrote it. */
export interface PatchProblem {
  ok: false;
  message: string;
}

/** One side of a hunk as a text, every line with its `\n`. */
export function sideOf({ lines, openSides }: PatchHunk, side: 'old' | 'new'): string {
  const other = side === 'old' ? '+' : '-';
  const texts = lines.filter(({ sign }) => sign !== other).map(({ text }) => `${text}\n`);
  const whole = texts.join('');
  return openSides[side] ? whole.slice(0, -1) : whole;
}

/** A patch that cannot be read; caught where parsing began. */
export class UnreadablePatch extends Error {
  override name = 'UnreadablePatch';
}
