import { hash } from 'node:crypto';

/** The documents of a planned task (IDE-31), each a Markdown file of its session. */
export const ARTIFACT_KINDS = ['implementation_plan', 'task_list', 'walkthrough'] as const;

export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/** What planning has to produce, in the order in which it is shown. */
export const PLAN_ARTIFACTS = ['implementation_plan', 'task_list'] as const satisfies readonly ArtifactKind[];

/** Characters of an artifact: plan and task list become part of every request that carries them out. */
export const MAX_ARTIFACT_CHARS = 20_000;

/** Characters of one that a person has edited. */
export const MAX_EDITED_CHARS = 60_000;

/**
 * The folder of a session's artifacts, below `.blackide` as the workspace spells it. A session of another program may have
 * any id: one that is no plain name stands as its hash.
 */
export function artifactFolder(blackide: string, threadId: string): string {
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(threadId);
  return `${blackide}/artifacts/${isName ? threadId : hash('sha256', threadId, 'hex').slice(0, 32)}`;
}
