import type { CommandResults } from '@black-ide/protocol';
import { UsageError } from '../args/usage-error.ts';
import { EXIT, unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { readLines } from '../headless/read-lines.ts';
import { type Io, warn } from '../io.ts';
import { painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';

export interface ExplainOptions {
  /** Left out: the commands come over standard input, one a line. */
  line?: string;
  /** As if it ran there. */
  cwd?: string;
  json: boolean;
}

type Explained = CommandResults['explainCommand'];

/** `black policy explain`: what the gate would do with a command, by which stage and rule, and why. Nothing runs. */
export async function explainPolicy({ line, cwd, json }: ExplainOptions, io: Io): Promise<number> {
  if (line === undefined && (await io.world.inputKind()) === 'terminal') {
    throw new UsageError('There is no command to explain.', 'black policy explain -- "git log | head"');
  }
  const opened = await openEngine(io, { face: 'headless', asks: 'stop', needsHome: false, anywhere: true });
  try {
    const lines = line === undefined ? await readLines(io) : [line];
    for (const [at, text] of lines.entries()) {
      const command = line === undefined ? commandOf(text) : text;
      const where = cwd === undefined ? {} : { cwd };
      const explained = unwrap(await opened.engine.execute({ type: 'explainCommand', command, ...where }));
      for (const note of explained.notes) warn(io, note);
      if (json) io.out.line(JSON.stringify(factsOf(explained)));
      else print(command, explained, at > 0, io);
    }
    return EXIT.done;
  } finally {
    await opened.dispose();
  }
}

/** A line may be JSON, so that a command of several lines fits on one: a string, or an object with `command`. */
function commandOf(line: string): string {
  if (!/^\s*(?:"|\{\s*")/.test(line)) return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // No JSON: a command of its own that begins with a quote.
    return line;
  }
  const command = typeof value === 'object' && value !== null ? (value as { command?: unknown }).command : value;
  return typeof command === 'string' ? command : line;
}

function factsOf({ decision: { decision, stage, rule, why } }: Explained) {
  return { decision, stage, rule, why };
}

function print(command: string, { decision, parts }: Explained, isNext: boolean, io: Io): void {
  const paint = painter(io.world.env, io.out.isTerminal);
  const words = { allow: paint.good('allow'), ask: paint.accent('ask'), deny: paint.bad('deny') };
  const shown = (text: string): string => visibleText(text).replaceAll('\n', '\n  ');
  if (isNext) io.out.line('');
  io.out.line(`$ ${shown(command)}`);
  io.out.line(`${words[decision.decision]}: ${shown(decision.why)}`);
  io.out.line(paint.dim(`stage ${decision.stage}, rule ${shown(decision.rule)}`));
  if (parts.length < 2) return;
  for (const part of parts)
    io.out.line(`  ${words[part.decision]}  ${shown(part.text)}  ${paint.dim(shown(part.why))}`);
}
