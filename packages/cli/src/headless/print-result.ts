import type { OutputFormat } from '../args/parse-invocation.ts';
import type { Io } from '../io.ts';
import { visibleText } from '../text/visible-text.ts';
import type { RunResult } from './run-result.ts';

/** Prints a result to stdout, which gets nothing else: as text only the final answer of a task that is done. */
export function printResult(result: RunResult, output: OutputFormat, { out }: Io): void {
  if (output === 'json') out.line(JSON.stringify(result));
  else if (output === 'stream-json') out.line(JSON.stringify({ type: 'Result', ...result }));
  else if (result.outcome === 'completed' && result.result !== '') {
    const text = out.isTerminal ? visibleText(result.result) : result.result;
    out.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}
