import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatterFilter, nodeOptions } from './bootloader.ts';

const CHATTER = [
  'Debugger listening on ws://127.0.0.1:36817/ef0e7354-8e6e-4ed8-b9fd-5866d1cf7ca7\n',
  'For help, see: https://nodejs.org/learn/getting-started/debugging\n',
  'Debugger ending on ws://127.0.0.1:36817/ef0e7354-8e6e-4ed8-b9fd-5866d1cf7ca7\n',
  'Debugger attached.\n',
  'Waiting for the debugger to disconnect...\n',
];

function filtered(pieces: readonly string[]): string {
  const filter = new ChatterFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('ChatterFilter', () => {
  it('INT-31 takes out what Node prints about being debugged, however it is cut, and nothing else', () => {
    const own = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }).map((text) => `${text.replaceAll('\n', '')}\n`),
        fc.constantFrom('Debugger is what I am\n', 'For help, see: the manual\n', 'D\n', '\n', 'Waiting for the day\n'),
      ),
    );
    fc.assert(
      fc.property(own, fc.string(), fc.infiniteStream(fc.nat({ max: 12 })), (lines, last, sizes) => {
        const tail = last.replaceAll('\n', '');
        const mixed =
          lines.flatMap((line, at) => (at % 2 ? [line, CHATTER[at % CHATTER.length]!] : [line])).join('') + tail;
        const pieces: string[] = [];
        for (let at = 0; at < mixed.length; ) {
          const size = 1 + (sizes.next().value ?? 0);
          pieces.push(mixed.slice(at, at + size));
          at += size;
        }
        expect(filtered(pieces)).toBe(lines.join('') + tail);
      }),
    );
  });

  it('INT-31 holds back only what may become such a line', () => {
    const filter = new ChatterFilter();
    expect(filter.push('prompt> ')).toBe('prompt> ');
    expect(filter.push('\nDebugger att')).toBe('\n');
    expect(filter.push('acks\n')).toBe('Debugger attacks\n');
    expect(filter.push(`Debugger listening on ws://${'x'.repeat(500)}`)).toContain('xxx');
  });
});

describe('nodeOptions', () => {
  it('INT-31 quotes the folder, and keeps what a person has there', () => {
    expect(nodeOptions('/a b/"c"\\d', '--trace-warnings')).toBe(
      '--trace-warnings --require "/a b/\\"c\\"\\\\d/black-debug-attach.cjs"',
    );
    expect(nodeOptions('/x', undefined)).toBe('--require "/x/black-debug-attach.cjs"');
  });
});
