import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Severity } from '../wire/diagnostic.ts';
import { DiagnosticsLedger } from './diagnostics-ledger.ts';

const at = (line: number, message: string, severity: Severity = 1, code?: string): Diagnostic => ({
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  severity,
  message,
  ...(code === undefined ? {} : { code }),
});

/** What is told now, as `kind file:line message`. */
const told = (ledger: DiagnosticsLedger, limit = 20) =>
  ledger.take(limit).lines.map(({ kind, path, diagnostic }) => {
    return `${kind} ${path}:${diagnostic.range.start.line} ${diagnostic.message}`;
  });

describe('DiagnosticsLedger', () => {
  it('INT-17 tells what is new, once', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [], true);
    ledger.update('s', 'a', [at(3, 'bad')]);
    expect(told(ledger)).toEqual(['new a:3 bad']);
    expect(told(ledger)).toEqual([]);
    ledger.update('s', 'a', [at(3, 'bad')]);
    expect(told(ledger)).toEqual([]);
  });

  it('INT-17 does not tell again what has only moved', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(1, 'old'), at(9, 'warned', 2)], false);
    ledger.update('s', 'a', [at(11, 'old'), at(19, 'warned', 2), at(30, 'bad')]);
    expect(told(ledger)).toEqual(['new a:30 bad']);
    ledger.update('s', 'a', [at(12, 'old'), at(20, 'warned', 2), at(31, 'bad')]);
    expect(told(ledger)).toEqual([]);
  });

  it('INT-17 overlooks places that a message speaks of: they move as well', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(1, 'declared at a.c:12:3'), at(2, 'see line 7'), at(3, 'expected 2 arguments')], false);
    ledger.update('s', 'a', [at(4, 'declared at a.c:99:3'), at(5, 'see line 10'), at(6, 'expected 3 arguments')]);
    expect(told(ledger)).toEqual(['new a:6 expected 3 arguments']);
  });

  it('INT-17 tells a second one with the same message, and where that is', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(5, 'same')], false);
    ledger.update('s', 'a', [at(2, 'same'), at(5, 'same')]);
    expect(told(ledger)).toEqual(['new a:2 same']);
    ledger.update('s', 'a', [at(2, 'same'), at(5, 'same'), at(7, 'same')]);
    expect(told(ledger)).toEqual(['new a:7 same']);
  });

  it.each([0, 1])('INT-17 tells one that was mended and comes back, whether it was there at first (%i)', (before) => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', before ? [at(1, 'bad')] : [], false);
    ledger.update('s', 'a', [at(1, 'bad')]);
    told(ledger);
    ledger.update('s', 'a', []);
    ledger.update('s', 'a', [at(1, 'bad')]);
    expect(told(ledger)).toEqual(['new a:1 bad']);
  });

  it('INT-17 tells apart by severity, code and message', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(1, 'x', 1, '1')], false);
    ledger.update('s', 'a', [at(1, 'x', 1, '1'), at(1, 'x', 1, '2'), at(1, 'x', 2, '1'), at(1, 'y', 1, '1')]);
    expect(told(ledger)).toHaveLength(3);
  });

  it('INT-17 tells errors that were there before once, marked, behind the new ones', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(1, 'old'), at(2, 'old warning', 2)], true);
    ledger.base('s', 'b', [at(1, 'not asked for')], false);
    ledger.update('s', 'a', [at(1, 'old'), at(2, 'old warning', 2), at(9, 'new warning', 2)]);
    expect(told(ledger)).toEqual(['new a:9 new warning', 'earlier a:1 old']);
    ledger.base('s', 'a', [at(1, 'old')], true);
    expect(told(ledger)).toEqual([]);
  });

  it('INT-17 tells errors first and no hints', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'b', [], true);
    ledger.base('s', 'a', [], true);
    ledger.update('s', 'b', [at(1, 'hint', 4), at(2, 'info', 3), at(3, 'warning', 2), at(4, 'error')]);
    ledger.update('s', 'a', [at(8, 'warning', 2), at(9, 'error'), at(1, 'error too')]);
    expect(told(ledger)).toEqual([
      ...['new a:1 error too', 'new a:9 error', 'new b:4 error'],
      ...['new a:8 warning', 'new b:3 warning', 'new b:2 info'],
    ]);
  });

  it('INT-17 counts what the limit cuts off, and tells it later', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(99, 'old')], true);
    ledger.update('s', 'a', [at(99, 'old'), ...Array.from({ length: 25 }, (_, line) => at(line, `bad ${line}`))]);
    const first = ledger.take(20);
    expect([first.lines.length, first.more]).toEqual([20, 6]);
    expect(told(ledger, 3)).toEqual(['new a:20 bad 20', 'new a:21 bad 21', 'new a:22 bad 22']);
    expect(told(ledger)).toEqual(['new a:23 bad 23', 'new a:24 bad 24', 'earlier a:99 old']);
  });

  it('INT-16 says of what it has no baseline for that it is perhaps new', () => {
    const ledger = new DiagnosticsLedger();
    ledger.update('s', 'a', [at(1, 'who knows')]);
    expect(told(ledger)).toEqual(['perhaps a:1 who knows']);
    ledger.update('s', 'a', [at(1, 'who knows'), at(2, 'surely')]);
    expect(told(ledger)).toEqual(['new a:2 surely']);
  });

  it('INT-16 takes a new baseline: what is there by then is earlier, what was new and not told stays new', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [], false);
    ledger.update('s', 'a', [at(1, 'mine'), at(2, 'mine too')]);
    expect(told(ledger, 1)).toEqual(['new a:1 mine']);
    ledger.base('s', 'a', [at(1, 'mine'), at(2, 'mine too'), at(3, 'by hand')], false);
    expect(told(ledger)).toEqual(['new a:2 mine too']);
  });

  it('INT-17 follows a file to its new name and forgets one that is gone', () => {
    const ledger = new DiagnosticsLedger();
    ledger.base('s', 'a', [at(1, 'old')], false);
    ledger.base('t', 'a', [], false);
    ledger.rename('a', 'b');
    ledger.update('s', 'b', [at(1, 'old')]);
    ledger.update('t', 'b', [at(1, 'bad')]);
    expect(told(ledger)).toEqual(['new b:1 bad']);
    ledger.forget('b');
    ledger.base('s', 'b', [], false);
    ledger.update('s', 'b', [at(1, 'old')]);
    expect(told(ledger)).toEqual(['new b:1 old']);
  });

  it('INT-17 tells exactly the growth of each count, whatever moves, comes and goes', () => {
    const message = fc.constantFrom('x', 'y', 'z');
    const list = fc.array(fc.tuple(fc.nat({ max: 9 }), message), { maxLength: 8 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('update' as const), list }),
      fc.record({ kind: fc.constant('base' as const), list }),
      fc.record({ kind: fc.constant('take' as const), list: fc.constant([]) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const ledger = new DiagnosticsLedger();
        ledger.base('s', 'a', [], false);
        // Of each message: how many there are, and how many of them are new and not told.
        const model = new Map(['x', 'y', 'z'].map((name) => [name, { present: 0, fresh: 0, toldNew: 0 }]));
        for (const { kind, list } of steps) {
          if (kind === 'take') {
            const counts = Object.groupBy(ledger.take(100).lines, ({ diagnostic }) => diagnostic.message);
            for (const [name, each] of model) {
              expect(counts[name]?.length ?? 0).toBe(each.fresh - each.toldNew);
              each.toldNew = each.fresh;
            }
            continue;
          }
          ledger[kind](
            's',
            'a',
            list.map(([line, text]) => at(line, text)),
            false,
          );
          for (const [name, each] of model) {
            const present = list.filter(([, text]) => text === name).length;
            const earlier = Math.min(each.present - each.fresh, present);
            each.fresh = kind === 'update' ? present - earlier : Math.min(each.fresh, present);
            each.present = present;
            each.toldNew = Math.min(each.toldNew, each.fresh);
          }
        }
      }),
    );
  });
});
