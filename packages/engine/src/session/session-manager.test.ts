import type { Entry, NewEntry } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import type { SessionManager } from './session-manager.ts';
import { SessionStore } from './session-store.ts';

describe('SessionManager: appending', () => {
  it('SES-8 a new session is empty; every append is a child of the leaf and becomes it, whatever its type', () => {
    const session = create();
    expect([session.getLeafId(), session.getLeafEntry(), session.getEntry('x')]).toEqual([null, undefined, undefined]);
    const entries: NewEntry[] = [
      { type: 'message', message: { role: 'user', content: 'hi', timestamp: 1 } },
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'model_change', provider: 'openai', modelId: 'gpt' },
      { type: 'mode_change', mode: 'Ask' },
      { type: 'compaction', summary: 's', firstKeptEntryId: 'x', tokensBefore: 10 },
      { type: 'custom', customType: 'mine', data: { key: 'value' } },
      { type: 'custom_message', customType: 'mine', content: 'read this', display: true },
      { type: 'ttsr_injection', injectedRules: ['r'] },
      { type: 'session_info', name: 'A name' },
    ];
    let parentId: string | null = null;
    for (const entry of entries) {
      const added = session.append(entry);
      expect(added).toEqual({ ...entry, id: added.id, parentId, timestamp: added.timestamp });
      expect(added.id).toMatch(/^[0-9a-f]{8}$/);
      expect(new Date(added.timestamp).toISOString()).toBe(added.timestamp);
      expect(session.getLeafId()).toBe(added.id);
      expect(session.getEntry(added.id)).toBe(session.getLeafEntry());
      parentId = added.id;
    }
    expect(session.getEntries().map(({ type }) => type)).toEqual(entries.map(({ type }) => type));
  });

  it('SES-2 keeps what JSON keeps, and later changes of what was given do not count', () => {
    const session = create();
    const data = { list: [1], gone: undefined, half: '\ud83d' };
    const added = session.append({ type: 'custom', customType: 'mine', data });
    data.list.push(2);
    expect(session.getEntry(added.id)).toMatchObject({ data: { list: [1], half: '\ufffd' } });
    expect(Object.keys((session.getLeafEntry() as { data: object }).data)).toEqual(['list', 'half']);
    session.getEntries().pop();
    expect(session.getEntries()).toHaveLength(1);
  });

  it('SES-8 an id that is taken is not given twice, however bad the luck', () => {
    const ids = ['aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb'];
    const session = create((bytes) => (bytes === 4 ? (ids.shift() ?? 'aaaaaaaa') : 'f'.repeat(bytes * 2)));
    expect(say(session, 'one').id).toBe('aaaaaaaa');
    expect(say(session, 'two').id).toBe('bbbbbbbb');
    expect(say(session, 'three').id).toBe('f'.repeat(32));
  });

  it('SES-6 tells listeners of an entry once it is kept, until they leave', () => {
    const session = create();
    const heard: [Entry, number][] = [];
    const leave = session.onAppend((entry) => heard.push([entry, session.getEntries().length]));
    const one = say(session, 'one');
    session.appendLabelChange(one.id, 'first');
    session.branchWithSummary(one.id, 'left');
    leave();
    say(session, 'not heard');
    expect(heard.map(([entry, kept]) => [entry.type, kept])).toEqual([
      ['message', 1],
      ['label', 2],
      ['branch_summary', 3],
    ]);
  });

  it('SES-2 has the name that was given last', () => {
    const session = create();
    expect(session.getSessionName()).toBe(undefined);
    session.append({ type: 'session_info', name: ' First ' });
    expect(session.getSessionName()).toBe('First');
    session.append({ type: 'session_info', name: '' });
    expect(session.getSessionName()).toBe(undefined);
  });
});

describe('SessionManager: the tree', () => {
  it('SES-9 getBranch: empty, one, root to leaf, from a given entry, unknown', () => {
    const session = create();
    expect(session.getBranch()).toEqual([]);
    const [one, two, three] = [say(session, '1'), say(session, '2'), say(session, '3')];
    expect(ids(session.getBranch())).toEqual([one.id, two.id, three.id]);
    expect(ids(session.getBranch(two.id))).toEqual([one.id, two.id]);
    expect(session.getBranch('unknown')).toEqual([]);
    expect(session.getBranch(null)).toEqual([]);
  });

  it('SES-9 getTree: empty, linear, after a branch, several branches at one point, deep branching', () => {
    const session = create();
    expect(session.getTree()).toEqual([]);
    const [one, two, three] = [say(session, '1'), say(session, '2'), say(session, '3')];
    expect(shape(session)).toEqual([[one.id, [[two.id, [[three.id, []]]]]]]);
    session.branch(two.id);
    const four = say(session, '4');
    session.branch(two.id);
    const five = say(session, '5');
    session.branch(four.id);
    const six = say(session, '6');
    const branches = [
      [three.id, []],
      [four.id, [[six.id, []]]],
      [five.id, []],
    ];
    expect(shape(session)).toEqual([[one.id, [[two.id, branches]]]]);
    expect(ids(session.getChildren(two.id))).toEqual([three.id, four.id, five.id]);
    expect(ids(session.getChildren(null))).toEqual([one.id]);
    expect(session.getChildren('unknown')).toEqual([]);
  });

  it('SES-10 branch moves the leaf and writes nothing; it refuses the unknown and null', () => {
    const session = create();
    const [one, two] = [say(session, '1'), say(session, '2')];
    session.branch(one.id);
    expect(session.getLeafId()).toBe(one.id);
    expect(session.getEntries()).toHaveLength(2);
    const three = say(session, '3');
    expect([two.parentId, three.parentId]).toEqual([one.id, one.id]);
    const unknown = expect.objectContaining({ code: 'unknown_entry' });
    expect(() => session.branch('unknown')).toThrow(unknown);
    expect(() => session.branch(null as unknown as string)).toThrow(unknown);
    expect(session.getLeafId()).toBe(three.id);
  });

  it('SES-10 resetLeaf makes the next append a root', () => {
    const session = create();
    const one = say(session, '1');
    session.resetLeaf();
    expect(session.getLeafId()).toBe(null);
    expect(session.getBranch()).toEqual([]);
    const two = say(session, '2');
    expect(two.parentId).toBe(null);
    expect(shape(session)).toEqual([
      [one.id, []],
      [two.id, []],
    ]);
  });

  it('SES-11 branchWithSummary moves, appends and advances; from null it is a root from "root"', () => {
    const session = create();
    const [one, two] = [say(session, '1'), say(session, '2')];
    const summary = session.branchWithSummary(one.id, 'what was tried', { readFiles: ['a'] }, true);
    expect(summary).toMatchObject({
      parentId: one.id,
      fromId: one.id,
      summary: 'what was tried',
      details: { readFiles: ['a'] },
      fromExtension: true,
    });
    expect(session.getLeafId()).toBe(summary.id);
    const root = session.branchWithSummary(null, 'all of it');
    expect(root).toEqual({ ...root, type: 'branch_summary', parentId: null, fromId: 'root', summary: 'all of it' });
    session.branch(two.id);
    expect(() => session.branchWithSummary('unknown', 's')).toThrow(expect.objectContaining({ code: 'unknown_entry' }));
    expect(session.getLeafId()).toBe(two.id);
  });

  it('SES-16 moving changes the path and the context, and no entry', () => {
    const session = create();
    const [one, two] = [say(session, '1'), say(session, '2')];
    const before = JSON.stringify(session.getEntries());
    session.branch(one.id);
    expect(texts(session)).toEqual(['1']);
    session.branch(two.id);
    expect(texts(session)).toEqual(['1', '2']);
    session.resetLeaf();
    expect(texts(session)).toEqual([]);
    expect(JSON.stringify(session.getEntries())).toBe(before);
    session.branch(one.id);
    say(session, '3');
    expect(texts(session)).toEqual(['1', '3']);
  });
});

describe('SessionManager: labels', () => {
  it('SES-13 are set, replaced and removed by entries on the current chain, and seen at once', () => {
    const session = create();
    const [one, two] = [say(session, '1'), say(session, '2')];
    expect(session.getLabel(one.id)).toBe(undefined);
    const label = session.appendLabelChange(one.id, 'checkpoint');
    expect(label).toMatchObject({ type: 'label', targetId: one.id, label: 'checkpoint', parentId: two.id });
    expect(session.getLeafId()).toBe(label.id);
    expect(session.getLabel(one.id)).toBe('checkpoint');
    expect(session.getTree()[0]).toMatchObject({ entry: { id: one.id }, label: 'checkpoint' });
    session.appendLabelChange(one.id, 'better');
    expect(session.getLabel(one.id)).toBe('better');
    expect(session.appendLabelChange(one.id)).not.toHaveProperty('label');
    expect(session.getLabel(one.id)).toBe(undefined);
    session.appendLabelChange(one.id, 'again');
    session.appendLabelChange(one.id, '');
    expect(session.getLabel(one.id)).toBe(undefined);
    expect(session.getTree()[0]).not.toHaveProperty('label');
  });

  it('SES-13 are not told to the model, and name existing entries only', () => {
    const session = create();
    const one = say(session, '1');
    session.appendLabelChange(one.id, 'mark');
    expect(texts(session)).toEqual(['1']);
    const unknown = expect.objectContaining({ code: 'unknown_entry' });
    expect(() => session.appendLabelChange('constructor', 'x')).toThrow(unknown);
    expect(session.getLabel('constructor')).toBe(undefined);
  });
});

describe('SessionManager: createBranchedSession', () => {
  it('SES-12 replaces the entries by the path in memory, and answers no file', () => {
    const session = create();
    const [one, two, three] = [say(session, '1'), say(session, '2'), say(session, '3')];
    session.branch(two.id);
    say(session, 'elsewhere');
    const parent = session.getSessionId();
    expect(session.createBranchedSession(three.id)).toBe(undefined);
    expect(ids(session.getEntries())).toEqual([one.id, two.id, three.id]);
    expect(session.getSessionId()).not.toBe(parent);
    expect(session.getHeader()).toMatchObject({ parentSession: parent, version: 3 });
    expect(session.getLeafId()).toBe(three.id);
    expect(session.getPath()).toBe(undefined);
  });

  it('SES-12 refuses an unknown leaf and stays what it was', () => {
    const session = create();
    const one = say(session, '1');
    const before = session.getHeader();
    expect(() => session.createBranchedSession('unknown')).toThrow(expect.objectContaining({ code: 'unknown_entry' }));
    expect([session.getHeader(), session.getLeafId()]).toEqual([before, one.id]);
  });

  it('SES-12 makes fresh label entries for what remains, and links the path up again without the old ones', () => {
    const session = create();
    const [one, two] = [say(session, '1'), say(session, '2')];
    const first = session.appendLabelChange(one.id, 'old');
    const three = say(session, '3');
    session.appendLabelChange(two.id, 'removed');
    session.appendLabelChange(two.id);
    const renamed = session.appendLabelChange(one.id, 'new');
    const four = say(session, '4');
    session.branch(three.id);
    const off = say(session, 'off the path');
    session.appendLabelChange(off.id, 'off');
    session.createBranchedSession(four.id);
    const entries = session.getEntries();
    expect(ids(entries.slice(0, 4))).toEqual([one.id, two.id, three.id, four.id]);
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...ids(entries).slice(0, -1)]);
    expect(entries.slice(4)).toEqual([{ ...renamed, id: entries[4]!.id, parentId: four.id }]);
    expect([first.id, renamed.id]).not.toContain(entries[4]!.id);
    expect([session.getLabel(one.id), session.getLabel(two.id), session.getLabel(off.id)]).toEqual([
      'new',
      undefined,
      undefined,
    ]);
  });

  it('SES-12 a compaction that kept everything from a label on keeps it from the next entry on', () => {
    const session = create();
    const one = say(session, '1');
    const label = session.appendLabelChange(one.id, 'here');
    const two = say(session, '2');
    session.append({ type: 'compaction', summary: 's', firstKeptEntryId: label.id, tokensBefore: 5 });
    const three = say(session, '3');
    session.createBranchedSession(three.id);
    expect(session.getEntries()[2]).toMatchObject({ type: 'compaction', firstKeptEntryId: two.id, parentId: two.id });
    expect(texts(session)).toEqual(['[summary]', '2', '3']);
  });

  it('SES-12 a path of nothing but labels leaves an empty session', () => {
    const session = create();
    const one = say(session, '1');
    session.resetLeaf();
    const label = session.appendLabelChange(one.id, 'root label');
    session.createBranchedSession(label.id);
    expect([session.getEntries(), session.getLeafId()]).toEqual([[], null]);
    expect(say(session, 'on').parentId).toBe(null);
  });
});

describe('SessionManager: closing', () => {
  it('SES-7 takes nothing once it is closed', () => {
    const session = create();
    say(session, '1');
    session.close();
    session.close();
    expect(() => say(session, '2')).toThrow(expect.objectContaining({ code: 'session_read_only' }));
    expect(session.getEntries()).toHaveLength(1);
  });
});

function create(randomHex?: (bytes: number) => string): SessionManager {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const store = new SessionStore({
    home: '/none',
    inMemory: true,
    now: () => (now += 1000),
    ...(randomHex ? { randomHex } : {}),
  });
  return store.create({ cwd: '/' });
}

function say(session: SessionManager, content: string) {
  return session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } });
}

function ids(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}

function texts(session: SessionManager): unknown[] {
  return session
    .buildSessionContext()
    .messages.map((message) => (message.role === 'user' ? message.content : '[summary]'));
}

type Shape = [string, Shape[]];

function shape(session: SessionManager): Shape[] {
  const of = (nodes: ReturnType<SessionManager['getTree']>): Shape[] =>
    nodes.map((node) => [node.entry.id, of(node.children)]);
  return of(session.getTree());
}
