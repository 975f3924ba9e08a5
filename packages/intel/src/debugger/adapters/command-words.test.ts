import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine, plainCommand } from './command-words.ts';

const word = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

describe('plainCommand', () => {
  it.each([
    ['node --test a.test.ts', 'node', ['--test', 'a.test.ts'], {}],
    [`python3 -m pytest 'a b.py' "c \\"d\\""`, 'python3', ['-m', 'pytest', 'a b.py', 'c "d"'], {}],
    ['  A=1 B="two words"  ./app  x\\ y ""', './app', ['x y', ''], { A: '1', B: 'two words' }],
    ["go test -run 'TestA|TestB' ./...", 'go', ['test', '-run', 'TestA|TestB', './...'], {}],
  ])('INT-31 takes apart: %s', (line, program, args, env) => {
    expect(plainCommand(line)).toEqual({ program, args, env });
  });

  it.each([
    'a | b',
    'a && b',
    'a; b',
    'a > b',
    'a $B',
    'a "$B"',
    'a `b`',
    'a *',
    'a ~',
    "a 'b",
    'a\nb',
    'a # b',
    '(a)',
  ])('INT-31 leaves to a shell: %j', (line) => {
    expect(plainCommand(line)).toBe(undefined);
  });

  it('INT-31 refuses a line without a program', () => {
    for (const line of ['', '  ', 'A=1']) expect(() => plainCommand(line)).toThrow('There is no command to debug.');
  });

  it('INT-31 reads back what commandLine writes, whatever the words are', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const line = commandLine(words);
        const read = plainCommand(line);
        const [program, ...args] = words;
        if (!/^[A-Za-z_]\w*=/.test(program!)) expect(read).toEqual({ program, args, env: {} });
      }),
    );
  });

  it('INT-31 quotes as a shell reads it', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const script = `printf '%s\\0' ${commandLine(words)}`;
        const { stdout } = spawnSync('/bin/sh', ['-c', script]);
        expect(stdout.toString('utf8').split('\0').slice(0, -1)).toEqual(words.map((each) => each.toWellFormed()));
      }),
      { numRuns: 30 },
    );
  });
});
