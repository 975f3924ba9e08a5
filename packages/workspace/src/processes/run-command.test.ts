import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTempWorkspace, findProcesses, leakCheck, runProcess, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanEnvironment } from './clean-environment.ts';
import { type RunCommandOptions, runCommand } from './run-command.ts';

const env = cleanEnvironment(process.env);
let workspace: TempWorkspace;
let leaks: ReturnType<typeof leakCheck>;

beforeEach(async () => {
  leaks = leakCheck();
  workspace = await createTempWorkspace();
});

afterEach(async () => {
  await workspace.dispose();
  await leaks.expectNoLeaks();
});

function run(command: string, more: Partial<RunCommandOptions> = {}) {
  return runCommand({ command, cwd: workspace.path, env, ...more });
}

/** Runs a command until it has printed a line that matches. */
async function runUntil(pattern: RegExp, command: string, then: (abort: () => void, seen: string) => void) {
  const stop = new AbortController();
  let seen = '';
  let isDone = false;
  const result = await run(command, {
    signal: stop.signal,
    onOutput: (text) => {
      seen += text;
      if (isDone || !pattern.test(seen)) return;
      isDone = true;
      then(() => stop.abort(), seen);
    },
  });
  expect(isDone).toBe(true);
  return { result, seen };
}

function isRunning(pid: number): boolean {
  return findProcesses(1).some((entry) => entry.pid === pid);
}

describe('runCommand', () => {
  it('IDE-75 runs a real shell, both streams in order, and tells its exit code', async () => {
    const result = await run('echo one; echo two >&2; { echo three; echo four >&2; } | cat; [[ a < b ]] && exit 3');
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      output: expect.stringMatching(/^one\ntwo\n(three\nfour|four\nthree)\n$/),
      cutBytes: 0,
      endedInBackground: 0,
      survivors: [],
    });
  });

  it('IDE-75 gives a command streams that can be opened by name', async () => {
    const { output } = await run('echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr');
    expect(output).toBe('a\nb\nc\nc\n');
  });

  it('IDE-75 works without a temporary folder as well', async () => {
    const more = { temporaryFolder: workspace.at('missing'), shell: '/bin/sh' };
    const result = await run('echo "$0" "$#"; echo two >&2; exit 4', more);
    expect(result).toMatchObject({ exitCode: 4, output: '/bin/sh 0\ntwo\n' });
    const never = await run('sleep 301', { ...more, timeoutMs: 50 });
    expect(never).toMatchObject({ timedOut: true, survivors: [] });
  });

  it('IDE-75 tells the signal that ended the shell', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', aborted: false });
  });

  it('IDE-75 runs in its folder, with nothing but its environment', async () => {
    const { output } = await run('pwd; echo "$PWD"; env | cut -d= -f1 | sort | tr "\\n" " "', {
      env: { PATH: process.env.PATH, MINE: '1' },
    });
    expect(output).toBe(`${workspace.path}\n${workspace.path}\nBLACK_RUN_ID MINE PATH PWD SHLVL _ `);
  });

  it('IDE-75 lets whoever asks for input fail at once', async () => {
    const { output } = await run('read answer; echo "read $?"; cat; echo x < /dev/tty || echo "no terminal"');
    expect(output).toContain('read 1\n');
    expect(output).toContain('no terminal');
  });

  it('IDE-75 IDE-18 ends a command that never ends when its time is over', async () => {
    const result = await run('echo begun; sleep 302; echo never', { timeoutMs: 200 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true, aborted: false, output: 'begun\n', survivors: [] });
  });

  it('IDE-75 takes a time limit of months for what it is', async () => {
    expect(await run('echo fine', { timeoutMs: 1e12 })).toMatchObject({ exitCode: 0, timedOut: false });
  });

  it('IDE-18 ends the whole tree on abort, also what ignores SIGTERM', async () => {
    const tree = `trap "" TERM; bash -c 'trap "" TERM; sleep 303 & echo inner $!; wait' & sleep 304 & echo ready $!; wait`;
    const { result, seen } = await runUntil(/inner \d+[\s\S]*ready \d+|ready \d+[\s\S]*inner \d+/, tree, (abort) =>
      abort(),
    );
    expect(result).toMatchObject({ exitCode: null, aborted: true, survivors: [] });
    for (const pid of seen.match(/\d+/g) ?? []) expect(isRunning(Number(pid))).toBe(false);
  });

  it('IDE-18 lets a command that handles SIGTERM say its last words', async () => {
    const { result } = await runUntil(/ready/, 'trap "echo bye; exit 7" TERM; echo ready; sleep 305 & wait', (abort) =>
      abort(),
    );
    expect(result).toMatchObject({ output: 'ready\nbye\n', exitCode: 7, aborted: true });
  });

  it('IDE-18 ends a stopped process', async () => {
    const { result } = await runUntil(/ready/, 'sleep 306 & kill -STOP $!; echo ready; wait', (abort) => abort());
    expect(result).toMatchObject({ aborted: true, survivors: [] });
  });

  it('IDE-18 ends a daemon that left group, session and parent', async () => {
    const command = `setsid bash -c 'setsid sleep 307 & echo "daemon $!"' & wait; sleep 308`;
    const { result, seen } = await runUntil(/daemon (\d+)/, command, (abort) => abort());
    expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(isRunning(Number(/daemon (\d+)/.exec(seen)?.[1]))).toBe(false);
  });

  it('IDE-18 ends one with an empty environment while it hangs below the shell', async () => {
    const { result, seen } = await runUntil(
      /pid (\d+)/,
      'setsid env -i /bin/sleep 309 & echo "pid $!"; wait',
      (abort) => abort(),
    );
    expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(isRunning(Number(/pid (\d+)/.exec(seen)?.[1]))).toBe(false);
  });

  it('IDE-18 ends what keeps multiplying', async () => {
    const command = 'spread() { while :; do sleep 310 & sleep 0.01; done; }; spread & spread & echo ready; wait';
    const { result } = await runUntil(/ready/, command, (abort) => abort());
    expect(result).toMatchObject({ aborted: true, survivors: [] });
  });

  it('IDE-18 does not start what is aborted already', async () => {
    const result = await run('touch started', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ aborted: true, exitCode: null, output: '' });
    expect(() => statSync(workspace.at('started'))).toThrow('ENOENT');
  });

  it('IDE-75 is over when the shell is, although a background process holds the output', async () => {
    const result = await run('sleep 311 & echo "pid $!"');
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, endedInBackground: 1 });
    expect(isRunning(Number(/\d+/.exec(result.output)?.[0]))).toBe(false);
  });

  it('IDE-75 ends background processes with the command, daemons too', async () => {
    const result = await run('setsid sleep 312 > /dev/null 2>&1 & nohup sleep 313 > /dev/null 2>&1 & echo done');
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n', endedInBackground: 2, survivors: [] });
  });

  it('IDE-75 is over although a background process goes on printing', async () => {
    const result = await run('yes > /dev/stderr & yes & echo done', { maxOutputBytes: 1000 });
    expect(result).toMatchObject({ exitCode: 0, endedInBackground: 2 });
  });

  it('IDE-75 waits for what the shell itself started to take its output', async () => {
    await run('mkfifo go; { read x < go; cat; } > >(cat > copy) < <(echo last words) & echo x > go; wait $!');
    expect(readFileSync(workspace.at('copy'), 'utf8')).toBe('last words\n');
  });

  it('IDE-75 streams output as it comes, no character torn', async () => {
    const pieces: string[] = [];
    const command = `mkfifo one two; printf 'A\\xe2\\x82'; read x < one; printf '\\xacB\\xf0\\x9f'; read x < two; printf '\\x98\\x80C\\xff'`;
    const { output } = await run(command, {
      onOutput: (text) => {
        pieces.push(text);
        if (text === 'A') writeFileSync(workspace.at('one'), '\n');
        if (text === '€B') writeFileSync(workspace.at('two'), '\n');
      },
    });
    expect(pieces).toEqual(['A', '€B', '😀C\ufffd']);
    expect(output).toBe('A€B😀C\ufffd');
  });

  it('IDE-75 prints a gigabyte in bounded memory', async () => {
    const script = fileURLToPath(new URL('./fixtures/print-memory.ts', import.meta.url));
    const flood = (bytes: number) => `head -c ${bytes} /dev/zero | tr "\\0" x`;
    const { stdout, stderr, code } = await runProcess({
      command: process.execPath,
      args: [script, flood(50_000_000), flood(1_000_000_000)],
      env: { PATH: process.env.PATH },
    });
    expect({ stderr, code }).toMatchObject({ code: 0 });
    const { total, grown } = JSON.parse(stdout) as { total: number; grown: number };
    expect(total).toBe(1_000_000_000);
    expect(grown).toBeLessThan(32 * 1024 * 1024);
  });

  it('IDE-75 writes what is too long into a file, up to a limit', async () => {
    const path = workspace.at('out/s/1.txt');
    const long = await run('seq 1 100000', { maxOutputBytes: 3000, spillFile: { path, maxBytes: 200_000 } });
    expect(long).toMatchObject({ spilledTo: path, totalBytes: 588_895 });
    expect(long.output).toMatch(/^1\n2\n[\s\S]*\n\[\d+ bytes cut here\]\n[\s\S]*\n100000\n$/);
    expect(Buffer.byteLength(long.output)).toBeLessThan(3100);
    const spilled = readFileSync(path, 'utf8');
    expect(spilled).toHaveLength(200_000);
    expect(spilled.startsWith('1\n2\n3\n')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const short = await run('echo short', { spillFile: { path: workspace.at('2.txt'), maxBytes: 10 } });
    expect(short.spilledTo).toBeUndefined();
    expect(() => statSync(workspace.at('2.txt'))).toThrow('ENOENT');
  });

  it('IDE-75 runs on where the output cannot be written, and says so', async () => {
    writeFileSync(workspace.at('taken'), 'precious');
    const result = await run('seq 1 1000', {
      maxOutputBytes: 100,
      spillFile: { path: workspace.at('taken'), maxBytes: 9 },
    });
    expect(result).toMatchObject({ exitCode: 0, spillProblem: expect.stringContaining('EEXIST') });
    expect(result.spilledTo).toBeUndefined();
    expect(readFileSync(workspace.at('taken'), 'utf8')).toBe('precious');
  });

  it('ends the command and passes on what a listener throws', async () => {
    const failed = run('echo x; sleep 314', {
      onOutput: () => {
        throw new Error('listener');
      },
    });
    await expect(failed).rejects.toThrow('listener');
  });

  it('IDE-88 tells a folder that is gone, from the command and from ourselves', async () => {
    const gone = workspace.at('gone');
    await expect(run('true', { cwd: gone })).rejects.toMatchObject({ code: 'cwd_missing' });
    writeFileSync(gone, '');
    await expect(run('true', { cwd: gone })).rejects.toMatchObject({ code: 'cwd_missing' });
    rmSync(gone);
    mkdirSync(gone);
    const before = process.cwd();
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      expect(await run('echo fine')).toMatchObject({ output: 'fine\n' });
    } finally {
      process.chdir(before);
    }
    expect(await run('mkdir in && cd in && rm -r ../in && echo fine')).toMatchObject({ exitCode: 0, output: 'fine\n' });
  });

  it.each([
    ['a missing shell', 'true', { shell: '/nowhere/bash' }, 'shell_missing'],
    ['a shell that is no program', 'true', { shell: '/etc/passwd' }, 'shell_missing'],
    ['a NUL character', 'echo \0', {}, 'invalid_command'],
    ['a command of a megabyte', `: ${'x'.repeat(1_000_000)}`, {}, 'command_too_long'],
    ['a NUL character in the environment', 'true', { env: { A: 'x\0y' } }, 'spawn_failed'],
  ])('IDE-75 refuses %s with a typed error', async (_, command, more, code) => {
    await expect(run(command, more)).rejects.toMatchObject({ name: 'BlackError', code, next: expect.any(String) });
  });
});
