import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type CallSurroundings, type Judges, prepareCall } from '../loop/gather-facts.ts';
import type { Mode } from '../modes/mode.ts';
import { defineTool, textResult } from '../tools/define-tool.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { decide } from './decide.ts';
import type { HookAnswer } from './tool-hooks.ts';

const run = defineTool({
  name: 'run_command',
  description: 'Runs.',
  access: 'execute',
  parameters: z.object({ command: z.string().min(1) }),
  command: ({ command }) => command,
  run: async () => textResult('done'),
});
const registry = new ToolRegistry([run]);
const mode = { name: 'Agent', description: '', body: '', maxIterations: 9 } as unknown as Mode;
const judges: Judges = {
  path: () => ({ ok: true }),
  url: () => ({ ok: true }),
  command: async (line) => ({
    by: line.startsWith('rm') ? 'hard-deny' : line.startsWith('push') ? 'user-deny' : 'none',
    rule: line,
    why: line,
  }),
  autoApprovesCommands: false,
  trusted: true,
  closed: undefined,
};

async function judged(
  answers: (command: string) => readonly HookAnswer[],
  command = 'make',
  around: Partial<CallSurroundings> = {},
) {
  const seen: string[] = [];
  const prepared = await prepareCall(
    { type: 'toolCall', id: 'c', name: 'run_command', arguments: { command } },
    registry,
    mode,
    judges,
    {
      autoApprove: true,
      beforeToolCall: (call) => {
        seen.push(String(call.args.command));
        return answers(String(call.args.command));
      },
      ...around,
    },
  );
  return { ...decide(prepared.facts), seen, args: prepared.args };
}

describe('hooks before a call', () => {
  it('field notes §2.6: what a hook rewrites starts again at the schema and meets every deny', async () => {
    const to = (args: Record<string, unknown>) => () => [
      { kind: 'rewrite' as const, args },
      { kind: 'allow' as const },
    ];
    expect(await judged(to({ command: 'make -n' }))).toMatchObject({ decision: 'allow', args: { command: 'make -n' } });
    expect(await judged(to({ command: 'rm -rf /' }))).toMatchObject({ decision: 'deny', stage: 4 });
    expect(await judged(to({ command: 'push' }))).toMatchObject({ decision: 'deny', stage: 5 });
    expect(await judged(to({}))).toMatchObject({ decision: 'deny', stage: 2 });
  });

  it('asks the hooks again about what was rewritten, and stops those that never agree', async () => {
    const settled = await judged((command) =>
      command === 'make' ? [{ kind: 'rewrite', args: { command: 'ls' } }] : [],
    );
    expect(settled).toMatchObject({ decision: 'allow', seen: ['make', 'ls'] });
    const restless = await judged((command) => [{ kind: 'rewrite', args: { command: `${command}x` } }]);
    expect(restless).toMatchObject({ decision: 'deny', stage: 6 });
    expect(restless.seen).toHaveLength(5);
  });

  it('runs no hook for a call that is refused anyway', async () => {
    expect((await judged(() => [], 'rm -rf /')).seen).toEqual([]);
    expect((await judged(() => [], 'push')).seen).toEqual([]);
    expect((await judged(() => [], '')).seen).toEqual([]);
  });

  it('a hook that fails has a person asked, whatever is approved in advance', async () => {
    const failed = await judged(() => {
      throw new Error('no such file');
    });
    expect(failed).toMatchObject({ decision: 'ask', stage: 6, why: 'A hook failed: no such file' });
  });

  it('property: no set of answers makes a decision milder than the strictest among them', async () => {
    const answer = fc.constantFrom<HookAnswer>(
      { kind: 'block', reason: 'no' },
      { kind: 'ask' },
      { kind: 'allow' },
      { kind: 'rewrite', args: { command: 'make' } },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 4 }), async (answers) => {
        const kinds = answers.map(({ kind }) => kind);
        const { decision } = await judged(() => answers);
        expect(decision).toBe(kinds.includes('block') ? 'deny' : kinds.includes('ask') ? 'ask' : 'allow');
        expect((await judged(() => answers, 'rm x')).decision).toBe('deny');
      }),
    );
  });
});
