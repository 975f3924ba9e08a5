import { describe, expect, it } from 'vitest';
import { drawFact } from './draw-fact.ts';
import { factLine } from './fact-line.ts';
import { widthOf } from './fit-width.ts';
import { painter } from './painter.ts';

const plain = painter({}, false);

function line(name: string, args: Record<string, unknown>, text: string, isError = false): string {
  const fact = factLine({ name, args, text, isError });
  return fact ? drawFact(fact, 80, plain) : '';
}

describe('factLine', () => {
  it('IDE-74 tells each built-in tool in the words of the work', () => {
    expect(line('read_file', { path: 'a.ts' }, '40\tx\n41\ty\n[lines 40-41 of 90; read on with offset 42]')).toBe(
      '▸ Read a.ts 40–41',
    );
    expect(line('read_file', { path: 'empty' }, '')).toBe('▸ Read empty');
    expect(line('list_directory', {}, 'a\nb/')).toBe('▸ Listed .');
    expect(line('grep_search', { pattern: 'save' }, 'a:1:save\n[14 matches in 3 files]')).toBe(
      '▸ Searched "save" · 14 hits',
    );
    expect(line('grep_search', { pattern: 'x', path: 'src' }, 'a:1:x\n[1 match in 1 file]')).toBe(
      '▸ Searched "x" in src · 1 hit',
    );
    expect(line('grep_search', { pattern: 'x' }, '[no matches]')).toBe('▸ Searched "x" · no hits');
    expect(line('edit_file', { path: 'a.ts' }, 'Edited a.ts (+12 −3), matched by exact.')).toBe('✎ a.ts +12 −3');
    expect(line('write_file', { path: 'a.ts' }, 'Created a.ts (1 lines).')).toBe('✎ a.ts · created, 1 line');
    expect(line('run_command', { command: 'npm test' }, 'ok\n[exit code 0, 3.2 s]')).toBe('▸ $ npm test ✓ · 3.2 s');
    expect(line('run_command', { command: 'false' }, '[exit code 1, 0.1 s]')).toBe('▸ $ false ✗ exit code 1 · 0.1 s');
    expect(line('remember', { note: 'n', deep: { a: 1 } }, 'ok')).toBe('▸ remember n {"a":1}');
    expect(line('complete_task', { message: 'done' }, 'done')).toBe('');
  });

  it('§4-20 shows a failed call as a failure', () => {
    expect(line('edit_file', { path: 'a.ts' }, 'Not found.\nNearest: …', true)).toBe('✗ Edit a.ts: Not found.');
    expect(factLine({ name: 'x', args: {}, text: '', isError: true })?.tone).toBe('failure');
  });

  it('keeps what steers a terminal out of the line', () => {
    expect(line('run_command', { command: 'echo \u001b[2J\n\u202ex' }, '')).toBe('▸ $ echo <U+202E>x');
    expect(line('constructor', { __proto__: 1 }, 'x')).toBe('▸ constructor');
  });

  it('IDE-88 keeps how it went when the line is cut, down to nothing', () => {
    const fact = factLine({
      name: 'run_command',
      args: { command: 'x'.repeat(300) },
      text: '[exit code 1, 3.2 s]',
      isError: false,
    })!;
    expect(drawFact(fact, 40, plain)).toMatch(/^▸ \$ x+… ✗ exit code 1 · 3.2 s$/);
    for (let columns = 1; columns < 60; columns++) {
      expect(widthOf(drawFact(fact, columns, plain))).toBeLessThanOrEqual(Math.max(columns, 2));
    }
  });
});
