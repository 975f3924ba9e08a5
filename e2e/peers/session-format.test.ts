import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SessionManager, SessionStore } from '@black-ide/engine';
import type { Entry, NewEntry } from '@black-ide/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The session format against the pi agent's own reader and writer of it (SES-3). */

interface PiContext {
  messages: Record<string, unknown>[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

interface PiSession {
  getSessionFile(): string;
  getSessionId(): string;
  getEntries(): Entry[];
  getBranch(): Entry[];
  getLeafId(): string | null;
  getLabel(id: string): string | undefined;
  buildSessionContext(): PiContext;
  appendMessage(message: object): string;
  appendModelChange(provider: string, modelId: string): string;
  appendThinkingLevelChange(level: string): string;
  appendCompaction(summary: string, firstKeptEntryId: string, tokensBefore: number): string;
  appendCustomEntry(customType: string, data?: unknown): string;
  appendCustomMessageEntry(customType: string, content: string, display: boolean, details?: unknown): string;
  appendSessionInfo(name: string): string;
  appendLabelChange(targetId: string, label?: string): string;
  appendContextEdit(targetId: string, replacement: { content: string } | null): string;
  branch(id: string): void;
  resetLeaf(): void;
  branchWithSummary(id: string | null, summary: string): string;
}

interface Pi {
  SessionManager: { open(path: string): PiSession; create(cwd: string, folder: string): PiSession };
}

const PI = new URL('node_modules/@earendil-works/pi-coding-agent/dist/index.js', import.meta.url);

let pi: Pi;
let folder: string;
let store: SessionStore;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'session-format-')));
  if (!existsSync(PI)) throw new Error('pi is not installed. Run: npm ci --prefix e2e/peers');
  pi = (await import(PI.href)) as Pi;
  store = new SessionStore({ home: join(folder, 'home'), now: () => 1.8e12 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AT = '2025-01-01T00:00:00.000Z';
const USAGE = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: zeroCost() };
const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const message = fc.oneof(
  text.map((content) => ({ role: 'user' as const, content, timestamp: 1 })),
  fc.tuple(text, fc.constantFrom('stop' as const, 'toolUse' as const)).map(([said, stopReason]) => ({
    role: 'assistant' as const,
    content: [
      { type: 'text' as const, text: said },
      { type: 'toolCall' as const, id: 'c', name: 'read', arguments: { path: said } },
    ],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude',
    usage: USAGE,
    stopReason,
    timestamp: 2,
  })),
  text.map((output) => ({
    role: 'toolResult' as const,
    toolCallId: 'c',
    toolName: 'read',
    content: [{ type: 'text' as const, text: output }],
    isError: false,
    timestamp: 3,
  })),
  text.map((output) => ({ role: 'bashExecution' as const, command: 'ls', output, exitCode: 0, timestamp: 4 })),
);

type Step = { kind: string; at: number; text: string; message: NewEntry & { type: 'message' } };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...['message', 'message', 'message', 'message', 'model', 'thinking', 'compaction', 'custom', 'customMessage'],
    ...['name', 'label', 'edit', 'branch', 'summary', 'reset', 'ours'],
  ),
  at: fc.nat(20),
  text,
  message: message.map((each) => ({ type: 'message' as const, message: each })),
});
const steps = fc.array(step, { minLength: 1, maxLength: 20 });

describe('the pi agent’s sessions', () => {
  it('SES-3 what we write pi reads: the same entries, path, labels and context', () => {
    fc.assert(
      fc.property(steps, (course) => {
        using ours = store.create({ cwd: folder });
        for (const each of course) writeOurs(ours, each);
        fc.pre(ours.getEntries().length > 0);
        // The log alone gives the leaf, here as there.
        ours.append({ type: 'custom', customType: 'leaf', data: {} });
        compare(ours, pi.SessionManager.open(ours.getPath()!));
      }),
    );
  });

  it('SES-3 what pi writes we read, without changing a byte, and go on with, and pi after us', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (course) => {
        const theirs = pi.SessionManager.create(folder, join(folder, 'pi'));
        // pi keeps nothing before the first message.
        theirs.appendMessage({ role: 'user', content: 'Hello', timestamp: 1 });
        for (const each of course) writeTheirs(theirs, each);
        theirs.appendCustomEntry('end');
        const path = theirs.getSessionFile();
        const before = readFileSync(path, 'utf8');
        using ours = await store.open(path, folder);
        expect(readFileSync(path, 'utf8')).toBe(before);
        expect([ours.problems, ours.readOnly, ours.getSessionId()]).toEqual([[], undefined, theirs.getSessionId()]);
        compare(ours, theirs);
        ours.append({ type: 'message', message: { role: 'user', content: 'And now?', timestamp: 9 } });
        expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true);
        compare(ours, pi.SessionManager.open(path));
      }),
    );
  });

  it('SES-5 old sessions mean the same to pi and to us after the migration', async () => {
    const line = fc.oneof(
      message.map((each) => ({ type: 'message', timestamp: AT, message: each })),
      text.map((content) => ({
        type: 'message',
        timestamp: AT,
        message: { role: 'hookMessage', customType: 'x', content, display: true, timestamp: 5 },
      })),
      fc.record({
        type: fc.constant('compaction'),
        timestamp: fc.constant(AT),
        summary: text,
        firstKeptEntryIndex: fc.nat(12),
        tokensBefore: fc.nat(),
      }),
    );
    const header = { type: 'session', id: 'old', timestamp: AT, cwd: folder };
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        const content = [header, ...lines].map((each) => `${JSON.stringify(each)}\n`).join('');
        const [mine, copy] = [join(folder, 'mine.jsonl'), join(folder, 'copy.jsonl')];
        for (const path of [mine, copy]) writeFileSync(path, content);
        rmSync(`${mine}.before-v3`, { force: true });
        using ours = await store.open(mine, folder);
        const theirs = pi.SessionManager.open(copy);
        const { messages, thinkingLevel, model } = ours.buildSessionContext();
        expect(theirs.buildSessionContext()).toEqual({ messages, thinkingLevel, model });
        compare(ours, pi.SessionManager.open(mine));
        expect(readFileSync(`${mine}.before-v3`, 'utf8')).toBe(content);
      }),
    );
  });
});

function compare(ours: SessionManager, theirs: PiSession): void {
  expect(theirs.getEntries()).toEqual(ours.getEntries());
  expect(theirs.getLeafId()).toBe(ours.getLeafId());
  expect(theirs.getBranch()).toEqual(ours.getBranch());
  for (const { id } of ours.getEntries()) expect(theirs.getLabel(id)).toBe(ours.getLabel(id));
  const { messages, thinkingLevel, model } = ours.buildSessionContext();
  expect(theirs.buildSessionContext()).toEqual({ messages, thinkingLevel, model });
}

function writeOurs(session: SessionManager, { kind, at, text: words, message: said }: Step): void {
  const entries = session.getEntries();
  const picked = entries[at % Math.max(1, entries.length)]?.id;
  const by: Record<string, () => unknown> = {
    message: () => session.append(said),
    model: () => session.append({ type: 'model_change', provider: 'openai', modelId: words }),
    thinking: () => session.append({ type: 'thinking_level_change', thinkingLevel: 'high' }),
    compaction: () =>
      session.append({ type: 'compaction', summary: words, firstKeptEntryId: picked ?? 'none', tokensBefore: at }),
    custom: () => session.append({ type: 'custom', customType: 'tool_start', data: { words } }),
    customMessage: () => session.append({ type: 'custom_message', customType: 'x', content: words, display: true }),
    name: () => session.append({ type: 'session_info', name: words }),
    label: () => picked && session.appendLabelChange(picked, words),
    branch: () => picked && session.branch(picked),
    summary: () => session.branchWithSummary(picked ?? null, words || 's', { files: [words] }, true),
    reset: () => session.resetLeaf(),
    ours: () => session.append({ type: 'mode_change', mode: words }),
  };
  by[kind]?.();
}

function writeTheirs(session: PiSession, { kind, at, text: words, message: said }: Step): void {
  const entries = session.getEntries();
  const picked = entries[at % entries.length]!.id;
  const by: Record<string, () => unknown> = {
    message: () => session.appendMessage(said.message),
    model: () => session.appendModelChange('openai', words),
    thinking: () => session.appendThinkingLevelChange('high'),
    compaction: () => session.appendCompaction(words, picked, at),
    custom: () => session.appendCustomEntry('x', { words }),
    customMessage: () => session.appendCustomMessageEntry('x', words, true),
    name: () => session.appendSessionInfo(words),
    label: () => session.appendLabelChange(picked, words),
    edit: () => {
      const target = session.getBranch().findLast((entry) => entry.type === 'custom_message');
      return target && session.appendContextEdit(target.id, at % 2 ? { content: words } : null);
    },
    branch: () => session.branch(picked),
    summary: () => session.branchWithSummary(picked, words),
    reset: () => session.resetLeaf(),
  };
  by[kind]?.();
}

function zeroCost() {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
}
