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

  it('IDE-65 no yes in advance covers leaving the sandbox; a person’s own answer does', () => {
    const leaves = { ...command, command: { ...command.command!, leavesSandbox: true as const }, autoApprove: true };
    expect(decide(leaves)).toMatchObject({ decision: 'ask', stage: 10 });
    expect(decide({ ...leaves, answer: { allowed: true } })).toMatchObject({ decision: 'allow', stage: 7 });
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

  it('stages whose parts come later are named as not yet, and only those that were walked', () => {
    expect(decide(read)).toMatchObject({ stage: 8, notYet: [5, 6] });
    expect(decide({ ...read, malformed: 'x' }).notYet).toEqual([]);
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
      { malformed: 'bad' },
      { paths: [{ ok: false, why: 'outside' }] },
      { command: { by: 'hard-deny', rule: 'x', why: 'x' } },
      { command: { by: 'user-deny', rule: 'x', why: 'x' } },
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
