import { Funnel, type FunnelBudget, type ReadingTool } from './phases.ts';

export interface FunnelCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** A turn of the model: what it says, and what it wants to look at. */
export interface FunnelTurn {
  text: string;
  calls: readonly FunnelCall[];
}

/** What the conversation goes on with. */
export type FunnelMessage =
  | { role: 'user'; text: string }
  | ({ role: 'assistant' } & FunnelTurn)
  | { role: 'result'; call: FunnelCall; text: string; isError: boolean };

export interface FunnelOptions {
  /** The report, the map of the repository and what is asked for. */
  prompt: string;
  /** Asks the model, which is offered these tools only. @throws what keeps it from answering; the signal's reason. */
  ask(messages: readonly FunnelMessage[], offered: readonly string[], signal: AbortSignal): Promise<FunnelTurn>;
  /** Runs one of the reading tools. What it throws goes to the model. */
  run(name: ReadingTool, args: Record<string, unknown>, signal: AbortSignal): Promise<string>;
  budget?: FunnelBudget;
  signal: AbortSignal;
}

export interface FunnelReport {
  /** Markdown; empty where the model never wrote any. */
  text: string;
  calls: number;
  refused: number;
  turns: number;
}

/** Turns that may ask for tools when none is left; then what was said so far is the report. */
const MOST_DEAF = 2;

/**
 * Has a model explore a report within the funnel, until it writes its report. A model that never stops to ask for tools is
 * told so twice; then the longest of what it has said is taken.
 */
export async function runFunnel(options: FunnelOptions): Promise<FunnelReport> {
  const { prompt, ask, signal } = options;
  const funnel = new Funnel(options.budget);
  const messages: FunnelMessage[] = [{ role: 'user', text: prompt }];
  const said: string[] = [];
  let deaf = 0;
  for (let turns = 1; ; turns += 1) {
    signal.throwIfAborted();
    const wasOver = funnel.isOver;
    const turn = await ask(messages, funnel.offered, signal);
    messages.push({ role: 'assistant', ...turn });
    if (turn.text.trim() !== '') said.push(turn.text);
    if (turn.calls.length > 0 && wasOver) deaf += 1;
    if (turn.calls.length === 0 || deaf > MOST_DEAF) {
      const text = turn.calls.length === 0 ? turn.text : longest(said);
      return { text, calls: funnel.calls, refused: funnel.refused, turns };
    }
    for (const call of turn.calls) messages.push(await resultOf(call, funnel, options));
    if (!wasOver && funnel.isOver) messages.push({ role: 'user', text: OVER });
  }
}

const OVER = 'No tool is left. Write the report now, in Markdown, from what you have seen.';

async function resultOf(call: FunnelCall, funnel: Funnel, { run, signal }: FunnelOptions): Promise<FunnelMessage> {
  const result = (text: string, isError = false): FunnelMessage => ({ role: 'result', call, text, isError });
  // Once none is left, further calls of a turn cost nothing and are not counted: the total is a wall.
  if (funnel.isOver) return result(OVER, true);
  const verdict = funnel.judge(call.name);
  if (verdict.kind === 'refused') return result(verdict.why, true);
  if (verdict.kind === 'declared')
    return result('Noted. Now read closely what you suspect; only `read_lines` is left.');
  try {
    return result(await run(call.name as ReadingTool, call.args, signal));
  } catch (cause) {
    signal.throwIfAborted();
    return result(cause instanceof Error ? cause.message : String(cause), true);
  }
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '');
}
