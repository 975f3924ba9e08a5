/**
 * Engine events (IDE-9): one discriminated union. Durable events are the meaning of an entry in the log and carry its
 * place (`entry`); transient ones tell what is going on right now and are only ever part of a snapshot. Within a
 * protocol version events are only added; a face ignores those it does not know.
 */
import type { FileChangeSummary, SettledDetails } from './changes.ts';
import type { CompactionReason, TaskEnd } from './entries.ts';
import type { EngineError } from './errors.ts';
import type { HostEvent } from './languages.ts';
import type { AssistantMessage, ImageContent, TextContent, Usage } from './messages.ts';
import type { Request, Response } from './requests.ts';

/** Bumped when an event or command changes its meaning; additions do not count. */
export const PROTOCOL_VERSION = 1;

/** The place in the log of the entry that an event speaks of. */
export interface EntryRef {
  id: string;
  parentId: string | null;
  timestamp: string;
}

export type Content = string | (TextContent | ImageContent)[];

/** What entries mean. Each carries `entry`. */
export type DurableEvent = { entry: EntryRef } & (
  | { type: 'UserMessageAdded'; content: Content }
  | {
      type: 'AssistantMessageAdded';
      content: AssistantMessage['content'];
      provider: string;
      model: string;
      stopReason: AssistantMessage['stopReason'];
      errorMessage?: string;
    }
  /** `source` says what the money went to: `turn`, `compaction`, or the type of another entry that cost something. */
  | { type: 'UsageUpdated'; usage: Usage; provider: string; model: string; source: string }
  | { type: 'ToolStarted'; callId: string; name: string; args: Record<string, unknown> }
  | {
      type: 'ToolFinished';
      callId: string;
      name: string;
      isError: boolean;
      content: (TextContent | ImageContent)[];
      details?: unknown;
    }
  | { type: 'CommandRan'; command: string; output: string; exitCode?: number }
  | { type: 'NoticeAdded'; customType: string; content: Content; display: boolean; details?: unknown }
  | { type: 'ModelChanged'; provider: string; modelId: string }
  | { type: 'ModeChanged'; mode: string }
  | { type: 'ThinkingLevelChanged'; level: string }
  | { type: 'Compacted'; summary: string; tokensBefore: number }
  | { type: 'BranchSummarised'; summary: string; fromId: string }
  | { type: 'LabelChanged'; targetId: string; label?: string }
  | { type: 'SessionRenamed'; name: string }
  | {
      type: 'TaskStarted';
      messageId: string;
      mode: string;
      model: string;
      maxIterations: number;
      planning?: boolean;
    }
  | ({ type: 'TaskCompleted' | 'TaskFailed' | 'TaskCancelled' | 'TaskStopped' } & TaskEnd)
  | { type: 'RequestOpened' | 'PlanApprovalRequested' | 'LoopLimitReached'; request: Request }
  | ({ type: 'RequestAnswered' | 'PlanRejected' } & { response: Response })
  | { type: 'ContextCut'; count: number }
  | {
      type: 'CheckpointCreated';
      checkpointId: string;
      messageId: string;
      files: string[];
      changes: FileChangeSummary[];
    }
  /** A person has kept changes, or taken them back, or taken that back. */
  | ({ type: 'ChangesSettled' } & SettledDetails)
  | { type: 'LeafMoved' }
  | { type: 'RulesInjected'; rules: string[] }
  | { type: 'EntryAdded'; entryType: string }
);

/** A command that runs, or ran, beside the conversation, until the session is closed. */
export interface BackgroundCommand {
  /** `bg1`, `bg2` … */
  id: string;
  command: string;
  state: 'running' | 'exited' | 'stopped' | 'failed';
  /** Null while it runs, and where a signal ended it. */
  exitCode: number | null;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** What is going on right now. */
export type TransientEvent =
  | { type: 'TextDelta'; text: string }
  | { type: 'ThinkingDelta'; text: string }
  | { type: 'ToolStarted'; callId: string; name: string; args: Record<string, unknown>; entry?: undefined }
  | { type: 'ToolOutput'; callId: string; text: string }
  | { type: 'RetryScheduled'; attempt: number; delayMs: number; reason: string }
  | { type: 'QueueChanged'; queue: string[] }
  /** The conversation is being condensed, for this reason; without one it is over, whatever came of it. */
  | { type: 'CompactingChanged'; reason?: CompactionReason }
  | { type: 'BackgroundChanged'; commands: BackgroundCommand[] }
  | { type: 'RunningChanged'; running: boolean }
  | { type: 'DiagnosticReported'; level: 'info' | 'warning' | 'error'; message: string; path?: string; line?: number };

/** An event of one session; `seq` counts up by one per session and engine process. */
export type SessionEvent = (DurableEvent | TransientEvent) & { sessionId: string; seq: number };

/** An event of the engine as a whole. */
export type GlobalEvent = { type: 'EngineFailed'; error: EngineError } | HostEvent;

export type EngineEvent = SessionEvent | GlobalEvent;
