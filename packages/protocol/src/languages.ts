/**
 * What language servers know: questions of a person, and the host port through which an editor tells the diagnostics that
 * it has itself. Part of the unions of commands and events.
 */
import * as z from 'zod';

/** What can be asked about a place, a file, or the workspace. */
export const LANGUAGE_OPERATIONS = [
  ...(['diagnostics', 'definition', 'type_definition', 'implementation', 'references', 'hover'] as const),
  ...(['symbols', 'workspace_symbols', 'rename', 'code_actions', 'callers', 'callees', 'status'] as const),
] as const;

export type LanguageOperation = (typeof LANGUAGE_OPERATIONS)[number];

const diagnostic = z.object({
  /** From 1; columns in UTF-16 units. */
  line: z.number().int().min(1),
  column: z.number().int().min(1),
  /** 1 error, 2 warning, 3 information, 4 hint. */
  severity: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  message: z.string(),
  code: z.string().optional(),
  /** Who says it, e.g. `ts`. */
  source: z.string().optional(),
});

export const languageCommandSchemas = [
  /** Asks language servers; nothing is written. */
  z.object({
    type: z.literal('askLanguages'),
    operation: z.enum(LANGUAGE_OPERATIONS),
    path: z.string().min(1).optional(),
    /** From 1. */
    line: z.number().int().min(1).optional(),
    /** From 1, in UTF-16 units. */
    column: z.number().int().min(1).optional(),
    /** The name that is meant, in that line or anywhere in the file. */
    symbol: z.string().min(1).optional(),
    query: z.string().optional(),
    newName: z.string().min(1).optional(),
  }),
  /** Which language servers could serve this workspace, and what the others lack. */
  z.object({ type: z.literal('listLanguageServers') }),
  /** A face that offered `diagnostics` in `hello` answers `HostAsked`. Files that it does not check are left out. */
  z.object({
    type: z.literal('answerHost'),
    requestId: z.string().min(1),
    /** Absolute paths. */
    files: z.array(z.object({ path: z.string().min(1), diagnostics: z.array(diagnostic) })),
  }),
  /** Diagnostics that the face knows have changed unasked. */
  z.object({ type: z.literal('noticeHostChange'), port: z.literal('diagnostics') }),
  /** Files were found changed on the disk, by whoever watches it: paths from the workspace. */
  z.object({
    type: z.literal('noticeDiskChanges'),
    added: z.array(z.string().min(1)),
    changed: z.array(z.string().min(1)),
    removed: z.array(z.string().min(1)),
  }),
] as const;

export type HostDiagnostic = z.infer<typeof diagnostic>;

/** A place or a fact of an answer. */
export interface LanguageItem {
  /** From the workspace; absolute outside. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  text: string;
  /** Of a symbol, e.g. `method`. */
  kind?: string;
  /** Of a diagnostic: 1 error … 4 hint. */
  severity?: number;
}

export interface LanguageServerFact {
  title: string;
  program: string;
  /** Its project, from the workspace; empty: the workspace itself. */
  folder: string;
  /** What keeps it from being used; absent: nothing does. */
  lack?: string;
}

export interface LanguageCommandResults {
  askLanguages: { text: string; items: LanguageItem[] };
  listLanguageServers: { servers: LanguageServerFact[] };
  answerHost: Record<string, never>;
  noticeHostChange: Record<string, never>;
  noticeDiskChanges: Record<string, never>;
}

/** Events of the engine that ask the face for what it knows better than the disk; only where it has offered that. */
export type HostEvent =
  /** How do these files stand on the disk, as soon as you are sure? `written`: they have just been written. */
  | { type: 'HostAsked'; requestId: string; port: 'diagnostics'; paths: string[]; written: boolean }
  /** Nobody waits for the answer any more. */
  | { type: 'HostAskWithdrawn'; requestId: string };
