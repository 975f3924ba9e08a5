/**
 * Messages of a conversation, in the shape of the pi family's session format version 3, so that their sessions open
 * here and ours open there. Unknown extra fields are carried along untouched.
 */

export interface TextContent {
  type: 'text';
  text: string;
  textSignature?: string;
}

export interface ThinkingContent {
  type: 'thinking';
  thinking: string;
  /** Opaque signature (or encrypted payload when `redacted`) that the same provider wants back. */
  thinkingSignature?: string;
  redacted?: boolean;
}

export interface ImageContent {
  type: 'image';
  /** Base64 without a data-URL prefix. */
  data: string;
  mimeType: string;
}

export interface ToolCall {
  type: 'toolCall';
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
}

/** Token counts are the provider's own; money is in US dollars. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';

export interface UserMessage {
  role: 'user';
  content: string | (TextContent | ImageContent)[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

export interface AssistantMessage {
  role: 'assistant';
  content: (TextContent | ThinkingContent | ToolCall)[];
  /** The wire that produced it, e.g. `anthropic-messages`. */
  api: string;
  provider: string;
  model: string;
  usage: Usage;
  stopReason: StopReason;
  errorMessage?: string;
  timestamp: number;
}

export interface ToolResultMessage {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  /** What the model reads. */
  content: (TextContent | ImageContent)[];
  /** What a face draws; never sent to the model. */
  details?: unknown;
  isError: boolean;
  /** What the gate said of this call; absent in sessions of other programs. */
  decision?: Decision;
  timestamp: number;
}

/** A shell command the person ran from the prompt (`!cmd`). */
export interface BashExecutionMessage {
  role: 'bashExecution';
  command: string;
  output: string;
  exitCode?: number;
  cancelled?: boolean;
  truncated?: boolean;
  fullOutputPath?: string;
  /** True for `!!cmd`: shown, never sent. */
  excludeFromContext?: boolean;
  timestamp: number;
}

export interface CustomRoleMessage {
  role: 'custom';
  customType: string;
  content: string | (TextContent | ImageContent)[];
  display: boolean;
  details?: unknown;
  timestamp: number;
}

/** Synthesised when a context is built, never stored. */
export interface BranchSummaryMessage {
  role: 'branchSummary';
  summary: string;
  fromId: string;
  timestamp: number;
}

/** Synthesised when a context is built, never stored. */
export interface CompactionSummaryMessage {
  role: 'compactionSummary';
  summary: string;
  tokensBefore: number;
  timestamp: number;
}

/** What a `message` entry may hold. */
export type StoredMessage =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | CustomRoleMessage;

/** What a built context may hold. */
export type ContextMessage = StoredMessage | BranchSummaryMessage | CompactionSummaryMessage;

/** What the gate (`decide()`) answers; logged with the call it is about. */
export interface Decision {
  decision: 'allow' | 'ask' | 'deny';
  /** Which of the ten stages decided, 1 to 10. */
  stage: number;
  rule: string;
  why: string;
}

/** A usage of nothing, for messages that cost nothing. */
export function zeroUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

/** The plain text of a message's content: text blocks joined by newlines; images and thinking left out. */
export function textOf(content: string | readonly { type: string }[]): string {
  if (typeof content === 'string') return content;
  return content
    .filter((block): block is TextContent => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}
