import { type FilePatch, type PatchHunk, type PatchLine, UnreadablePatch } from './patch.ts';

const SECTION = /^\*\*\* (Add|Update|Delete) File: *(.+?)\s*$/;
const MOVE = /^\*\*\* Move to: *(.+?)\s*$/;
const END = /^\s*\*\*\* End Patch\s*$/;
const END_OF_FILE = /^\*\*\* End of File\s*$/;
const NUMBERED = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/**
 * Reads what stands behind `*** Begin Patch`. The format is that of OpenAI's `apply_patch` (codex,
 * `apply_patch_tool_instructions.md`).
 *
 * @throws UnreadablePatch naming the line that does not fit
 */
export function parseEnvelope(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  let at = 0;
  for (;;) {
    while (at < lines.length && lines[at]!.trim() === '') at += 1;
    const line = lines[at];
    if (line === undefined) throw new UnreadablePatch('The patch is cut off: `*** End Patch` is missing.');
    if (END.test(line)) return files;
    const section = SECTION.exec(line.trimEnd());
    if (!section) {
      throw new UnreadablePatch(
        `Line ${at + 2} of the patch, ${quoted(line)}, begins no section. Use \`*** Add File: path\`, \`*** Update File: path\` or \`*** Delete File: path\`.`,
      );
    }
    const [, kind, path] = section as unknown as [string, string, string];
    const end = endOfSection(lines, at + 1);
    const body = lines.slice(at + 1, end);
    files.push(fileOf(kind, path, body, at + 3));
    at = end;
  }
}

function endOfSection(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, n) => n >= from && (END.test(line) || SECTION.test(line.trimEnd())));
  return end < 0 ? lines.length : end;
}

/** @param number the body's first line in the patch, from 1 */
function fileOf(kind: string, path: string, body: string[], number: number): FilePatch {
  while (body.at(-1) === '') body.pop();
  if (kind === 'Delete') {
    if (body.length > 0) throw new UnreadablePatch(`Nothing may follow \`*** Delete File: ${path}\`.`);
    return { kind: 'delete', path, hunks: [] };
  }
  if (kind === 'Add') {
    const wrong = body.findIndex((line) => !line.startsWith('+'));
    if (wrong >= 0) {
      throw new UnreadablePatch(`Line ${number + wrong} of the patch: every line of an added file begins with \`+\`.`);
    }
    return { kind: 'add', path, content: body.map((line) => `${line.slice(1)}\n`).join(''), executable: false };
  }
  const move = body[0] === undefined ? null : MOVE.exec(body[0]);
  const hunks = move ? hunksOf(body.slice(1), number + 1) : hunksOf(body, number);
  if (hunks.length === 0 && !move) throw new UnreadablePatch(`\`*** Update File: ${path}\` has no hunk.`);
  return { kind: 'update', path, ...(move ? { moveTo: move[1]! } : {}), hunks };
}

function hunksOf(body: readonly string[], number: number): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  let hunk: PatchHunk | undefined;
  const open = (): PatchHunk => {
    hunk ??= { header: '@@', anchors: [], lines: [], atEnd: false, openSides: { old: false, new: false } };
    return hunk;
  };
  const close = (): void => {
    if (!hunk) return;
    if (hunk.lines.length === 0) throw new UnreadablePatch(`The hunk \`${hunk.header}\` has no lines.`);
    hunks.push(hunk);
    hunk = undefined;
  };
  for (const [n, line] of body.entries()) {
    if (/^@@(\s|$)/.test(line)) {
      if (hunk && hunk.lines.length > 0) close();
      addHeader(open(), line.trimEnd());
    } else if (END_OF_FILE.test(line)) {
      open().atEnd = true;
      close();
    } else {
      open().lines.push(lineOf(line, number + n));
    }
  }
  close();
  return hunks;
}

function addHeader(hunk: PatchHunk, line: string): void {
  const numbered = NUMBERED.exec(line);
  if (numbered) hunk.oldStart = Number(numbered[1]);
  const anchor = numbered
    ? ''
    : line
        .slice(2)
        .replace(/\s*@@$/, '')
        .replace(/^ /, '');
  if (anchor.trim() !== '') hunk.anchors.push(anchor);
  hunk.header = hunk.header === '@@' ? line : `${hunk.header} ${line}`;
}

/** A wholly empty line is an empty line of context: writers drop the blank in front of it. */
function lineOf(line: string, number: number): PatchLine {
  if (line === '') return { sign: ' ', text: '' };
  const sign = line.charAt(0);
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) };
  throw new UnreadablePatch(
    `Line ${number} of the patch, ${quoted(line)}, begins with neither a blank, \`-\` nor \`+\`.`,
  );
}

function quoted(line: string): string {
  return `“${line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line}”`;
}
