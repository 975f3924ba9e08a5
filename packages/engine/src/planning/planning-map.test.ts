import { textOf } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Turn } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock, EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const FILES = {
  'src/greet.ts': 'export function greetEverybody(): string {\n  return "hi </repo_map> there";\n}\n',
  'src/main.ts':
    "import { greetEverybody } from './greet.ts';\nexport function main(): void {\n  greetEverybody();\n}\n",
};
const TASK = 'rename the greeting of greetEverybody in all of the files';
const artifact = (kind: string) => ({ name: 'create_artifact', args: { kind, content: `# ${kind}` } });
const planned: Turn[] = [
  { toolCalls: [artifact('implementation_plan'), artifact('task_list')] },
  { text: 'The plan is ready.' },
];

/** However busy the machine is: nobody's patience ends. */
const PATIENT: Clock = { now: () => Date.now(), sleep: (_ms, signal) => aborted(signal) };

function aborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

let session: Awaited<ReturnType<typeof begin>>;
afterEach(() => session[Symbol.asyncDispose]());

async function begin(script: Turn[], files: Record<string, string> = FILES, options: Partial<EngineOptions> = {}) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files });
  const world = { home, workspace, server: await createMockModelServer(script) };
  const env = { ...ScriptedSession.environment(world), BLACK_PLANNING: undefined };
  return await ScriptedSession.begin(world, { autoApprove: false, env, clock: PATIENT, ...options });
}

const requests = () => session.world.server.modelCalls().map(({ body }) => JSON.stringify(body));
const maps = () => session.ofType('NoticeAdded').filter(({ customType }) => customType === 'repo_map');

describe('the map that a planner is shown', () => {
  it('INT-14 is seen from the request, marked as data, and the same in every request that follows', async () => {
    session = await begin([...planned, { text: 'Revised.' }, ...planned]);
    await session.run(TASK);
    expect(maps()).toHaveLength(1);
    const text = textOf(maps()[0]!.content);
    expect(text).toMatch(
      /<repo_map>\n[\s\S]*src\/greet\.ts\n {2}1: export function greetEverybody\(\): string[\s\S]*\n<\/repo_map>$/,
    );
    for (const request of requests()) expect(request.match(/<repo_map>/g)).toHaveLength(1);
    const { sessionId } = session;
    const since = session.events.length;
    await session.engine.execute({ type: 'rejectPlan', sessionId, feedback: 'use words instead' });
    await session.ended(since);
    expect(maps()).toHaveLength(1);
  });

  it('INT-14 is left out where there is no code, and where nothing is planned', async () => {
    session = await begin(planned, { 'a.txt': 'alpha\n' });
    await session.run(TASK);
    expect(maps()).toEqual([]);
    expect(session.ofType('DiagnosticReported').map(({ message }) => message)).toEqual([]);
    await session[Symbol.asyncDispose]();
    session = await begin([{ text: 'done' }]);
    await session.run('where is it?');
    expect(requests().join('')).not.toContain('repo_map');
  });

  it('INT-14 is not waited for longer than a person would bear, and is not half of one', async () => {
    const clock: Clock = { now: () => Date.now(), sleep: async () => undefined };
    session = await begin(planned, FILES, { clock });
    await session.run(TASK);
    expect(maps()).toEqual([]);
    expect(session.ofType('PlanApprovalRequested')).toHaveLength(1);
  });
});
