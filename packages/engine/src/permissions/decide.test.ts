import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { CallFacts } from './facts.ts';

const read: CallFacts = {
  name: 'read_file',
  access: 'read',
  paths: [{ ok: true }],
  steersLoop: false,
  autoApprove: false,
};
const write: CallFacts = { ...read, name: 'edit_file', access: 'write' };
const command: CallFacts = {
  ...read,
  name: 'run_command',
  access: 'execute',
  paths: [],
  command: { by: 'none', rule: 'npm', why: 'npm runs code of the workspace.' },
};

describe('decide', () => {
  it('IDE-73 a call to a tool outside the set is refused at stage 1, an unknown one too', () => {
    expect(decide({ ...read, withheld: 'not in Ask' })).toMatchObject({
      decision: 'deny',
      stage: 1,
      why: 'not in Ask',
    });
    const { access: _, ...unknown } = read;
    expect(decide({ ...unknown, name: 'constructor' })).toMatchObject({
      decision: 'deny',
      stage: 1,
      rule: 'unknown-tool',
    });
  });

  it('IDE-74 arguments that do not fit the schema stop at stage 2', () => {
    expect(decide({ ...read, malformed: 'path is missing' })).toMatchObject({ decision: 'deny', stage: 2 });
  });

  it('IDE-53 a path outside the workspace stops at stage 3, whatever comes later', () => {
    const facts: CallFacts = {
      ...write,
      paths: [{ ok: true }, { ok: false, why: 'outside' }],
      answer: { allowed: true },
    };
    expect(decide(facts)).toMatchObject({ decision: 'deny', stage: 3, why: 'outside' });
  });

  it('IDE-63 nothing lifts a hard deny: neither an answer nor auto-approve nor a mode', () => {
    const facts: CallFacts = {
      ...command,
      command: { by: 'hard-deny', rule: 'rm-root', why: 'It would delete everything.' },
      answer: { allowed: true },
      autoApprove: true,
      steersLoop: true,
    };
    expect(decide(facts)).toMatchObject({ decision: 'deny', stage: 4, rule: 'rm-root' });
  });

  it('IDE-64 the order is hard deny, user deny, user allow, read-only, auto-approve, ask', () => {
    const by = (kind: NonNullable<CallFacts['command']>['by'], autoApprove = false) => {
      const { decision, stage } = decide({ ...command, command: { by: kind, rule: kind, why: kind }, autoApprove });
      return [decision, stage];
    };
    expect(by('user-deny', true)).toEqual(['deny', 5]);
    expect(by('user-allow')).toEqual(['allow', 7]);
    expect(by('read-only')).toEqual(['allow', 8]);
    expect(by('none', true)).toEqual(['allow', 9]);
    expect(by('none')).toEqual(['ask', 10]);
    expect(by('unreadable', true)).toEqual(['ask', 10]);
  });

  it('IDE-67 in a folder that is not trusted only what reads is in the set, whatever anybody said', () => {
    const said = { untrusted: true, answer: { allowed: true }, autoApprove: true };
    for (const facts of [write, command, { ...command, command: { by: 'user-allow', rule: 'x', why: 'x' } as const }]) {
      expect(decide({ ...facts, ...said })).toMatchObject({ decision: 'deny', stage: 1, rule: 'untrusted' });
    }
    const why = decide({ ...write, untrusted: true }).why;
    expect(why).toContain('edit_file');
    expect(why).toContain('--trust');
    const reads = { ...command, command: { by: 'read-only', rule: 'read-only', why: 'It reads.' } as const };
    expect(decide({ ...reads, untrusted: true })).toMatchObject({ decision: 'allow', stage: 8 });
    expect(decide({ ...read, untrusted: true })).toMatchObject({ decision: 'allow', stage: 8 });
    expect(decide({ ...command, untrusted: true, malformed: 'x' })).toMatchObject({ stage: 2 });
  });

  it('IDE-36 a mode of read-only commands refuses all others at stage 1', () => {
    const facts = { ...command, readOnly: true, answer: { allowed: true }, autoApprove: true };
    expect(decide(facts)).toMatchObject({ decision: 'deny', stage: 1, rule: 'read-only-set' });
    expect(decide({ ...facts, command: { by: 'read-only', rule: 'r', why: 'r' } })).toMatchObject({
      decision: 'allow',
    });
  });

  it('IDE-87 while configuration cannot be read no command runs unasked, and a person can still say yes', () => {
    const closed = 'settings.json:1:1: this is no JSON.';
    const reads: CallFacts = {
      ...command,
      command: { by: 'read-only', rule: 'r', why: 'r' },
      autoApprove: true,
      closed,
    };
    expect(decide(reads)).toMatchObject({
      decision: 'ask',
      stage: 10,
      rule: 'settings',
      why: expect.stringContaining(closed),
    });
    expect(decide({ ...reads, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
    expect(decide({ ...reads, hook: { allow: 'a hook' } })).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...read, closed })).toMatchObject({ decision: 'allow' });
  });

  it('IDE-29 where nothing may change, a command has to be provably read-only, whatever else speaks for it', () => {
    const kinds = ['user-allow', 'none', 'unreadable', 'user-deny', 'hard-deny'] as const;
    for (const by of kinds) {
      for (const more of [{}, { autoApprove: true }, { answer: { allowed: true } }, { steersLoop: true }]) {
        const facts: CallFacts = { ...command, command: { by, rule: by, why: by }, readOnly: true, ...more };
        expect(decide(facts)).toMatchObject({ decision: 'deny', stage: 1, rule: 'read-only-set' });
      }
    }
    const looking: CallFacts = { ...command, command: { by: 'read-only', rule: 'cat', why: 'It only reads.' } };
    expect(decide({ ...looking, readOnly: true })).toMatchObject({ decision: 'allow', stage: 8 });
    expect(decide({ ...command, malformed: 'no command', readOnly: true })).toMatchObject({ stage: 2 });
    expect(decide({ ...read, readOnly: true })).toMatchObject({ decision: 'allow', stage: 8 });
  });

  it('IDE-65 no yes in advance covers leaving the sandbox; a person’s own answer does', () => {
    const leaves = { ...command, command: { ...command.command!, leavesSandbox: true as const }, autoApprove: true };
    expect(decide(leaves)).toMatchObject({ decision: 'ask', stage: 10 });
    const listed = { ...leaves.command, by: 'user-allow' as const };
    expect(decide({ ...leaves, command: listed, hook: { allow: 'ok' } })).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...leaves, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
    const reads = { ...leaves, command: { ...leaves.command, by: 'read-only' as const, readOnly: true } };
    expect(decide(reads)).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...reads, untrusted: true })).toMatchObject({ decision: 'deny', stage: 1 });
    expect(decide({ ...reads, readOnly: true })).toMatchObject({ decision: 'deny', stage: 1 });
    const { command: _, ...attaches } = { ...command, leavesSandbox: true as const, autoApprove: true };
    expect(decide(attaches)).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...attaches, hook: { allow: 'ok' } })).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...attaches, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
  });

  it('INT-32 what goes on with a program that was allowed to start is not asked about', () => {
    const { command: _, ...goesOn } = { ...command, continues: true as const };
    expect(decide(goesOn)).toMatchObject({ decision: 'allow', stage: 7, rule: 'goes-on' });
    expect(decide({ ...goesOn, readOnly: true })).toMatchObject({ decision: 'deny', stage: 1 });
    expect(decide({ ...goesOn, withheld: 'not here' })).toMatchObject({ decision: 'deny', stage: 1 });
    expect(decide({ ...goesOn, hook: { block: 'no' } })).toMatchObject({ decision: 'deny' });
  });

  it('IDE-53 a file in the workspace is written without asking, a protected one asks', () => {
    expect(decide(write)).toMatchObject({ decision: 'allow', stage: 7 });
    const guarded: CallFacts = { ...write, paths: [{ ok: true, protected: 'git internals' }] };
    expect(decide(guarded)).toMatchObject({ decision: 'ask', stage: 10, rule: 'protected-path', why: 'git internals' });
    expect(decide({ ...guarded, autoApprove: true })).toMatchObject({ decision: 'allow', stage: 9 });
  });

  it('IDE-53 a person’s answer counts for the very call, with its reason', () => {
    const facts: CallFacts = { ...command, answer: { allowed: false, text: 'use pnpm' } };
    expect(decide(facts)).toMatchObject({ decision: 'deny', stage: 7, why: 'A person denied it: use pnpm' });
    expect(decide({ ...command, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
  });

  it('IDE-64 what could not be read is never answered with yes in advance, neither by a run nor by a hook', () => {
    const unread: CallFacts = { ...command, command: { by: 'unreadable', rule: 'x', why: 'x' }, hook: { allow: 'ok' } };
    expect(decide({ ...unread, autoApprove: true })).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...unread, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
  });

  it('field notes §2.6: a hook’s allow beats no deny, its ask is the least, its block the last word', () => {
    const hooked = (hook: NonNullable<CallFacts['hook']>, more: Partial<CallFacts> = {}) => {
      const { decision, stage, rule } = decide({ ...command, hook, ...more });
      return [decision, stage, rule];
    };
    const denied = { command: { by: 'user-deny' as const, rule: 'push', why: 'x' } };
    const hard = { command: { by: 'hard-deny' as const, rule: 'rm', why: 'x' } };
    const allowed = { command: { by: 'user-allow' as const, rule: 'npm', why: 'x' } };
    expect(hooked({ allow: 'mine' })).toEqual(['allow', 7, 'hook']);
    expect(hooked({ allow: 'mine' }, denied)).toEqual(['deny', 5, 'push']);
    expect(hooked({ allow: 'mine' }, hard)).toEqual(['deny', 4, 'rm']);
    expect(hooked({ allow: 'mine', ask: 'look' })).toEqual(['ask', 6, 'hook']);
    expect(hooked({ ask: 'look' }, { ...allowed, autoApprove: true })).toEqual(['ask', 6, 'hook']);
    expect(hooked({ ask: 'look' }, { answer: { allowed: true } })).toEqual(['allow', 7, 'answer']);
    expect(hooked({ block: 'no', allow: 'yes' }, { answer: { allowed: true } })).toEqual(['deny', 6, 'hook']);
  });

  it('IDE-62 property: more facts against a call never make the decision milder', () => {
    const rank = { allow: 0, ask: 1, deny: 2 };
    const facts = fc.record({
      base: fc.constantFrom(read, write, command),
      autoApprove: fc.boolean(),
      answer: fc.option(fc.boolean(), { nil: undefined }),
    });
    const against = fc.constantFrom<Partial<CallFacts>>(
      { withheld: 'mode' },
      { untrusted: true, access: 'write' },
      { malformed: 'bad' },
      { paths: [{ ok: false, why: 'outside' }] },
      { command: { by: 'hard-deny', rule: 'x', why: 'x' } },
      { command: { by: 'user-deny', rule: 'x', why: 'x' } },
      { hook: { block: 'no' } },
    );
    fc.assert(
      fc.property(facts, against, ({ base, autoApprove, answer }, worse) => {
        const before = { ...base, autoApprove, ...(answer === undefined ? {} : { answer: { allowed: answer } }) };
        expect(rank[decide({ ...before, ...worse }).decision]).toBeGreaterThanOrEqual(rank[decide(before).decision]);
        expect(decide({ ...before, ...worse }).decision).toBe('deny');
      }),
    );
  });
});
