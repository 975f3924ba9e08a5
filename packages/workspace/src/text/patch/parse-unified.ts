import { type FilePatch, type PatchHunk, type PatchLine, UnreadablePatch } from './patch.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_NEWLINE = /^\\ /;

/** The headers of one file, as far as they were read. */
interface Headers {
  git?: { from: string; to: string };
  from?: string | null;
  to?: string | null;
  renamed?: { from?: string; to?: string };
  executable: boolean;
  deleted: boolean;
  created: boolean;
}

/**
 * Reads a unified diff of one or several files, as `diff -u` and `git diff` write it; counts in a hunk's header that are
 * wrong are overlooked, as they are the commonest mistake of a diff that was written by hand.
 *
 * @throws UnreadablePatch for what is no diff of text files
 */
export function parseUnified(raw: readonly string[]): FilePatch[] {
  const lines = withoutCarriageReturns(raw);
  const files: FilePatch[] = [];
  let headers: Headers | undefined;
  let hunks: PatchHunk[] = [];
  const close = (): void => {
    if (headers) files.push(fileOf(headers, hunks));
    headers = undefined;
    hunks = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.startsWith('diff --git ')) {
      close();
      headers = { ...fresh(), ...gitNames(line) };
    } else if (beginsFile(lines, at)) {
      if (!headers || headers.from !== undefined) close();
      headers ??= fresh();
      headers.from = nameOf(line.slice(4));
      headers.to = nameOf(lines[at + 1]!.slice(4));
      at += 1;
    } else if (HUNK.test(line) || /^@@(\s|$)/.test(line)) {
      if (!headers) throw new UnreadablePatch('The diff has a hunk before any `--- path` and `+++ path`.');
      const end = endOfHunk(lines, at);
      hunks.push(hunkOf(lines, at, end));
      at = end;
      continue;
    } else if (headers) readExtended(line, headers);
    at += 1;
  }
  close();
  return files;
}

function fresh(): Headers {
  return { executable: false, deleted: false, created: false };
}

/** Where even the headers end with `\r`, the whole diff was sent with such line endings. */
function withoutCarriageReturns(lines: readonly string[]): readonly string[] {
  const header = lines.find((line) => line.startsWith('+++ ') || line.startsWith('diff --git '));
  return header?.endsWith('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}

function beginsFile(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true;
}

function readExtended(line: string, headers: Headers): void {
  const [, key = '', value = ''] =
    /^(new file mode|deleted file mode|old mode|new mode|rename from|rename to|copy from|Binary files|GIT binary patch)\b ?(.*)$/.exec(
      line,
    ) ?? [];
  switch (key) {
    case 'new file mode':
      headers.created = true;
      headers.executable = value.trim() === '100755';
      if (value.trim() === '120000')
        throw new UnreadablePatch('The diff makes a symbolic link; only files can be patched.');
      return;
    case 'deleted file mode':
      headers.deleted = true;
      return;
    case 'rename from':
      headers.renamed = { ...headers.renamed, from: unquoted(value) };
      return;
    case 'rename to':
      headers.renamed = { ...headers.renamed, to: unquoted(value) };
      return;
    case 'copy from':
      throw new UnreadablePatch('The diff copies a file. Write the copy as an added file.');
    case 'new mode':
      throw new UnreadablePatch('The diff changes permissions. Use a command for that.');
    case 'Binary files':
    case 'GIT binary patch':
      throw new UnreadablePatch('The diff changes a binary file; only text can be patched.');
  }
}

function fileOf(headers: Headers, hunks: PatchHunk[]): FilePatch {
  const { git, renamed, deleted, created, executable } = headers;
  const from = headers.from === undefined ? (created ? null : (git?.from ?? null)) : headers.from;
  const to = headers.to === undefined ? (deleted ? null : (git?.to ?? null)) : headers.to;
  const [old, now] = withoutPrefixes(from, to);
  if (now === null && old === null) throw new UnreadablePatch('The diff names no file.');
  if (old === null) return { kind: 'add', path: now!, content: addedContent(hunks, now!), executable };
  if (now === null) return { kind: 'delete', path: old, hunks };
  const moveTo = renamed?.to ?? now;
  const path = renamed?.from ?? old;
  if (hunks.length === 0 && moveTo === path) throw new UnreadablePatch(`The diff of ${path} has no hunk.`);
  return { kind: 'update', path, ...(moveTo === path ? {} : { moveTo }), hunks };
}

function addedContent(hunks: readonly PatchHunk[], path: string): string {
  if (hunks.some(({ lines }) => lines.some(({ sign }) => sign !== '+'))) {
    throw new UnreadablePatch(`The diff adds ${path}, but has lines that are not added.`);
  }
  const last = hunks.at(-1);
  const content = hunks.flatMap(({ lines }) => lines.map(({ text }) => `${text}\n`)).join('');
  return last?.openSides.new ? content.slice(0, -1) : content;
}

/** `a/` and `b/` are git's where both sides have them (`i/`, `w/`, `c/`, `o/` with `diff.mnemonicPrefix`). */
function withoutPrefixes(from: string | null, to: string | null): [string | null, string | null] {
  const has = (name: string | null, prefixes: RegExp) => name === null || prefixes.test(name);
  const both = has(from, /^[aico]\//) && has(to, /^[bwci]\//);
  const strip = (name: string | null) => (both && name !== null ? name.slice(2) : name);
  return [strip(from), strip(to)];
}

function nameOf(field: string): string | null {
  const name = field.startsWith('"') ? unquoted(field) : field.replace(/\t.*$/, '').trimEnd();
  return name === '/dev/null' ? null : name;
}

/** `diff --git a/x b/x`: the two names are the same but for the prefix, unless renamed, and then they are told again. */
function gitNames(line: string): { git?: { from: string; to: string } } {
  const rest = line.slice('diff --git '.length).trimEnd();
  const quotedNames = /^"((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"$/.exec(rest);
  if (quotedNames) return { git: { from: unquoted(`"${quotedNames[1]}"`), to: unquoted(`"${quotedNames[2]}"`) } };
  const middle = (rest.length - 1) / 2;
  const [from, to] = [rest.slice(0, middle), rest.slice(middle + 1)];
  return from.slice(2) === to.slice(2) ? { git: { from, to } } : {};
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A name as git quotes it, `"\303\244.txt"`: octal bytes of UTF-8. */
function unquoted(field: string): string {
  const quotedName = /^"((?:[^"\\]|\\.)*)"/.exec(field);
  if (!quotedName) return field.trimEnd();
  const bytes: Buffer[] = [];
  for (const [, octal, escaped, plain] of quotedName[1]!.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (escaped !== undefined) bytes.push(Buffer.from([ESCAPES[escaped] ?? escaped.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain ?? ''));
  }
  return Buffer.concat(bytes).toString('utf8');
}

/** Where the hunk that begins at `at` ends: by the counts of its header where they fit what follows, else at the next header. */
function endOfHunk(lines: readonly string[], at: number): number {
  const counted = endByCounts(lines, at);
  if (counted !== undefined) return counted;
  let end = at + 1;
  while (end < lines.length && !endsHunk(lines, end)) end += 1;
  while (end > at + 1 && lines[end - 1] === '') end -= 1;
  return end;
}

function endsHunk(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  return /^@@(\s|$)/.test(line) || line.startsWith('diff --git ') || beginsFile(lines, at);
}

function endByCounts(lines: readonly string[], at: number): number | undefined {
  const header = HUNK.exec(lines[at]!);
  if (!header) return undefined;
  let old = Number(header[2] ?? 1);
  let now = Number(header[4] ?? 1);
  let end = at + 1;
  for (; end < lines.length && (old > 0 || now > 0); end += 1) {
    const sign = lines[end]!.charAt(0);
    if (sign === '\\') continue;
    if (sign !== '+') old -= 1;
    if (sign !== '-') now -= 1;
    if (!['', ' ', '+', '-'].includes(sign)) return undefined;
  }
  if (old !== 0 || now !== 0) return undefined;
  if (NO_NEWLINE.test(lines[end] ?? '')) end += 1;
  const next = lines[end];
  return next === undefined || !/^[ +-]/.test(next) || beginsFile(lines, end) ? end : undefined;
}

function hunkOf(lines: readonly string[], at: number, end: number): PatchHunk {
  const header = lines[at]!;
  const numbered = HUNK.exec(header);
  const hunk: PatchHunk = {
    header: numbered ? numbered[0] : header.trimEnd(),
    anchors: [],
    ...(numbered ? { oldStart: Number(numbered[1]) } : {}),
    lines: [],
    atEnd: false,
    openSides: { old: false, new: false },
  };
  if (!numbered && header.slice(2).trim() !== '')
    hunk.anchors.push(
      header
        .slice(2)
        .replace(/\s*@@\s*$/, '')
        .trim(),
    );
  for (const line of lines.slice(at + 1, end)) {
    if (NO_NEWLINE.test(line)) markOpen(hunk);
    else hunk.lines.push(lineOf(line));
  }
  if (hunk.lines.length === 0) throw new UnreadablePatch(`The hunk \`${hunk.header}\` has no lines.`);
  return hunk;
}

function markOpen({ lines, openSides }: PatchHunk): void {
  const sign = lines.at(-1)?.sign;
  if (sign !== '+') openSides.old = true;
  if (sign !== '-') openSides.new = true;
}

function lineOf(line: string): PatchLine {
  if (line === '') return { sign: ' ', text: '' };
  const sign = line.charAt(0);
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) };
  const shown = line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
  throw new UnreadablePatch(`A line of the diff, “${shown}”, begins with neither a blank, \`-\` nor \`+\`.`);
}
