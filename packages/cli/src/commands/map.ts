import type { RepoMap } from '@black-ide/intel';
import type { MapInvocation } from '../args/parse-code.ts';
import { withCode } from '../code/with-code.ts';
import { CliFailure, EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { type Painter, painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black map`: the repository on a page (INT-14). */
export function map(invocation: MapInvocation, io: Io): Promise<number> {
  return withCode(io, async ({ intel, signal }) => {
    const { repoMap } = await import('@black-ide/intel');
    const { tokens, for: task, json } = invocation;
    const made = repoMap(intel, { tokens, ...(task === undefined ? {} : { for: task }), signal });
    if (json) io.out.line(JSON.stringify(made, undefined, 2));
    else if (made.text === '') throw nothingToMap(tokens, intel.graph.symbolCount);
    else print(made, io);
    return EXIT.done;
  });
}

function print({ text }: RepoMap, io: Io): void {
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const paint = painter(io.world.env, io.out.isTerminal);
  for (const line of text.split('\n')) io.out.line(painted(line, columns, paint));
}

/** A line number steps back behind its signature, and a path stands out. Indentation stays. */
function painted(line: string, columns: number, paint: Painter): string {
  const [, indent = '', number = '', depth = '', text = ''] = /^( *)(\d+:)?( *)(.*)$/s.exec(line)!;
  const fitted = fitWidth(indent + number + depth + visibleLine(text), columns);
  if (number !== '')
    return paint.dim(fitted.slice(0, indent.length + number.length)) + fitted.slice(indent.length + number.length);
  return /^\S+$/.test(fitted) ? paint.code(fitted) : fitted;
}

function nothingToMap(tokens: number, symbols: number): CliFailure {
  return symbols === 0
    ? new CliFailure({
        code: 'nothing_to_map',
        message: 'There is no file here in a language whose symbols are known.',
        next: 'black index says what was found.',
      })
    : new CliFailure({
        code: 'nothing_to_map',
        message: `Not one symbol fits into ${tokens} tokens.`,
        next: 'Give it more: --tokens 500.',
      });
}
