import type { IndexReport, RefreshReport } from '@black-ide/intel';
import { type OpenedCode, withCode } from '../code/with-code.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black index`: brings the index up to date and tells what is in it (INT-5). */
export function indexCode({ json }: { json: boolean }, io: Io): Promise<number> {
  return withCode(io, async (code) => {
    await code.intel.embedded(code.signal);
    const report = code.intel.report();
    const { refreshed, folder } = code;
    if (json) {
      const { root } = code.intel;
      io.out.line(JSON.stringify({ root, folder: folder ?? null, ...report, refreshed }, undefined, 2));
    } else print(code, report, io);
    return EXIT.done;
  });
}

function print({ refreshed, folder }: OpenedCode, report: IndexReport, io: Io): void {
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const paint = painter(io.world.env, io.out.isTerminal);
  const line = (text: string, style = (each: string) => each): void => io.out.line(style(fitWidth(text, columns)));
  const number = (count: number): string => count.toLocaleString('en-US');
  line(lookedAt(refreshed), paint.bold);
  const rows: [string, string][] = [
    ['Files', `${number(report.files)}: ${statesOf(report)}`],
    ['Symbols', number(report.symbols)],
    ['Uses', number(report.references)],
    ['Chunks', `${number(report.chunks)} to search in`],
    ['Source', size(report.sourceBytes)],
    ['Kept in', folder === undefined ? 'memory only' : visibleLine(folder)],
  ];
  for (const [name, value] of rows) line(`${name.padEnd(9)}${value}`);
  if (report.notes.length === 0) return;
  const total = report.skipped + report.unreadable;
  io.out.line('');
  line(
    `Left out, or not read in full${total > report.notes.length ? ` (the first ${report.notes.length} of ${total})` : ''}:`,
    paint.bold,
  );
  const width = Math.min(60, Math.max(...report.notes.map(({ path }) => widthOf(visibleLine(path)))));
  for (const { path, why } of report.notes) {
    const shown = visibleLine(path);
    line(`  ${shown}${' '.repeat(Math.max(0, width - widthOf(shown)))}  ${visibleLine(why)}`);
  }
}

const REBUILT: Readonly<Record<NonNullable<RefreshReport['rebuilt']>, string>> = {
  none: '',
  damaged: ' anew, since what was stored is damaged',
  'foreign version': ' anew, for this version of black',
  'other workspace': ' anew, since what was stored is of another folder',
};

function lookedAt({ added, changed, removed, took, rebuilt }: RefreshReport): string {
  const seconds = `${(took / 1000).toFixed(took < 10_000 ? 2 : 0)} s`;
  if (rebuilt !== undefined) return `Indexed in ${seconds}${REBUILT[rebuilt]}.`;
  if (added + changed + removed === 0) return `Up to date; looked at in ${seconds}.`;
  return `Brought up to date in ${seconds}: ${added} added, ${changed} changed, ${removed} removed.`;
}

function statesOf({ parsed, partial, text, skipped, binary, unreadable }: IndexReport): string {
  const states: [number, string][] = [
    [parsed, 'parsed'],
    [partial, 'with syntax errors'],
    [text, 'text without symbols'],
    [skipped, 'searched as text only'],
    [binary, 'binary'],
    [unreadable, 'unreadable'],
  ];
  return states
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`)
    .join(', ');
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
