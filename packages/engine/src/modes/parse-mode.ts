import type { ConfigProblem } from '@black-ide/protocol';
import { isMap, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { DEFAULT_MAX_ITERATIONS, type Mode } from './mode.ts';

/** The keys of anybody's mode. */
const userKeys = {
  name: z
    .string()
    .trim()
    .min(1, 'is empty')
    .max(60, 'is longer than 60 characters')
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'has characters that cannot be seen'),
  description: z.string().trim().nullish(),
  icon: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'is no codicon id, e.g. robot')
    .nullish(),
  model: z.string().trim().min(1).nullish(),
  tools: z.array(z.string()).nullish(),
  maxIterations: z.number().int().min(1).max(500).nullish(),
  fileRegex: z.string().min(1).nullish(),
};

const userMode = z.looseObject(userKeys);

export interface ParsedMode {
  /** Absent where there is an error. */
  mode?: Mode;
  problems: ConfigProblem[];
  /** Where each key stands, to report what only shows later, e.g. that the name is taken. */
  positionOf(key: string, index?: number): { line: number; column: number };
}

/**
 * Reads a mode file: YAML front matter between `---` lines, then the body. A byte order mark and the kind of line ends
 * change nothing. Never throws: what is wrong is told with line and column.
 */
export function parseMode(text: string, file: string): ParsedMode {
  const clean = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const problems: ConfigProblem[] = [];
  const start = { line: 1, column: 1 };
  const match = /^---[ \t]*\n(.*?)(?:(?<=\n)---[ \t]*(?:\n|$))(.*)$/s.exec(clean);
  if (!match) {
    const message = 'it does not begin with front matter between two lines of ---';
    return { problems: [{ file, ...start, severity: 'error', message }], positionOf: () => start };
  }
  const [, frontMatter = '', body = ''] = match;
  const lines = new LineCounter();
  const document = parseDocument(frontMatter, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    // The opening --- is a line of its own.
    return { line: Math.max(line, 1) + 1, column: Math.max(col, 1) };
  };
  const positionOf = (key: string, index?: number): { line: number; column: number } => {
    const pair = isMap(document.contents)
      ? document.contents.items.find((item) => String(item.key) === key)
      : undefined;
    const items = (pair?.value as { items?: unknown[] } | undefined)?.items;
    const node = (index === undefined ? undefined : items?.[index]) ?? pair?.key;
    const range = (node as { range?: [number, ...number[]] } | undefined)?.range;
    return range ? placeAt(range[0]) : start;
  };
  const report = (severity: ConfigProblem['severity'], place: { line: number; column: number }, message: string) => {
    problems.push({ file, ...place, severity, message });
  };
  for (const error of document.errors)
    report('error', placeAt(error.pos[0]), `the front matter is no YAML: ${error.message}`);
  if (problems.length > 0) return { problems, positionOf };
  const value = plainValue(document);
  if (value instanceof Error) report('error', start, `the front matter cannot be read: ${value.message}`);
  else if (!isMap(document.contents)) report('error', { ...start, line: 2 }, 'the front matter has no keys');
  if (problems.length > 0) return { problems, positionOf };
  const parsed = userMode.safeParse(value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const [key = '', index] = issue.path;
      const place = positionOf(String(key), typeof index === 'number' ? index : undefined);
      report('error', place, `\`${String(key) || 'keys'}\` ${reason(issue)}`);
    }
    return { problems, positionOf };
  }
  for (const key of Object.keys(parsed.data)) {
    if (!Object.hasOwn(userKeys, key)) report('warning', positionOf(key), `there is no key \`${key}\` in a mode`);
  }
  return { mode: modeOf(parsed.data, body), problems, positionOf };
}

function modeOf(keys: z.infer<typeof userMode>, body: string): Mode {
  const { name, description, icon, model, tools, maxIterations, fileRegex } = keys;
  return {
    name,
    description: description ?? '',
    maxIterations: maxIterations ?? DEFAULT_MAX_ITERATIONS,
    ...(icon ? { icon } : {}),
    ...(model ? { model } : {}),
    ...(tools?.length ? { tools } : {}),
    ...(fileRegex ? { fileRegex } : {}),
    body: body.trim(),
  };
}

/** Aliases that would unfold without end are refused by the library. */
function plainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`;
    case 'too_small':
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int' ? 'is a whole number from 1 to 500' : issue.message;
    default:
      return issue.message;
  }
}
