import { visibleLine } from './visible-text.ts';

/** What is known of a finished tool call. */
export interface ToolFact {
  name: string;
  args: Readonly<Record<string, unknown>>;
  isError: boolean;
  /** The text of its result. */
  text: string;
}

/** A fact in one line, in the words of the work. */
export interface FactLine {
  tone: 'fact' | 'change' | 'failure';
  text: string;
  /** How it went, e.g. `14 hits`: kept whole where the line must be cut. */
  tail: string;
}

const GLYPHS = { fact: '▸', change: '✎', failure: '✗' } as const;

/** The line that tells of a finished call; undefined for the calls that end a task, whose message is the answer. */
export function factLine(fact: ToolFact): FactLine | undefined {
  const { name, isError, text } = fact;
  if (name === 'complete_task' || name === 'cancel_task') return undefined;
  if (isError) return line('failure', `${doing(fact)}: ${text.trim().split('\n', 1)[0]!}`);
  return line(name === 'edit_file' || name === 'write_file' ? 'change' : 'fact', ...done(fact));
}

function line(tone: FactLine['tone'], text: string, tail = ''): FactLine {
  return { tone, text: `${GLYPHS[tone]} ${visibleLine(text)}`, tail: visibleLine(tail) };
}

/** What a call is about, before it is done. */
export function doing({ name, args }: Pick<ToolFact, 'name' | 'args'>): string {
  switch (name) {
    case 'read_file':
      return `Read ${word(args.path)}`;
    case 'write_file':
      return `Write ${word(args.path)}`;
    case 'edit_file':
      return `Edit ${word(args.path)}`;
    case 'list_directory':
      return `List ${word(args.path) || '.'}`;
    case 'grep_search':
      return `Search "${word(args.pattern)}"${args.path ? ` in ${word(args.path)}` : ''}`;
    case 'run_command':
      return `$ ${word(args.command)}`;
    default:
      return `${name} ${Object.values(args).map(word).join(' ')}`.trim();
  }
}

/** What was done, and how it went. */
function done(fact: ToolFact): [string, string?] {
  const { name, args, text } = fact;
  switch (name) {
    case 'read_file':
      return [`Read ${word(args.path)}`, range(text)];
    case 'list_directory':
      return [`Listed ${word(args.path) || '.'}`];
    case 'grep_search': {
      const hits = /\[(\d+) match(?:es)? in \d+ files?\]\s*$/.exec(text)?.[1];
      const tail = hits ? `${hits} ${hits === '1' ? 'hit' : 'hits'}` : 'no hits';
      return [`Searched "${word(args.pattern)}"${args.path ? ` in ${word(args.path)}` : ''}`, `· ${tail}`];
    }
    case 'edit_file':
    case 'write_file':
      return [word(args.path), changed(text)];
    case 'run_command': {
      const end = /\[exit code (-?\d+), ([\d.]+ s)\]\s*$/.exec(text);
      return [`$ ${word(args.command)}`, end ? `${end[1] === '0' ? '✓' : `✗ exit code ${end[1]}`} · ${end[2]}` : ''];
    }
    default:
      return [doing(fact)];
  }
}

function changed(text: string): string {
  const counts = /\(\+(\d+) [−-](\d+)\)/.exec(text);
  if (counts) return `+${counts[1]} −${counts[2]}`;
  const created = /^Created .* \((\d+) lines?\)/.exec(text);
  return created ? `· created, ${created[1]} ${created[1] === '1' ? 'line' : 'lines'}` : '· written';
}

/** The lines that a result of `read_file` shows, e.g. `40–88`. */
function range(text: string): string {
  const numbers = [...text.matchAll(/^(\d+)\t/gm)];
  const first = numbers[0]?.[1];
  return first === undefined ? '' : `${first}–${numbers.at(-1)?.[1]}`;
}

function word(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
