import { describe, expect, it } from 'vitest';
import { COMMANDS, commandSpec } from './command-specs.ts';
import { helpText } from './help-text.ts';
import { parseInvocation } from './parse-invocation.ts';

describe('helpText', () => {
  it.each(COMMANDS.map((spec) => [spec.name || 'black', spec] as const))(
    'IDE-84 shows usage, options and examples of %s',
    (_name, spec) => {
      const help = helpText(spec, 80);
      expect(help).toContain('Usage:');
      expect(help).toContain('Examples:');
      for (const flag of spec.flags) expect(help).toContain(`--${flag.name}`);
      for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it('IDE-84 lists every command, and nothing that does not exist', () => {
    const help = helpText(commandSpec('')!, 80);
    for (const { name } of COMMANDS) expect(help).toContain(name.split(' ')[0]);
    expect(help).not.toMatch(/\b(acp|serve|pipeline|schedule)\b/);
  });

  it('IDE-84 gives examples that the parser accepts', () => {
    for (const { line } of COMMANDS.flatMap((spec) => spec.examples)) {
      const words = line
        .slice(line.indexOf('black '))
        .split(' | ')[0]!
        .match(/"[^"]*"|\S+/g)!
        .slice(1);
      const argv = words.map((word) => word.replace(/^"|"$/g, ''));
      expect(() => parseInvocation(argv), line).not.toThrow();
    }
  });

  it('IDE-88 fits 40 columns, and survives one', () => {
    for (const spec of COMMANDS) {
      const prose = helpText(spec, 40)
        .split('\n')
        .filter((line) => !/^ {2}(black|npm|echo)/.test(line));
      for (const line of prose) expect(line.length, line).toBeLessThanOrEqual(40);
      expect(helpText(spec, 1)).toContain('Usage:');
      expect(helpText(spec, 0)).toContain('Usage:');
    }
  });
});
