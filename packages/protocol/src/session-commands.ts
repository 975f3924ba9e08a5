/**
 * Commands about stored sessions, and about what a new one begins with. Part of the union of commands.
 */
import * as z from 'zod';
import type { SessionHeader } from './entries.ts';
import type { Decision } from './messages.ts';
import type { View } from './view/view.ts';

/** An id, an unambiguous beginning of one, a file's path, or `latest` for this folder's newest. */
const session = z.string().min(1);

export const EXPORT_FORMATS = ['html', 'md', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const sessionCommandSchemas = [
  /** What a session tells, without opening it: takes no lock, migrates nothing, writes nothing. */
  z.object({ type: z.literal('readSession'), session }),
  z.object({
    type: z.literal('searchSessions'),
    /** Words that must all occur, `"quoted phrases"`, or `re:` and a regular expression. */
    query: z.string().min(1).max(1_000),
    everywhere: z.boolean().optional(),
    /** How many sessions to answer at most; the newest come first. */
    limit: z.number().int().min(1).max(1_000).default(50),
  }),
  /** A session as one document, secrets taken out; as `readSession`, nothing is locked or written. */
  z.object({ type: z.literal('exportSession'), session, format: z.enum(EXPORT_FORMATS).default('html') }),
  /** An empty name takes the name away. */
  z.object({ type: z.literal('renameSession'), session, name: z.string().max(1_000) }),
  /** Moves a session to the trash folder; nothing is deleted. */
  z.object({ type: z.literal('deleteSession'), session }),
  /** Takes a session back from the trash. */
  z.object({ type: z.literal('restoreSession'), session }),
  /** Which files of standing rules a session that begins now would be told. */
  z.object({ type: z.literal('listRules') }),
  /** What the gate would say of a command line, were it asked for now; nothing runs. */
  z.object({
    type: z.literal('explainCommand'),
    command: z.string(),
    /** Where it would run: from the workspace; the workspace itself where left out. */
    cwd: z.string().optional(),
  }),
] as const;

/** One thing that a command line does, judged by itself. */
export interface ExplainedPart {
  text: string;
  decision: Decision['decision'];
  why: string;
}

/** A place where a search found what it looked for. */
export interface SearchMatch {
  /** `title`, or who said it. */
  in: 'title' | 'user' | 'assistant' | 'summary' | 'command';
  /** The entry; absent for a title. */
  entryId?: string;
  /** One line around the match. */
  text: string;
  /** Where in `text` the matches stand: start and end, in UTF-16 units. */
  ranges: [number, number][];
}

export interface FoundSession {
  id: string;
  /** Absent in memory. */
  path?: string;
  cwd: string;
  title: string;
  /** ISO 8601. */
  modified: string;
  /** The first few places. */
  matches: SearchMatch[];
}

export interface RuleFileSummary {
  /** From the workspace, or below `~/.blackide`. */
  path: string;
  bytes: number;
  importedBy?: string;
  /** What was left out, and why. */
  notes: readonly string[];
}

export interface SessionCommandResults {
  readSession: { sessionId: string; path?: string; header: SessionHeader; view: View; problems: string[] };
  searchSessions: {
    sessions: FoundSession[];
    /** How many sessions were looked through. */
    searched: number;
    /** There may be more: the limit was reached. */
    truncated: boolean;
    /** Files that could not be searched, one sentence each. */
    problems: string[];
  };
  exportSession: {
    sessionId: string;
    format: ExportFormat;
    /** A name for the file, safe on every system. */
    fileName: string;
    content: string;
    /** How many secrets were taken out. */
    redacted: number;
  };
  renameSession: { sessionId: string; name: string };
  deleteSession: {
    sessionId: string;
    /** Where its file lies now; absent in memory. */
    trashed?: string;
  };
  restoreSession: { sessionId: string; path?: string };
  listRules: { files: RuleFileSummary[] };
  explainCommand: {
    decision: Decision;
    /** In order; empty where the line could not be taken apart. */
    parts: ExplainedPart[];
    /** What a person should know of the settings that were used. */
    notes: string[];
  };
}
