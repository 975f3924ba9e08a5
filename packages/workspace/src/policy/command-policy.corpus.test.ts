import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandPolicy } from './command-policy.ts';
import { readCorpus, readLines, readMoreRows } from './fixtures/read-lines.ts';

const corpus = readCorpus();
const place = { cwd: '/home/ann/app', home: '/home/ann' };
const strictness = { allow: 0, ask: 1, deny: 2 };

let listed: CommandPolicy;
let everything: CommandPolicy;

beforeAll(async () => {
  listed = await CommandPolicy.create({ allow: corpus.allow });
  everything = await CommandPolicy.create({ allow: ['.*', '[\\s\\S]*'] });
});

afterAll(() => {
  listed.dispose();
  everything.dispose();
});

describe('the corpus and more rows of its kinds, under its own allow list', () => {
  it.each([...corpus.rows, ...readMoreRows()])(
    'IDE-62 IDE-63 IDE-64 $command',
    async ({ command, atLeast, atMost }) => {
      const { decision } = await listed.decide(command, place);
      if (atMost) expect(decision).toBe(atMost);
      else expect(strictness[decision]).toBeGreaterThanOrEqual(strictness[atLeast ?? 'deny']);
    },
  );
});

describe('spellings of what is never run, under an allow list that matches everything and with auto-approval', () => {
  it.each(readLines('hard-denied.txt'))('IDE-63 %s', async (command) => {
    const { stage } = await everything.decide(command, { ...place, autoApprove: true });
    expect(stage).toBe('hard-deny');
  });

  it.each(readLines('hard-denied.txt'))('IDE-63 with a known environment: %s', async (command) => {
    const { stage } = await everything.decide(command, { ...place, env: { HOME: place.home, PATH: '/bin' } });
    expect(stage).toBe('hard-deny');
  });
});

describe('commands that only look like what is never run', () => {
  it.each(readLines('not-denied.txt'))('IDE-63 %s', async (command) => {
    const env = { HOME: place.home, TMPDIR: '/tmp', BUILD_DIR: '/srv/build', BUILD: '/srv' };
    const { decision } = await listed.decide(command, { ...place, env });
    expect(decision).not.toBe('deny');
  });
});

describe('ways around an allow list', () => {
  it.each(readLines('asked.txt'))('IDE-62 IDE-64 %s', async (command) => {
    const { decision } = await listed.decide(command, place);
    expect(decision).not.toBe('allow');
  });
});

describe('harmless commands', () => {
  it('IDE-64 asks about at most one in ten and refuses none', async () => {
    const lines = readLines('benign.txt');
    const decisions = await Promise.all(lines.map((line) => listed.decide(line, place)));
    const asked = lines.filter((_line, index) => decisions[index]?.decision !== 'allow');
    expect(lines.length).toBeGreaterThanOrEqual(100);
    expect(decisions.filter(({ decision }) => decision === 'deny')).toEqual([]);
    expect(asked.length / lines.length, asked.join('\n')).toBeLessThanOrEqual(0.1);
  });
});
