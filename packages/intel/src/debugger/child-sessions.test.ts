import { describe, expect, it } from 'vitest';
import type { Address, ConnectionListener, StartedAdapter } from './connection.ts';
import { type Debuggee, Debugger } from './debugger.ts';
import { placeOf, stopOf } from './fixtures/use-debugger.ts';

const never = new AbortController().signal;

/** A conversation of an adapter in memory: what it was asked, and its side to speak from. */
interface Talk {
  to: Address | undefined;
  listener: ConnectionListener;
  asked: string[];
  begun: unknown;
  breakpoints: unknown[];
}

/**
 * An adapter whose conversations are each a thread 1 that stops at the first breakpoint that it is given, as js-debug and
 * debugpy have one for every process.
 */
function adapterInMemory(onBegun: (talk: Talk) => void) {
  const talks: Talk[] = [];
  const ended = Promise.withResolvers<{ words: string }>();
  const adapter: StartedAdapter = {
    configuration: { request: 'launch', arguments: { parent: true } },
    ended: ended.promise,
    end: async () => ended.resolve({ words: '' }),
    connect: async (listener, to) => {
      const talk: Talk = { to, listener, asked: [], begun: undefined, breakpoints: [] };
      talks.push(talk);
      const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
        initialize: () => ({ supportsConfigurationDoneRequest: true }),
        launch: (args) => {
          talk.begun = args;
          queueMicrotask(() => listener.onEvent('initialized', undefined));
        },
        attach: (args) => answers.launch!(args),
        setBreakpoints: ({ breakpoints }) => {
          talk.breakpoints = breakpoints as unknown[];
          return { breakpoints: talk.breakpoints.map((_, id) => ({ id, verified: talks.length > 1 })) };
        },
        configurationDone: () => queueMicrotask(() => onBegun(talk)),
        threads: () => ({ threads: [{ id: 1, name: `thread of ${talks.indexOf(talk)}` }] }),
        stackTrace: () => ({
          stackFrames: [{ id: 1, name: 'work', line: 2, column: 1, source: { path: `/w/${talks.indexOf(talk)}.x` } }],
        }),
        scopes: () => ({ scopes: [{ name: 'Locals', variablesReference: 1, expensive: false }] }),
        variables: () => ({ variables: [{ name: 'n', value: String(talks.indexOf(talk)), variablesReference: 0 }] }),
      };
      return {
        request: async (command, args) => {
          talk.asked.push(command);
          return answers[command]?.((args ?? {}) as Record<string, unknown>) ?? {};
        },
        close: () => undefined,
      };
    },
  };
  return { adapter, talks };
}

function debuggee(adapter: StartedAdapter): Debuggee {
  return { title: 'x', cwd: '/w', manners: { exceptionFilters: () => [] }, start: async () => adapter };
}

const debuggerOf = () => new Debugger({ root: '/w', now: Date.now, readText: async () => undefined });
const stopped = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };

describe('child sessions', () => {
  it('INT-31 startDebugging opens another conversation, with its own breakpoints, in the same session', async () => {
    const asked: Promise<unknown>[] = [];
    const { adapter, talks } = adapterInMemory(({ begun, listener }) => {
      const { parent } = begun as { parent?: boolean };
      const configuration = { __pendingTargetId: 'a1' };
      if (parent) asked.push(listener.onRequest('startDebugging', { request: 'attach', configuration })!);
      else listener.onEvent('stopped', stopped);
    });
    const debug = debuggerOf();
    const answer = await debug.launch(debuggee(adapter), { breakpoints: [{ place: 'a.x:2' }] }, never);
    expect(await asked[0]).toEqual({});
    expect(talks.map(({ begun }) => begun)).toEqual([{ parent: true }, { __pendingTargetId: 'a1' }]);
    expect(talks[1]).toMatchObject({ to: undefined, breakpoints: [{ line: 2 }] });
    expect(answer.breakpoints).toMatchObject([{ place: 'a.x:2', verified: true }]);
    expect(placeOf(answer)).toBe('work 1.x:2');
    expect(stopOf(answer).locals).toMatchObject([{ name: 'n', value: '1' }]);
    const threads = await debug.current.threads(never);
    expect(threads).toMatchObject([
      { name: 'thread of 0', stopped: false },
      { name: 'thread of 1', stopped: true },
    ]);
    expect(new Set(threads.map(({ id }) => id)).size).toBe(2);

    talks[0]!.listener.onEvent('stopped', stopped);
    const both = await debug.wait(0, never);
    expect(stopOf(both).alsoStopped).toMatchObject([{ name: 'thread of 0' }]);
    expect(placeOf(await debug.go('next', undefined, never))).toBe('work 0.x:2');
    expect(talks[1]!.asked).toContain('next');

    talks[1]!.listener.onEvent('terminated', undefined);
    expect(await debug.current.threads(never)).toHaveLength(1);
    expect(debug.running).toBe('x');
    talks[0]!.listener.onEvent('exited', { exitCode: 4 });
    talks[0]!.listener.onEvent('terminated', undefined);
    expect((await debug.wait(1_000, never)).outcome).toMatchObject({ state: 'ended', exitCode: 4 });
    expect(talks[0]!.asked).toContain('disconnect');
    await debug.dispose();
  });

  it('INT-31 debugpyAttach connects to where the child waits; an unknown request of an adapter is refused', async () => {
    const { adapter, talks } = adapterInMemory(({ begun, listener }) => {
      if ((begun as { parent?: boolean }).parent) {
        listener.onEvent('debugpyAttach', { connect: { host: '127.0.0.1', port: 4711 }, subProcessId: 9 });
        listener.onEvent('debugpyAttach', { connect: 'nowhere' });
        listener.onEvent('debugpyAttach', undefined);
      } else listener.onEvent('stopped', stopped);
    });
    const debug = debuggerOf();
    expect(placeOf(await debug.launch(debuggee(adapter), {}, never))).toBe('work 1.x:2');
    expect(talks).toHaveLength(2);
    expect(talks[1]).toMatchObject({ to: { host: '127.0.0.1', port: 4711 }, begun: { subProcessId: 9 } });
    expect(talks[0]!.listener.onRequest('runInTerminal', {})).toBe(undefined);
    talks[1]!.listener.onClosed(new Error('gone'));
    expect((await debug.wait(0, never)).outcome).toEqual({ state: 'running' });
    await debug.dispose();
    expect((await debug.wait(0, never)).outcome).toMatchObject({ state: 'ended', why: 'stopped' });
    await expect(debug.launch(debuggee(adapter), {}, never)).rejects.toMatchObject({ code: 'disposed' });
  });

  it('INT-31 a child that cannot be reached is told in the output, and the session goes on', async () => {
    const { adapter, talks } = adapterInMemory(({ listener }) => {
      void listener.onRequest('startDebugging', { request: 'launch', configuration: {} });
      listener.onEvent('stopped', stopped);
    });
    const { connect } = adapter;
    const failing: StartedAdapter = {
      ...adapter,
      connect: (listener, to) =>
        talks.length === 0 ? connect(listener, to) : Promise.reject(new Error('no such door')),
    };
    const debug = debuggerOf();
    const answer = await debug.launch(debuggee(failing), {}, never);
    expect(placeOf(answer)).toBe('work 0.x:2');
    expect(answer.output || (await debug.wait(0, never)).output).toContain('cannot be debugged: no such door');
    await debug.dispose();
  });
});
