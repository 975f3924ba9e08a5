import { STAGED_ANSWERS, type StagedEdit } from '@black-ide/protocol';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, type ToolQuestion, textResult } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import type { SessionServices } from './workspace-services.ts';

/** A question names so many files; the difference has them all, as far as it is shown. */
const NAMED = 200;

export const resolve = defineTool({
  name: 'resolve',
  description:
    'Commits or discards what is staged. A person accepts the difference first. All files are written, or none where one has changed since.',
  access: 'write',
  rare: true,
  parameters: z.object({
    action: z.enum(['commit', 'discard']),
    id: z.string().optional().describe('default: what was staged last'),
  }),
  // To forget something that was never written is no change.
  steers: ({ action }) => action === 'discard',
  touches: ({ id, action }, { staged }: SessionServices) => {
    const meant = action === 'commit' ? staged.list().filter((each) => id === undefined || each.id === id) : [];
    return meant.at(-1)?.files.map(({ path }) => path) ?? [];
  },
  question: async ({ id }, { staged }: SessionServices) => {
    const meant = staged.get(id);
    return stagedQuestion(meant, await staged.diff(meant, new AbortController().signal));
  },
  run: async ({ id, action }, { services, callId, signal }: ToolContext<SessionServices>) => {
    if (action === 'discard') return textResult(`Discarded ${services.staged.discard(id).id}; nothing was written.`);
    const staged = services.staged.get(id);
    const committed = await services.staged.commit(staged.id, callId, signal);
    if (!committed.ok) {
      const changed = committed.problems.map(({ path }) => path).join(', ');
      return errorResult(`${failureText(committed.error)}${changed ? ` Files: ${changed}.` : ''}`);
    }
    const files = committed.changes.map(({ path, kind, added, removed, diff, real, after }) => ({
      path,
      kind,
      ...(after ? { file: { path: real, version: after.version } } : {}),
      added,
      removed,
      diff,
    }));
    const text = `Committed ${staged.id}: ${staged.places} places in ${files.length} files.`;
    return textResult(text, { kind: 'patch', files, added: sum(files, 'added'), removed: sum(files, 'removed') });
  },
});

function stagedQuestion(staged: StagedEdit, diff: string): ToolQuestion {
  const { id, pattern, rewrite, files, places } = staged;
  const many = `${places} ${places === 1 ? 'place' : 'places'} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return {
    kind: 'staged_edit',
    title: `Rewrite ${many}?`,
    payload: { staged: { id, pattern, rewrite, places, count: files.length, files: files.slice(0, NAMED) }, diff },
    options: [
      { value: STAGED_ANSWERS.accept, label: 'Accept' },
      { value: STAGED_ANSWERS.reject, label: 'Reject' },
    ],
    default: STAGED_ANSWERS.reject,
  };
}

function sum(files: readonly { added: number; removed: number }[], of: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + file[of], 0);
}
