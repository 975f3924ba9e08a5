import {
  answerContent,
  type BranchSummaryEntry,
  type CompactionEntry,
  type ContextMessage,
  type CustomMessageEntry,
  type Entry,
  isRecord,
  type MessageEntry,
  resultContent,
  userContent,
} from '@black-ide/protocol';

/** What a path says of the conversation that the model is to continue. */
export interface SessionContext {
  messages: ContextMessage[];
  /** For each message the entry it comes from. */
  entryIds: string[];
  /** `off` where nothing was chosen. */
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
  mode: string | null;
  /** Stream rules that were injected on this path. */
  injectedRules: string[];
}

/**
 * The path from a root to an entry among entries of any order: to the last one where the leaf is unknown or not given,
 * empty for null. A cycle is cut where it would repeat.
 */
export function pathOf(entries: readonly Entry[], leafId?: string | null): Entry[] {
  if (leafId === null) return [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path = new Set<Entry>();
  let at = (leafId === undefined ? undefined : byId.get(leafId)) ?? entries.at(-1);
  while (at && !path.has(at)) {
    path.add(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return [...path].reverse();
}

/**
 * The context of a path from a root to a leaf (SES-14): the newest compaction's summary first, then what it kept, then
 * what came after it. Stored messages are handed out as they are, the very same objects.
 */
export function buildSessionContext(path: readonly Entry[]): SessionContext {
  const entries = activeEntries(path);
  const edits = editsOf(entries);
  const context: SessionContext = { messages: [], entryIds: [], ...settingsOf(path) };
  for (const entry of entries) {
    const message = edits.has(entry.id) ? edited(messageOf(entry), edits.get(entry.id)) : messageOf(entry);
    if (!message) continue;
    context.messages.push(message);
    context.entryIds.push(entry.id);
  }
  return context;
}

/** The newest compaction, what it keeps, and what came after it; everything where there is none. */
export function activeEntries(path: readonly Entry[]): readonly Entry[] {
  const at = path.findLastIndex((entry) => entry.type === 'compaction');
  if (at < 0) return path;
  const compaction = path[at] as CompactionEntry;
  const kept = path.findIndex((entry, i) => i < at && entry.id === compaction.firstKeptEntryId);
  const keeps = kept < 0 ? [] : path.slice(kept, at).filter((entry) => entry.type !== 'compaction');
  return [compaction, ...keeps, ...path.slice(at + 1)];
}

function settingsOf(
  path: readonly Entry[],
): Pick<SessionContext, 'thinkingLevel' | 'model' | 'mode' | 'injectedRules'> {
  let thinkingLevel = 'off';
  let model: SessionContext['model'] = null;
  let mode: string | null = null;
  const rules = new Set<string>();
  for (const line of path) {
    const entry = line as Entry & Record<string, unknown>;
    switch (entry.type) {
      case 'thinking_level_change':
        if (typeof entry.thinkingLevel === 'string') thinkingLevel = entry.thinkingLevel;
        break;
      case 'model_change':
        model = modelOf(entry.provider, entry.modelId) ?? model;
        break;
      case 'message':
        if (isRecord(entry.message) && entry.message.role === 'assistant') {
          model = modelOf(entry.message.provider, entry.message.model) ?? model;
        }
        break;
      case 'mode_change':
        if (typeof entry.mode === 'string') mode = entry.mode;
        break;
      case 'ttsr_injection':
        if (Array.isArray(entry.injectedRules))
          for (const rule of entry.injectedRules) if (typeof rule === 'string') rules.add(rule);
        break;
    }
  }
  return { thinkingLevel, model, mode, injectedRules: [...rules] };
}

function modelOf(provider: unknown, modelId: unknown): SessionContext['model'] {
  return typeof provider === 'string' && typeof modelId === 'string' ? { provider, modelId } : null;
}

/** What an entry has the model read, if anything. */
export function messageOf(entry: Entry): ContextMessage | undefined {
  const timestamp = typeof entry.timestamp === 'string' ? Date.parse(entry.timestamp) || 0 : 0;
  switch (entry.type) {
    case 'message': {
      const { message } = entry as MessageEntry;
      return isRecord(message) ? message : undefined;
    }
    case 'custom_message': {
      const { customType, content, display, details } = entry as CustomMessageEntry;
      return { role: 'custom', customType, content, display, timestamp, ...(details === undefined ? {} : { details }) };
    }
    case 'branch_summary': {
      const { summary, fromId } = entry as BranchSummaryEntry;
      return isText(summary) ? { role: 'branchSummary', summary, fromId, timestamp } : undefined;
    }
    case 'compaction': {
      const { summary, tokensBefore } = entry as CompactionEntry;
      return { role: 'compactionSummary', summary: isText(summary) ? summary : '', tokensBefore, timestamp };
    }
    default:
      return undefined;
  }
}

/** A log may hold anything there; not even `String` takes every value: JSON can say `{"toString":0}`. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * The pi family's `context_edit` entries: what a person took out of the context, or changed in it, there, stays so here.
 * By the entry that is edited, the newest one counts; null leaves the entry out.
 */
function editsOf(entries: readonly Entry[]): Map<string, unknown> {
  const edits = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.type === 'context_edit' && typeof entry.targetId === 'string') {
      edits.set(entry.targetId, entry.replacement);
    }
  }
  return edits;
}

function edited(message: ContextMessage | undefined, replacement: unknown): ContextMessage | undefined {
  const content = isRecord(replacement) ? replacement.content : null;
  if (content === null || content === undefined) return undefined;
  switch (message?.role) {
    case 'assistant':
      return { ...message, content: answerContent(content) };
    case 'toolResult':
      return { ...message, content: resultContent(content) };
    case 'user':
    case 'custom':
      return { ...message, content: userContent(content) };
    default:
      return message;
  }
}
