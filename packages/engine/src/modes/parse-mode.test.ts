import { problemText } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMode } from './parse-mode.ts';

const problems = (text: string) => parseMode(text, 'm.md').problems.map(problemText);
const WHOLE = `---
name: Docs
description: Writes the manual
model: openai/gpt-5
tools: [read_file, edit_file]
maxIterations: 7
icon: book
fileRegex: \\.md$
---

Write for people.
`;

describe('parseMode', () => {
  it('IDE-37 reads every key and the body', () => {
    expect(parseMode(WHOLE, 'm.md')).toMatchObject({
      problems: [],
      mode: {
        name: 'Docs',
        description: 'Writes the manual',
        model: 'openai/gpt-5',
        tools: ['read_file', 'edit_file'],
        maxIterations: 7,
        icon: 'book',
        fileRegex: '\\.md$',
        body: 'Write for people.',
      },
    });
  });

  it('IDE-37 (field notes §4 #49) a byte order mark and CRLF change nothing', () => {
    const { mode } = parseMode(WHOLE, 'm.md');
    expect(parseMode(`\uFEFF${WHOLE.replaceAll('\n', '\r\n')}`, 'm.md')).toMatchObject({ mode, problems: [] });
    expect(parseMode(WHOLE.replaceAll('\n', '\r'), 'm.md').mode).toEqual(mode);
    expect(problems('\uFEFF---\r\nname: x\r\nmaxIterations: 0\r\n---\r\n')).toEqual([
      'm.md:3:1: `maxIterations` is a whole number from 1 to 500.',
    ]);
  });

  it('IDE-37 absent or empty tools mean all, 25 iterations are usual', () => {
    for (const tools of ['', 'tools:\n', 'tools: []\n']) {
      const { mode } = parseMode(`---\nname: x\n${tools}---\n`, 'm.md');
      expect(mode).toEqual({ name: 'x', description: '', maxIterations: 25, body: '' });
    }
  });

  it.each([
    ['', 'm.md:1:1: it does not begin with front matter between two lines of ---.'],
    ['# A mode\n', 'm.md:1:1: it does not begin with front matter between two lines of ---.'],
    ['---\nname: x\n', 'm.md:1:1: it does not begin with front matter between two lines of ---.'],
    ['---\n---\nbody', 'm.md:2:1: the front matter has no keys.'],
    ['---\n- a\n---\n', 'm.md:2:1: the front matter has no keys.'],
    ['---\ndescription: x\n---\n', 'm.md:1:1: `name` is missing.'],
    ['---\ndescription: x\nname: "  "\n---\n', 'm.md:3:1: `name` is empty.'],
    ['---\nname: [a]\n---\n', 'm.md:2:1: `name` must be of type string.'],
    ['---\nname: "a\\u202eb"\n---\n', 'm.md:2:1: `name` has characters that cannot be seen.'],
    ['---\nname: x\nmaxIterations: 501\n---\n', 'm.md:3:1: `maxIterations` is a whole number from 1 to 500.'],
    ['---\nname: x\nmaxIterations: many\n---\n', 'm.md:3:1: `maxIterations` must be of type number.'],
    ['---\nname: x\ntools:\n  - a\n  - 7\n---\n', 'm.md:5:5: `tools` must be of type string.'],
    ['---\nname: x\ntools: read_file\n---\n', 'm.md:3:1: `tools` must be of type array.'],
    ['---\nname: x\nicon: "a b"\n---\n', 'm.md:3:1: `icon` is no codicon id, e.g. robot.'],
    ['---\nname: x\n\nselectable: false\n---\n', 'm.md:4:1: there is no key `selectable` in a mode.'],
    ['---\nname: x\nconstructor: 1\n---\n', 'm.md:3:1: there is no key `constructor` in a mode.'],
  ])('IDE-38 (IDE-87) says what is wrong with %j, and where', (text, message) => {
    expect(problems(text)).toEqual([message]);
  });

  it('IDE-38 (IDE-87) invalid YAML is told with its place; aliases cannot unfold without end', () => {
    expect(problems('---\nname: x\ntools: [a\nicon: b\n---\n')[0]).toMatch(
      /^m\.md:[34]:\d+: the front matter is no YAML/,
    );
    expect(problems('---\nname: x\nname: y\n---\n')[0]).toMatch(/^m\.md:3:1: the front matter is no YAML: .*unique/);
    const lol = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`).join('\n');
    expect(problems(`---\nname: x\nl0: &l0 lol\n${lol}\n---\n`)[0]).toMatch(
      /^m\.md:1:1: the front matter cannot be read/,
    );
  });

  it('IDE-38 only unknown keys are forgiven: anything else leaves no mode', () => {
    expect(parseMode('---\nname: x\nspeed: 3\n---\n', 'm.md').mode).toMatchObject({ name: 'x' });
    expect(parseMode('---\nname: x\nmaxIterations: 0\n---\n', 'm.md').mode).toBeUndefined();
  });

  it('IDE-38 property: any text gives a mode or a problem, with a place inside it', () => {
    const nearly = fc
      .tuple(fc.string({ unit: 'binary' }), fc.nat(200), fc.nat(20))
      .map(([text, at, length]) => WHOLE.slice(0, at) + text + WHOLE.slice(at + length));
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const { mode, problems: found } = parseMode(text, 'm.md');
        expect(mode !== undefined || found.some(({ severity }) => severity === 'error')).toBe(true);
        const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
        for (const { line, column } of found) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });
});
