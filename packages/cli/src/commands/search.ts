import type { ShownHit } from '@black-ide/intel';
import type { CodeSearchInvocation } from '../args/parse-code.ts';
import { relativeName } from '../code/relative-name.ts';
import { withCode } from '../code/with-code.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black search`: where is code about this (INT-8, INT-13). */
export function search({ query, limit, path, json }: CodeSearchInvocation, io: Io): Promise<number> {
  return withCode(io, async ({ intel, signal }) => {
    const { shownHits } = await import('@black-ide/intel');
    const below = path === undefined ? undefined : relativeName(path, intel.root).replace(/\/+$/, '');
    const where = below === undefined || below === '.' ? {} : { path: below };
    const hits = shownHits(intel, await intel.index.search(query, { limit, ...where, signal }));
    if (json) io.out.line(JSON.stringify(hits, undefined, 2));
    else if (hits.length === 0) io.err.line(nothing(query, below));
    else print(hits, io);
    return hits.length > 0 ? EXIT.done : EXIT.failed;
  });
}

function nothing(query: string, path: string | undefined): string {
  const where = path === undefined ? '' : ` in ${visibleLine(path)}`;
  return `Nothing${where} has a word of “${visibleLine(query)}”.`;
}

/** Each hit on two lines: its place, symbol and why it was found, then the line of code that says most. */
function print(hits: readonly ShownHit[], io: Io): void {
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const paint = painter(io.world.env, io.out.isTerminal);
  const width = String(hits.length).length;
  for (const { rank, path, startLine, endLine, symbol, score, why, code } of hits) {
    const place = visibleLine(`${path}:${startLine}-${endLine}`);
    const name = symbol ? visibleLine(symbol) : '';
    const reason = visibleLine(`${why.words.join(', ')}${why.rankers.includes('meaning') ? ', meaning' : ''}`);
    const head = `${String(rank).padStart(width)}  `;
    const plain = `${head}${place}${name ? `  ${name}` : ''}  ${score.toFixed(1)}: ${reason}`;
    const isCut = fitWidth(plain, columns) !== plain;
    const painted = `${head}${paint.code(place)}${name ? `  ${paint.bold(name)}` : ''}  ${paint.dim(`${score.toFixed(1)}: ${reason}`)}`;
    io.out.line(isCut ? fitWidth(plain, columns) : painted);
    if (code)
      io.out.line(paint.dim(fitWidth(`${' '.repeat(width + 2)}${code.line}: ${visibleLine(code.text)}`, columns)));
  }
}
