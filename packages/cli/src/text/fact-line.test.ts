import { describe, expect, it } from 'vitest';
import { drawFact } from './draw-fact.ts';
import { factLine } from './fact-line.ts';
import { widthOf } from './fit-width.ts';
import { painter } from './painter.ts';

const plain = painter({}, false);

function line(name: string, args: Record<string, unknown>, details: unknown, text = '', isError = false): string {
  const fact = factLine({ name, args, text, details, isError });
  return fact ? drawFact(fact, 80, plain) : '';
}

describe('factLine', () => {
  it('IDE-65 tells what the sandbox kept a command from', () => {
    const details = { exitCode: 1, seconds: 1, blockedHosts: ['a.org:443', 'b.org:80'], setAside: [{}] };
    expect(line('run_command', { command: 'x' }, details)).toBe(
      '▸ $ x ✗ exit code 1 · 1.0 s · blocked a.org:443 and 1 more · 1 taken out',
    );
    expect(line('run_command', { command: 'x' }, { exitCode: 0, seconds: 1, blockedHosts: 'x', setAside: 1 })).toBe(
      '▸ $ x ✓ · 1.0 s',
    );
  });

  it('IDE-65 tells a person what was lost in the sandbox, and what allows a host', () => {
    const notes = (details: object) =>
      factLine({ name: 'run_command', args: { command: 'x' }, text: '', isError: false, details })?.notes;
    const details = { exitCode: 0, seconds: 1 };
    expect(notes({ ...details, homeWrites: ['~/a\u001b', '~/b', '~/c', '~/d', '~/e'] })).toEqual([
      'written only inside the sandbox: ~/a␛, ~/b, ~/c, ~/d and 1 more; to keep it the command has to run outside (unsandboxed)',
    ]);
    const allowHosts = { file: '~/.blackide/settings.json', text: '"sandbox.allowedHosts": ["a.org"]' };
    expect(notes({ ...details, allowHosts })).toEqual([
      'to allow it: "sandbox.allowedHosts": ["a.org"] in ~/.blackide/settings.json',
    ]);
    expect(notes({ ...details, homeWrites: 1, allowHosts: 'x' })).toBeUndefined();
    expect(line('run_command', { command: 'x' }, { exitCode: 1, seconds: 1, readOnly: true })).toBe(
      '▸ $ x ✗ exit code 1 · 1.0 s · read-only in the sandbox',
    );
  });

  it('INT-16 tells how many new problems a change has brought', () => {
    const changed = (details: object) => line('edit_file', { path: 'a.ts' }, details);
    expect(changed({ added: 1, removed: 1, problems: 2 })).toBe('✎ a.ts +1 −1 · 2 new problems');
    expect(changed({ kind: 'created', added: 1, problems: 1 })).toBe('✎ a.ts · created, 1 line · 1 new problem');
    expect(line('lsp', { operation: 'type_definition', path: 'a.ts', symbol: 'x' }, { hits: 2 })).toBe(
      '▸ Asked for type definition of x · 2 hits',
    );
    expect(line('lsp', { operation: 'status' }, { hits: 0 })).toBe('▸ Asked for status');
  });

  it('IDE-65 marks a command that ran without a sandbox', () => {
    const details = { exitCode: 0, seconds: 1, unsandboxed: true };
    expect(line('run_command', { command: 'ls' }, details)).toBe('▸ $ ls ✓ · 1.0 s · unsandboxed');
    expect(line('run_command', { command: 'ls', background: true }, { unsandboxed: true })).toBe(
      '▸ $ ls & · unsandboxed',
    );
    expect(line('run_command', { command: 'ls' }, { seconds: 1, unsandboxed: true }, '', true)).toBe(
      '✗ $ ls cancelled · 1.0 s · unsandboxed',
    );
  });

  it('IDE-74 tells each built-in tool in the words of the work', () => {
    expect(line('read_file', { path: 'a.ts' }, { kind: 'read', from: 40, to: 41, lines: 90 })).toBe(
      '▸ Read a.ts 40–41',
    );
    expect(line('read_file', { path: 'empty' }, { kind: 'read', lines: 0 })).toBe('▸ Read empty');
    expect(line('list_directory', {}, { kind: 'list', path: '.', entries: 2 })).toBe('▸ Listed . · 2 entries');
    expect(line('grep_search', { pattern: 'save' }, { matches: 14, files: 3 })).toBe('▸ Searched "save" · 14 hits');
    expect(line('grep_search', { pattern: 'x', path: 'src' }, { matches: 1 })).toBe('▸ Searched "x" in src · 1 hit');
    expect(line('codebase_search', { query: 'save a note' }, { hits: 3 })).toBe(
      '▸ Searched the code "save a note" · 3 places',
    );
    expect(line('code_graph', { action: 'callers', symbol: 'save' }, { found: 2 })).toBe('▸ Callers of save · 2');
    expect(line('code_graph', { symbol: 'save' }, {})).toBe('▸ Look up save');
    expect(line('code_graph', { action: 'path', symbol: 'a', to: 'b' }, { found: 3 })).toBe('▸ Way from a to b · 3');
    expect(line('edit_file', { path: 'a.ts' }, { kind: 'modified', added: 12, removed: 3 })).toBe('✎ a.ts +12 −3');
    expect(line('write_file', { path: 'a.ts' }, { kind: 'created', added: 1, removed: 0 })).toBe(
      '✎ a.ts · created, 1 line',
    );
    expect(line('run_command', { command: 'npm test' }, { exitCode: 0, seconds: 3.24 })).toBe('▸ $ npm test ✓ · 3.2 s');
    expect(line('run_command', { command: 'false' }, { exitCode: 1, seconds: 0 })).toBe(
      '▸ $ false ✗ exit code 1 · 0.0 s',
    );
    expect(line('run_command', { command: 'x' }, { exitCode: null, seconds: 1 })).toBe(
      '▸ $ x ✗ ended by a signal · 1.0 s',
    );
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** Delete File: b.ts\n*** End Patch';
    expect(line('apply_patch', { patch }, { kind: 'patch', added: 1, removed: 2 })).toBe('✎ Patch a.ts, b.ts +1 −2');
    expect(line('apply_patch', { patch: '--- a/x\n+++ b/x\t2026\n' }, undefined)).toBe('✎ Patch x');
    expect(line('run_command', { command: 'npm start', background: true }, {})).toBe('▸ $ npm start &');
    expect(line('command_output', { id: 'bg1' }, {})).toBe('▸ Output of bg1');
    expect(line('update_plan', {}, { kind: 'plan', done: 1, total: 3 })).toBe('▸ Plan · 1 of 3 steps done');
    expect(line('web_search', { query: 'x' }, { hits: 0 })).toBe('▸ Searched the web "x" · 0 hits');
    expect(line('web_fetch', { url: 'https://a.org' }, {})).toBe('▸ Fetched https://a.org');
    const launch = { action: 'launch', command: 'node --test a.ts' };
    const stopped = { kind: 'debug', state: 'stopped', reason: 'exception', place: 'a.ts', line: 7 };
    expect(line('debug', launch, stopped)).toBe('▸ Debug: launch node --test a.ts · exception at a.ts:7');
    expect(line('debug', { action: 'step_over' }, { state: 'ended', exitCode: 1 })).toBe(
      '▸ Debug: step over · exit code 1',
    );
    expect(line('debug', { action: 'set', ref: 1, name: 'n', expression: '2' }, null)).toBe('▸ Debug: set n = 2');
    expect(line('debug', { action: 'break', breakpoints: ['a:1', 'f'] }, { state: 'running' })).toBe(
      '▸ Debug: break a:1, f · running',
    );
    expect(line('remember', { kind: 'term', title: 'Log' }, {})).toBe('✎ Remember term "Log"');
    expect(line('unknown', { note: 'n', deep: { a: 1 } }, undefined)).toBe('▸ unknown note: n, deep: {"a":1}');
    const cut = { isError: true, name: 'run_command', args: { command: 'npm test' }, text: 'some\noutput' };
    expect(factLine({ ...cut, details: { kind: 'command', seconds: 5.21, exitCode: null } })).toMatchObject({
      text: '✗ $ npm test',
      tail: 'cancelled · 5.2 s',
    });
    expect(factLine({ ...cut, details: { seconds: 120, timedOut: true } })?.tail).toBe('timed out · 120.0 s');
    expect(line('complete_task', { message: 'done' }, undefined)).toBe('');
  });

  it('tells as much as it can where the details are missing or odd', () => {
    expect(line('read_file', { path: 'a' }, undefined)).toBe('▸ Read a');
    expect(line('grep_search', {}, { matches: 'many' })).toBe('▸ Searched ""');
    expect(line('edit_file', { path: 'a' }, null)).toBe('✎ a');
    expect(line('run_command', { command: 'x' }, { seconds: '\u001b[2J' })).toBe('▸ $ x');
  });

  it('§4-20 shows a failed call as a failure', () => {
    expect(line('edit_file', { path: 'a.ts' }, undefined, 'Not found.\nNearest: …', true)).toBe(
      '✗ Edit a.ts: Not found.',
    );
    expect(factLine({ name: 'x', args: {}, text: '', isError: true })?.tone).toBe('failure');
  });

  it('keeps what steers a terminal out of the line', () => {
    expect(line('run_command', { command: 'echo \u001b[2J\n\u202ex' }, {})).toBe('▸ $ echo ␛[2J <U+202E>x');
    expect(line('constructor', { __proto__: 1 }, {})).toBe('▸ constructor');
  });

  it('IDE-88 keeps how it went when the line is cut, down to nothing', () => {
    const fact = factLine({
      name: 'run_command',
      args: { command: 'x'.repeat(300) },
      text: '',
      details: { exitCode: 1, seconds: 3.2 },
      isError: false,
    })!;
    expect(drawFact(fact, 40, plain)).toMatch(/^▸ \$ x+… ✗ exit code 1 · 3.2 s$/);
    for (let columns = 1; columns < 60; columns++) {
      expect(widthOf(drawFact(fact, columns, plain))).toBeLessThanOrEqual(Math.max(columns, 2));
    }
  });
});
