import { describe, expect, it } from 'vitest';
import { parseInvocation } from './parse-invocation.ts';

const parse = (line: string) => parseInvocation(line.split(' '));

describe('the commands about code', () => {
  it.each([
    ['graph saveNote', { command: 'graph', action: 'explain', of: 'saveNote', output: 'text' }],
    ['graph saveNote --callers --json', { action: 'callers', of: 'saveNote', output: 'json' }],
    ['graph a.ts:12 --callees --dot', { action: 'callees', of: 'a.ts:12', output: 'dot' }],
    ['graph --references saveNote -n 5', { action: 'references', of: 'saveNote', limit: 5 }],
    ['graph saveNote --impact 2', { action: 'impact', depth: 2 }],
    ['graph saveNote --impact', { action: 'impact', of: 'saveNote' }],
    ['graph saveNote --tests', { action: 'tests' }],
    ['graph main --path-to saveNote', { action: 'path', of: 'main', to: 'saveNote' }],
    ['graph --dead', { action: 'dead', output: 'text' }],
    ['graph src --dead', { action: 'dead', of: 'src' }],
    ['search retry after a limit', { command: 'search', query: 'retry after a limit', limit: 10, json: false }],
    ['search -k 3 --path src retry --json', { query: 'retry', limit: 3, path: 'src', json: true }],
    ['map', { command: 'map', tokens: 1500, json: false }],
    ['map --tokens 200 --for notes', { tokens: 200, for: 'notes' }],
    ['index --json', { command: 'index', json: true }],
    ['mcp', { command: 'mcp' }],
    ['mcp ..', { command: 'mcp', folder: '..' }],
  ])('INT-6 black %s', (line, invocation) => {
    expect(parse(line)).toMatchObject(invocation);
  });

  it.each([
    ['graph', /needs a symbol or a file/],
    ['graph a b', /does not take "b"/],
    ['graph a --callers --tests', /ask one at a time/],
    ['graph a --json --dot', /give one of them/],
    ['graph a --impact 0', /--impact is a whole number from 1 to 20; not "0"/],
    ['graph a --impact x', /not "x"/],
    ['graph a --path-to', /--path-to needs a value/],
    ['graph a --limit -1', /--limit needs a value/],
    ['graph a --caller', /Did you mean --callers|has no option "--caller"/],
    ['search', /needs more/],
    ['search -k 0 x', /--limit is a whole number from 1 to 1000/],
    ['map --tokens many', /--tokens is a whole number/],
    ['map src', /does not take "src"/],
    ['mcp a b', /does not take "b"/],
  ])('INT-6 refuses black %s', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });
});
