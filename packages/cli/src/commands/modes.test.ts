import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack } from '../testing/test-world.ts';

const answer = {
  modes: [
    {
      name: 'Ask',
      description: 'Answers',
      source: 'built-in',
      tools: ['read_file'],
      maxIterations: 25,
      selectable: true,
    },
    { name: 'Planner', description: 'Plans', source: 'built-in', maxIterations: 15, selectable: false },
    {
      name: 'Docs',
      description: 'Writes',
      source: 'workspace',
      file: '.blackide/modes/docs.md',
      maxIterations: 7,
      selectable: true,
    },
  ],
  problems: [{ file: '.blackide/modes/x.md', line: 3, column: 1, message: '`name` is missing', severity: 'error' }],
};

describe('black modes', () => {
  it('IDE-36 IDE-37 IDE-38 lists them with where they come from, and says what is wrong', async () => {
    const { code, out, err } = await runBlack(['modes'], { engine: new FakeEngine({ listModes: () => answer }) });
    expect(out.split('\n')).toEqual([
      'Ask                Answers (25 turns, 1 tool)',
      'Planner            Plans (15 turns, all tools, a phase of the pipeline)',
      'Docs               Writes (7 turns, all tools, .blackide/modes/docs.md)',
      '',
    ]);
    expect(err).toBe('black: .blackide/modes/x.md:3:1: `name` is missing.\n');
    expect(code).toBe(1);
  });

  it('IDE-84 as data', async () => {
    const { out } = await runBlack(['modes', '--json'], { engine: new FakeEngine({ listModes: () => answer }) });
    expect(JSON.parse(out)).toEqual(answer);
  });
});
