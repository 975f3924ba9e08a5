import { FakeEngine } from './fake-engine.ts';

/** An engine whose task does what the script says and then is completed. */
export function working(script: (engine: FakeEngine) => void): FakeEngine {
  const engine: FakeEngine = new FakeEngine({
    startAgentTask: () => {
      engine.task(() => {
        script(engine);
        engine.custom('task_end', { outcome: 'completed', message: 'done' });
      });
    },
  });
  return engine;
}

/** An engine whose task runs until it is cancelled. */
export function endless(): FakeEngine {
  const engine: FakeEngine = new FakeEngine({
    startAgentTask: () => {
      engine.task(() => new Promise<void>((resolve) => (engine.handlers.cancelTask = () => resolve())));
    },
  });
  return engine;
}

export function asking(kind: 'permission' | 'loop_limit', title = 'Run `make`?'): FakeEngine {
  const engine: FakeEngine = new FakeEngine({
    startAgentTask: () => {
      const options = [{ value: 'allow', label: 'Allow' }];
      engine.task(() => engine.request({ id: 'q1', kind, title, payload: { n: 1 }, options, default: 'deny' }));
    },
  });
  return engine;
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
