import { describe, expect, it } from 'vitest';
import { parseInvocation } from './parse-invocation.ts';
import { UsageError } from './usage-error.ts';

function wrong(...argv: string[]): string {
  try {
    parseInvocation(argv);
  } catch (error) {
    if (error instanceof UsageError) return [error.message, error.next].filter(Boolean).join(' ');
    throw error;
  }
  throw new Error(`accepted: ${argv.join(' ')}`);
}

describe('parseInvocation', () => {
  it('IDE-83 takes -p as a switch and the words as the prompt', () => {
    expect(parseInvocation(['-p', 'fix', 'the bug'])).toEqual({
      command: 'run',
      prompt: 'fix the bug',
      output: 'text',
      autoApprove: false,
      approvePlan: false,
      trust: false,
    });
    expect(parseInvocation(['fix', '-p'])).toMatchObject({ command: 'run', prompt: 'fix' });
    expect(parseInvocation(['-p', '--', '-x'])).toMatchObject({ prompt: '-x' });
    expect(parseInvocation(['-p', 'sessions', 'list'])).toMatchObject({ command: 'run', prompt: 'sessions list' });
  });

  it('IDE-83 reads every flag of a run', () => {
    const argv = ['-p', '--output=json', '--mode', 'ask', '--model', 'openai/gpt-5', '--yes', '--approve-plan'];
    expect(
      parseInvocation([...argv, '--trust', '--max-iterations', '7', '--max-cost', '.5', '-r', 'abc', 'hi']),
    ).toEqual({
      command: 'run',
      prompt: 'hi',
      output: 'json',
      mode: 'ask',
      model: 'openai/gpt-5',
      session: 'abc',
      autoApprove: true,
      approvePlan: true,
      trust: true,
      maxIterations: 7,
      maxCost: 0.5,
    });
    expect(parseInvocation(['-p', '--max-tokens', '5000', '--max-time', '1.5m', 'x'])).toMatchObject({
      maxTokens: 5_000,
      maxTimeMs: 90_000,
    });
    expect(parseInvocation(['-p', '--max-time', '20', 'x'])).toMatchObject({ maxTimeMs: 20_000 });
    expect(parseInvocation(['-pc', 'go on'])).toMatchObject({ session: 'latest' });
    expect(parseInvocation(['-p', '--auto-approve', 'x'])).toMatchObject({ autoApprove: true });
  });

  it('IDE-83 names the wrong flag and the nearest right one', () => {
    expect(wrong('-p', '--ouptut', 'json')).toBe('black has no option "--ouptut". Did you mean --output?');
    expect(wrong('-p', '--max-iter', '3')).toContain('Did you mean --max-iterations?');
    expect(wrong('-p', '--jsno', 'x')).toContain('"--jsno"');
    expect(wrong('-p', '--all', 'x')).toContain('black sessions list');
    expect(wrong('doctor', '--jsom')).toBe('black doctor has no option "--jsom". Did you mean --json?');
    expect(wrong('-pz', 'x')).toContain('"-z"');
  });

  it.each([
    [
      ['-p', '--output', 'jsn', 'x'],
      '--output is one of text, json, stream-json; not "jsn". Did you mean --output json?',
    ],
    [['-p', '--model'], '--model needs a value (PROVIDER/MODEL).'],
    [['-p', '--model', '--yes', 'x'], '--model needs a value (PROVIDER/MODEL); it is followed by --yes.'],
    [['-p', '--mode='], '--mode needs a value (MODE).'],
    [['-p', '--yes=true', 'x'], '--yes takes no value.'],
    [['-p', '--max-iterations', '0', 'x'], '--max-iterations is a whole number from 1 to 500; not "0".'],
    [['-p', '--max-iterations', '501', 'x'], 'from 1 to 500; not "501".'],
    [['-p', '--max-iterations', '1e2', 'x'], 'not "1e2".'],
    [['-p', '--max-cost', '-1', 'x'], '--max-cost needs a value (USD); it is followed by -1.'],
    [['-p', '--max-cost', '0', 'x'], '--max-cost is an amount of US dollars above 0'],
    [['-p', '--max-cost', 'NaN', 'x'], 'not "NaN".'],
    [['-p', '--max-tokens', '1.5', 'x'], '--max-tokens is a whole number above 0, e.g. 200000; not "1.5".'],
    [['-p', '--max-time', 'soon', 'x'], '--max-time is a time such as 90s, 15m or 2h, at most 500h; not "soon".'],
    [['-p', '--max-time', '501h', 'x'], 'not "501h".'],
    [['-p', '-c', '-r', 'x', 'y'], '--continue and --resume both name a session'],
    [['--output', 'json'], '--output does something only together with -p.'],
    [['sesions', 'list'], 'There is no command "sesions list". Did you mean black sessions list?'],
    [['sesions'], 'Did you mean black sessions?'],
    [['-p', '-r'], '--resume needs a value (SESSION).'],
    [['sessions', 'lst'], 'There is no command "sessions lst". Did you mean black sessions list?'],
    [['sessions', 'show'], 'black sessions show needs more'],
    [['sessions', 'list', 'x'], 'black sessions list does not take "x"'],
    [['approve'], 'black approve needs more: black approve SESSION [REQUEST] [options]'],
    [['approve', 'a', 'b', 'c'], 'black approve does not take "c"'],
    [['sessions', 'exprot', 'x'], 'There is no command "sessions exprot". Did you mean black sessions export?'],
    [['help', 'nonsense'], 'There is no command "nonsense". See black --help'],
  ])('IDE-83 says what is wrong with %j', (argv, message) => {
    expect(wrong(...argv)).toContain(message);
  });

  it('IDE-84 knows the commands that exist', () => {
    const answers = { autoApprove: false, approvePlan: false, trust: false };
    expect(parseInvocation([])).toEqual({
      command: 'chat',
      prompt: '',
      ...answers,
      plain: false,
    });
    expect(parseInvocation(['-c', '--plain', 'fix', 'the bug'])).toEqual({
      command: 'chat',
      prompt: 'fix the bug',
      session: 'latest',
      ...answers,
      plain: true,
    });
    expect(parseInvocation(['trust'])).toEqual({ command: 'trust', does: 'trust', json: false });
    expect(parseInvocation(['trust', '../x', '--revoke', '--json'])).toEqual({
      command: 'trust',
      folder: '../x',
      does: 'revoke',
      json: true,
    });
    expect(() => parseInvocation(['trust', '--list', '--revoke'])).toThrow('Give one of --list and --revoke.');
    expect(() => parseInvocation(['trust', 'x', '--list'])).toThrow('--list takes no folder');
    expect(parseInvocation(['modes', '--json'])).toEqual({ command: 'modes', json: true });
    expect(parseInvocation(['doctor', '--json'])).toEqual({ command: 'doctor', json: true });
    expect(parseInvocation(['host'])).toEqual({ command: 'host' });
    expect(parseInvocation(['sessions'])).toMatchObject({ command: 'sessions list', all: false });
    expect(parseInvocation(['sessions', '--all'])).toMatchObject({ command: 'sessions list', all: true });
    expect(parseInvocation(['sessions', '--help'])).toMatchObject({ command: 'help' });
    expect(parseInvocation(['-r'])).toMatchObject({ command: 'chat', pick: true });
    expect(parseInvocation(['sessions', 'list', '--all'])).toEqual({
      command: 'sessions list',
      all: true,
      json: false,
    });
    expect(parseInvocation(['sessions', 'show', 'abc'])).toEqual({
      command: 'sessions show',
      session: 'abc',
      json: false,
    });
    expect(parseInvocation(['reject', 'abc', 'def', '--reason', 'use pnpm'])).toEqual({
      command: 'reject',
      session: 'abc',
      request: 'def',
      reason: 'use pnpm',
      output: 'text',
      ...answers,
    });
    expect(parseInvocation(['help', 'sessions', 'list'])).toMatchObject({
      command: 'help',
      spec: { name: 'sessions list' },
    });
    expect(parseInvocation(['sessions', '--help'])).toMatchObject({ command: 'help', spec: { name: 'sessions' } });
    expect(parseInvocation(['-h'])).toMatchObject({ command: 'help', spec: { name: '' } });
  });

  it('IDE-83 plans: --plan, --no-plan, --approve-plan, --yes for both, and feedback', () => {
    expect(parseInvocation(['-p', '--plan', 'x'])).toMatchObject({ plan: true, approvePlan: false });
    expect(parseInvocation(['--no-plan', 'x'])).toMatchObject({ command: 'chat', plan: false });
    expect(parseInvocation(['-p', '--approve-plan', 'x'])).toMatchObject({ approvePlan: true, autoApprove: false });
    expect(parseInvocation(['-p', '--auto-approve', 'x'])).toMatchObject({ approvePlan: false, autoApprove: true });
    expect(parseInvocation(['-p', '--yes', 'x'])).toMatchObject({ approvePlan: true, autoApprove: true });
    expect(parseInvocation(['reject', 'abc', '--feedback', 'smaller'])).toMatchObject({ reason: 'smaller' });
    expect(wrong('-p', '--plan', '--no-plan', 'x')).toContain('opposite');
    expect(wrong('approve', 'abc', '--feedback', 'x')).toContain('--feedback');
  });

  it('INT-31 debugs what stands behind --, with several breakpoints', () => {
    const line = ['debug', '-b', 'a.ts:3', '--break=main', '--exceptions', 'all', '--', 'node', '--test', '-b'];
    expect(parseInvocation(line)).toEqual({
      command: 'debug',
      words: ['node', '--test', '-b'],
      breakpoints: ['a.ts:3', 'main'],
      exceptions: 'all',
      firstLine: false,
      json: false,
    });
    expect(parseInvocation(['debug', '--adapter', 'gdb', '--first-line', './app'])).toMatchObject({
      words: ['./app'],
      breakpoints: [],
      exceptions: 'uncaught',
      adapter: 'gdb',
      firstLine: true,
    });
    expect(wrong('debug')).toContain('needs more');
    expect(wrong('debug', 'node', '--test')).toContain('write -- before it');
    expect(wrong('debug', '--adapter', 'debug', 'x')).toContain('Did you mean --adapter debugpy?');
  });

  it('keeps a hostile word of the command line from the terminal', () => {
    expect(wrong('-p', '--\u001b[31mred')).not.toContain('\u001b');
    expect(wrong('-p', '--constructor').length).toBeGreaterThan(0);
    expect(wrong('-p', '--__proto__').length).toBeGreaterThan(0);
  });
});
