/**
 * Rewrites of files that are prepared and not written yet (INT-27 … INT-29), as faces see them. The log of the session is
 * the truth: an entry `staged_edit` for each, and one `staged_edit_settled` when it is over.
 */
import * as z from 'zod';

const sessionId = z.string().min(1);

export const stagedCommandSchemas = [
  /** What is staged in this session and not settled yet, oldest first. */
  z.object({ type: z.literal('listStaged'), sessionId }),
  /** Stages a rewrite that a person asks for. */
  z.object({
    type: z.literal('stageRewrite'),
    sessionId,
    pattern: z.string().min(1),
    rewrite: z.string(),
    lang: z.string().optional(),
    paths: z.array(z.string()).optional(),
  }),
  /** A person commits or discards what is staged. */
  z.object({
    type: z.literal('resolveStaged'),
    sessionId,
    id: z.string().min(1),
    action: z.enum(['commit', 'discard']),
  }),
] as const;

/** One file of a staged rewrite. */
export interface StagedFile {
  /** From the root. */
  path: string;
  /** SHA-256 of its content when it was staged, and of what it becomes. */
  base: string;
  after: string;
  /** Number of places that are rewritten. */
  places: number;
  /** Lines. */
  added: number;
  removed: number;
}

/** A rewrite that is staged. */
export interface StagedEdit {
  id: string;
  pattern: string;
  rewrite: string;
  lang?: string;
  files: StagedFile[];
  places: number;
}

/** How a staged rewrite came to its end. */
export type StagedOutcome = 'committed' | 'discarded' | 'expired';

export interface StagedCommandResults {
  listStaged: { staged: StagedEdit[] };
  /** `diff`: unified, of all files, cut where it is long. */
  stageRewrite: { staged: StagedEdit; diff: string };
  resolveStaged: { files: { path: string; added: number; removed: number }[] };
}

/** The values by which a person answers a Request of the kind `staged_edit`. */
export const STAGED_ANSWERS = { accept: 'accept', reject: 'reject' } as const;
