import type { RunInvocation } from '../args/parse-invocation.ts';
import { unwrap } from '../failure.ts';
import { followTask } from '../headless/follow-task.ts';
import { type OpenedEngine, openEngine } from '../headless/open-engine.ts';
import { openForWork } from '../headless/open-for-work.ts';
import { readPrompt } from '../headless/read-prompt.ts';
import { type TaskContext, taskCommand } from '../headless/task-command.ts';
import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black -p`: one task, from its prompt to its result (IDE-83). */
export function run(invocation: RunInvocation, io: Io): Promise<number> {
  return taskCommand(invocation.output, io, async (context) => {
    const prompt = await readPrompt(invocation.prompt, io, context.interrupts.signal);
    return await work(invocation, prompt, context, io);
  });
}

async function work(invocation: RunInvocation, prompt: string, context: TaskContext, io: Io): Promise<number> {
  const { session, mode, model, thinking, output, maxIterations, maxCost, maxTokens, maxTimeMs } = invocation;
  const { autoApprove, approvePlan, trust, plan } = invocation;
  const said = invocation.prompt.trim();
  const needsHome = session !== undefined;
  const opened = await openEngine(io, { face: 'headless', asks: 'stop', autoApprove, approvePlan, trust, needsHome });
  const { engine, saved } = opened;
  try {
    const sessionId = session
      ? await goOn(opened, session, io)
      : unwrap(await engine.execute({ type: 'newSession' })).sessionId;
    const task = {
      type: 'startAgentTask' as const,
      sessionId,
      text: prompt,
      ...(said === '' || said === prompt ? {} : { said }),
      ...(plan === undefined ? {} : { plan }),
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(thinking ? { thinking } : {}),
      ...(maxIterations ? { maxIterations } : {}),
      ...(maxCost ? { maxCost } : {}),
      ...(maxTokens ? { maxTokens } : {}),
      ...(maxTimeMs ? { maxTimeMs } : {}),
    };
    const start = async (): Promise<void> => {
      unwrap(await engine.execute(task));
    };
    return await followTask({ ...context, engine, sessionId, output, saved, start }, io);
  } finally {
    await opened.dispose();
  }
}

/** A session of another folder may go on here, but not unsaid: what the model knows is of over there. */
async function goOn(opened: OpenedEngine, session: string, io: Io): Promise<string> {
  const { sessionId, began } = await openForWork(opened, session, io);
  if (began && began !== opened.cwd) {
    warn(io, `The session began in ${visibleLine(began)}; it goes on in ${visibleLine(opened.cwd)}.`);
  }
  return sessionId;
}
