import { BlackError, type StagedCommandResults } from '@black-ide/protocol';
import { turnMessageId } from '../changes/checkpoint-entry.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { RewriteQuestion, StagedEdits } from './staged-edits.ts';

/** Stages what a person asks for. In a new session that is its first message, by which it is found and taken back. */
export async function stageRewrite(
  session: AgentSession,
  staged: StagedEdits,
  question: RewriteQuestion,
  now: number,
): Promise<StagedCommandResults['stageRewrite']> {
  const result = await staged.stage(question, new AbortController().signal);
  if (turnMessageId(session.path()) === '') {
    const text = `Rewrite \`${question.pattern}\` as \`${question.rewrite}\``;
    session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }], timestamp: now } });
  }
  return result;
}

/** Does what a person says to a staged rewrite. @throws BlackError where it cannot be committed; it stays staged then */
export async function resolveStaged(
  staged: StagedEdits,
  id: string,
  action: 'commit' | 'discard',
): Promise<StagedCommandResults['resolveStaged']> {
  if (action === 'discard') {
    staged.discard(id);
    return { files: [] };
  }
  const committed = await staged.commit(id, id, new AbortController().signal);
  if (!committed.ok) throw new BlackError(committed.error.code, committed.error.message, committed.error.next);
  return { files: committed.changes.map(({ path, added, removed }) => ({ path, added, removed })) };
}
