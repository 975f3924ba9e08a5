import type { Request } from '@black-ide/protocol';
import { doing } from './fact-line.ts';
import { visibleCommand, visibleText } from './visible-text.ts';

/** What a question is about, whole, for a person who has to decide: what would be done, and why it is asked. */
export function requestText({ title, kind, payload, options }: Request): string[] {
  if (kind === 'trust') return trustText(title, payload);
  const choices = kind === 'ask_user' ? options.map(({ label }, index) => `${index + 1}. ${label}`) : [];
  const facts =
    kind === 'permission'
      ? permissionFacts(title, payload)
      : kind === 'plan'
        ? planFacts(payload)
        : kind === 'staged_edit'
          ? stagedFacts(payload)
          : choices;
  const visible = kind === 'permission' ? visibleCommand : visibleText;
  return [title, ...facts].flatMap((text) => visible(text.trim()).split('\n'));
}

/** The same in one line. */
export function requestLine(request: Request): string {
  return requestText(request).slice(0, 2).join(' ');
}

/** What trust in a folder means, and what in it would be read. */
function trustText(title: string, { folder, ignored }: Request['payload']): string[] {
  const found = Array.isArray(ignored) ? ignored.filter(isRecord) : [];
  const ours = found.filter((each) => each.ours === true).map((each) => `  ${each.path}  (${each.what})`);
  const shown =
    ours.length > SHOWN_LINES ? [...ours.slice(0, SHOWN_LINES), `  … ${ours.length - SHOWN_LINES} more`] : ours;
  return [
    title,
    ...(typeof folder === 'string' ? [folder] : []),
    'If you do, the agent may change files here and run commands, which asks as usual.',
    ...(shown.length > 0
      ? ['These are read as well; until then nothing here was read as configuration:', ...shown]
      : []),
    'If you do not, it only reads.',
  ].flatMap((text) => visibleText(text).split('\n'));
}

/** The documents of a plan, each with its beginning. */
function planFacts(payload: Request['payload']): string[] {
  return planArtifacts(payload).flatMap(({ kind, path, lines, preview }) => {
    const all = preview.trimEnd().split('\n');
    // A line that says that one more is hidden takes the place of that line.
    const room = lines === SHOWN_LINES + 1 ? lines : SHOWN_LINES;
    const shown = all.slice(0, room).map((line) => `| ${line}`);
    const more = lines - shown.length;
    return [
      `${kind.replace('_', ' ')}: ${path}`,
      ...shown,
      ...(more > 0 ? [`| … ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
    ];
  });
}

/** An artifact as a plan's question tells of it. */
export interface ShownArtifact {
  kind: string;
  /** From the workspace root. */
  path: string;
  lines: number;
  preview: string;
}

/** The artifacts of a plan's question; a damaged log may hold anything in their place. */
export function planArtifacts({ artifacts }: Request['payload']): ShownArtifact[] {
  if (!Array.isArray(artifacts)) return [];
  return artifacts.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.kind !== 'string' || typeof each.path !== 'string') return [];
    const { kind, path, lines, preview } = each;
    // It is opened for the person: nothing but a document of the workspace.
    if (!/^[^/\\].*\.md$/.test(path) || path.split(/[/\\]/).includes('..')) return [];
    return [
      {
        kind,
        path,
        lines: typeof lines === 'number' ? lines : 0,
        preview: typeof preview === 'string' ? preview : '',
      },
    ];
  });
}

/** What a staged rewrite makes of what, and in which files. */
function stagedFacts({ staged }: Request['payload']): string[] {
  if (!isRecord(staged)) return [];
  const { pattern, rewrite, files, count } = staged;
  const named = (Array.isArray(files) ? files : []).filter(isRecord).slice(0, NAMED);
  const more = typeof count === 'number' && count > named.length ? ` and ${count - named.length} more` : '';
  return [`${String(pattern)}  →  ${String(rewrite)}`, `${named.map(({ path }) => String(path)).join(', ')}${more}`];
}

function permissionFacts(
  title: string,
  { name, args, decision, notCovered, notCoveredKnown, unsandboxed, hosts }: Request['payload'],
): string[] {
  if (typeof name !== 'string') return [];
  const what = isRecord(args) && isInTitle(title, args) ? '' : doing({ name, args: isRecord(args) ? args : {} });
  const why = isRecord(decision) && typeof decision.why === 'string' ? `(${decision.why})` : '';
  const exposed = typeof unsandboxed === 'string' ? `Runs without a sandbox: ${unsandboxed}.` : '';
  const unseen = notCoveredKnown === true ? '' : notCoveredText(notCovered);
  return [what, why, exposed, networkText(hosts), unseen].filter((text) => text !== '');
}

const NAMED = 4;

/** Which hosts a command in the sandbox reaches. */
function networkText(hosts: unknown): string {
  if (!Array.isArray(hosts)) return '';
  if (hosts.length === 0) return 'Runs in the sandbox, without network.';
  const more = hosts.length > NAMED ? ` and ${hosts.length - NAMED} more` : '';
  return `Runs in the sandbox, network only to ${hosts.slice(0, NAMED).join(', ')}${more}.`;
}

/** Which files a command could change without a way back. */
function notCoveredText(notCovered: unknown): string {
  if (!isRecord(notCovered)) return '';
  const { why, ignored, large, unreadable } = notCovered;
  if (typeof why === 'string') return `Undo does not cover it: ${why}.`;
  const names = [large, unreadable, ignored].flatMap((list) => (Array.isArray(list) ? list : [])).map(String);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.length > 0 ? `Undo does not cover: ${names.slice(0, NAMED).join(', ')}${more}` : '';
}

const LASTING: Readonly<Record<string, string>> = {
  'allow-session': 'allowed in this session',
  'allow-workspace': 'allowed in this folder',
};

/** An answer in words, with what was said beside it. */
export function answerText({ value, text }: { value: string; text?: string | undefined }): string {
  return `${LASTING[value] ?? value}${text ? ` (${text})` : ''}`;
}

/** The beginning of what would be written: a person decides about the content, not about the path alone. */
export function requestContent({ payload: { args, diff } }: Request): string[] {
  const text = isRecord(args) ? (args.content ?? args.new_string ?? args.patch ?? diff) : undefined;
  if (typeof text !== 'string') return [];
  const lines = visibleText(text.trimEnd()).split('\n');
  const more = lines.length - SHOWN_LINES;
  return [
    ...lines.slice(0, SHOWN_LINES).map((line) => `| ${line}`),
    ...(more > 0 ? [`| … ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ];
}

const SHOWN_LINES = 12;

/** A command that stands whole in the title need not be told twice. */
function isInTitle(title: string, { command, cwd }: Record<string, unknown>): boolean {
  return typeof command === 'string' && title.includes(command) && (typeof cwd !== 'string' || title.includes(cwd));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
