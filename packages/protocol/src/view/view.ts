/**
 * The View: everything a person sees of a session, as a pure fold of its events. The webview, the terminal, other
 * editors and the HTML export all draw this.
 */
import type { CompactionReason, TaskEnd } from '../entries.ts';
import type { BackgroundCommand, Content, EngineEvent, EntryRef } from '../events.ts';
import type { AssistantMessage, ImageContent, TextContent, Usage } from '../messages.ts';
import type { Request, Response } from '../requests.ts';

/** One entry's visible meaning. Items of abandoned branches stay; `timeline(view)` walks the active path. */
export type ViewItem = { entry: EntryRef } & (
  | { kind: 'user'; content: Content }
  | {
      kind: 'assistant';
      content: AssistantMessage['content'];
      provider: string;
      model: string;
      stopReason: AssistantMessage['stopReason'];
      errorMessage?: string;
    }
  | { kind: 'toolStart'; callId: string; name: string }
  | {
      kind: 'toolResult';
      callId: string;
      name: string;
      isError: boolean;
      content: (TextContent | ImageContent)[];
      details?: unknown;
    }
  | { kind: 'command'; command: string; output: string; exitCode?: number }
  | { kind: 'notice'; customType: string; content: Content; display: boolean; details?: unknown }
  | { kind: 'model'; provider: string; modelId: string }
  | { kind: 'mode'; mode: string }
  | { kind: 'thinkingLevel'; level: string }
  | { kind: 'compaction'; summary: string; tokensBefore: number }
  | { kind: 'branchSummary'; summary: string; fromId: string }
  | { kind: 'taskStart'; messageId: string; mode: string; model: string; maxIterations: number }
  | { kind: 'taskEnd'; end: TaskEnd }
  | { kind: 'request'; request: Request }
  | { kind: 'response'; response: Response }
  | { kind: 'checkpoint'; checkpointId: string; messageId: string; files: string[] }
  | { kind: 'other'; what: string }
);

export interface RequestState {
  request: Request;
  /** Absent while the question is open. */
  response?: Response;
}

export interface RunningTool {
  callId: string;
  name: string;
  args: Record<string, unknown>;
  /** The newest output, bounded. */
  output: string;
}

/** What only a snapshot knows: never part of the log. */
export interface Live {
  running: boolean;
  text: string;
  thinking: string;
  tools: RunningTool[];
  queue: string[];
  /** Commands beside the conversation, oldest first; they outlive a task. */
  background: BackgroundCommand[];
  retry?: { attempt: number; delayMs: number; reason: string };
  /** Why the conversation is being condensed right now. */
  compacting?: CompactionReason;
}

/** What one entry has cost, in the order of the log. */
export interface Spending {
  entryId: string;
  /** `turn`, `compaction`, or the type of another entry that cost something. */
  source: string;
  provider: string;
  model: string;
  usage: Usage;
}

export interface View {
  sessionId: string;
  title: string;
  leafId: string | null;
  items: readonly ViewItem[];
  requests: Readonly<Record<string, RequestState>>;
  labels: Readonly<Record<string, string>>;
  /** The whole session's use, abandoned branches included: spent is spent. */
  usage: Usage;
  /** What the newest answer used: how full the model's window is. Absent before the first, and after a compaction. */
  lastUsage?: Usage | undefined;
  /** The same, piece by piece: `costs(view)` sums it up. */
  spending: readonly Spending[];
  live: Live;
}

/** What `subscribe` answers. `events` only where `sinceSeq` was still held; then `view` is absent. */
export type Snapshot =
  | { seq: number; view: View; events?: undefined }
  | { seq: number; view?: undefined; events: EngineEvent[] };
