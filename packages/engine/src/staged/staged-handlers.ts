import type { CommandResults, EngineCommand, StagedCommandResults } from '@black-ide/protocol';
import type { AgentSession } from '../session/agent-session.ts';
import { resolveStaged, stageRewrite } from './resolve-staged.ts';
import type { StagedEdits } from './staged-edits.ts';

export interface StagedHandlerParts {
  /** @throws BlackError where no such session is open; `writable` also where it is only read here. */
  session(id: string): AgentSession;
  writable(id: string): AgentSession;
  staged(session: AgentSession): StagedEdits;
  now(): number;
}

type StagedHandlers = {
  [T in keyof StagedCommandResults]: (
    command: Extract<EngineCommand, { type: T }>,
  ) => Promise<CommandResults[T]> | CommandResults[T];
};

/** What the engine does with commands about staged edits. */
export function stagedHandlers({ session, writable, staged, now }: StagedHandlerParts): StagedHandlers {
  return {
    listStaged: ({ sessionId }) => ({ staged: staged(session(sessionId)).list() }),
    stageRewrite: ({ sessionId, type: _, ...question }) => {
      const open = writable(sessionId);
      return stageRewrite(open, staged(open), question, now());
    },
    resolveStaged: ({ sessionId, id, action }) => resolveStaged(staged(writable(sessionId)), id, action),
  };
}
