import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProcesses, startProcess } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';
import { sweepPrivateFolders } from './private-folders.ts';

const HOLD = fileURLToPath(new URL('./fixtures/hold-sandboxed.ts', import.meta.url));
const { here, run, env } = useSandbox();
const running = (mark: string): string[] =>
  findProcesses(1)
    .map(({ command }) => command)
    .filter((command) => command.startsWith(mark));

/** Runs a command until it has said `ready`, then ends it. */
async function runUntilReady(command: string) {
  const stop = new AbortController();
  let seen = '';
  return await run(command, {
    signal: stop.signal,
    onOutput: (text) => {
      seen += text;
      if (seen.includes('ready')) stop.abort();
    },
  });
}

describe('Sandbox: processes', () => {
  it('IDE-75 IDE-65 exit codes, both streams in order and streams by name are as outside', async () => {
    const result = await run('echo one; echo two >&2; echo three > /dev/stderr; [[ a < b ]] && exit 3');
    expect(result).toMatchObject({ exitCode: 3, signal: null, output: 'one\ntwo\nthree\n', endedInBackground: 0 });
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: 139, output: '' });
    expect(await run('no-such-program')).toMatchObject({ exitCode: 127 });
    expect((await run('read answer; echo "read $?"; echo x < /dev/tty || echo none')).output).toMatch(
      /read 1\n.*none/s,
    );
  });

  it('IDE-75 works without a temporary folder as well, and streams as it comes', async () => {
    const seen: string[] = [];
    const { output } = await run('echo a; echo b >&2; ls /proc/self/fd | grep -cE "^[0-6]$"', {
      temporaryFolder: join(here.base, 'missing'),
      onOutput: (text) => seen.push(text),
    });
    expect(output).toMatch(/^a\nb\n4\n$/);
    expect(seen.join('')).toBe(output);
  });

  it('IDE-75 what the shell does not wait for gets its moment; what stays is ended and counted', async () => {
    expect(await run('echo late > >(cat > file); exit 0')).toMatchObject({ exitCode: 0, endedInBackground: 0 });
    expect(readFileSync(join(here.root, 'file'), 'utf8')).toBe('late\n');
    const mark = `black-left-${process.pid}`;
    const result = await run(
      `(exec -a ${mark} sleep 1000) & setsid -f bash -c 'exec -a ${mark} sleep 1000'; echo done`,
    );
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n', endedInBackground: 2, survivors: [] });
    expect(running(mark)).toEqual([]);
  });

  it('IDE-18 a time limit and an abort end everything, last words included', async () => {
    const mark = `black-tree-${process.pid}`;
    const timedOut = await run(`echo begun; exec -a ${mark} sleep 1000`, { timeoutMs: 300 });
    expect(timedOut).toMatchObject({ timedOut: true, output: 'begun\n', survivors: [] });
    const polite = await runUntilReady('trap "echo bye; exit 7" TERM; echo ready; sleep 1000 & wait');
    expect(polite).toMatchObject({ aborted: true, exitCode: 7, output: 'ready\nbye\n', survivors: [] });
    const stubborn = `trap "" TERM; setsid bash -c 'trap "" TERM; exec -a ${mark} sleep 1000' & echo ready; wait`;
    expect(await runUntilReady(stubborn)).toMatchObject({ aborted: true, survivors: [] });
    expect(running(mark)).toEqual([]);
  });

  it('IDE-18 what is aborted before it has begun does not begin', async () => {
    const stop = new AbortController();
    const mark = `black-early-${process.pid}`;
    const options = { signal: stop.signal, onStarted: () => stop.abort() };
    const result = await run(`exec -a ${mark} sleep 1000`, options);
    expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(running(mark)).toEqual([]);
    expect(await run('echo x', { signal: stop.signal })).toMatchObject({ aborted: true, output: '' });
    expect(readdirSync(here.root)).toEqual([]);
  });

  it('IDE-18 a killed engine leaves no process, without a sweep, and no file after one', async () => {
    const mark = `black-held-${process.pid}`;
    const command = `trap "" TERM HUP; (exec -a ${mark} sleep 1000) & setsid -f bash -c 'exec -a ${mark} sleep 1000'; echo up; wait`;
    const parent = await startProcess({
      command: process.execPath,
      args: [HOLD, here.root, here.stateHome, command],
      env: env(),
    });
    await parent.waitForOutput(/up/);
    await expect.poll(() => running(mark)).toHaveLength(2);
    parent.kill('SIGKILL');
    await parent.result;
    await expect.poll(() => running(mark)).toEqual([]);
    expect(readdirSync(here.root)).toContain('.vscode');
    expect(readdirSync(join(here.stateHome, 'sandbox'))).toHaveLength(1);
    sweepPrivateFolders(here.stateHome, Date.now());
    expect(readdirSync(here.root)).toEqual([]);
    expect(readdirSync(join(here.stateHome, 'sandbox'))).toEqual([]);
  });

  it('IDE-65 a command that kills all it can see ends nothing but itself', async () => {
    const result = await run('kill -9 -1; kill -9 0; echo never');
    expect(result.exitCode).not.toBe(0);
    expect(await run('echo still')).toMatchObject({ exitCode: 0, output: 'still\n' });
  });

  it('IDE-65 commands side by side reach each other on loopback, and nobody from outside', async () => {
    const server = `node -e "require('http').createServer((q, r) => r.end('served')).listen(0, function () { console.log('port ' + this.address().port) })"`;
    const stop = new AbortController();
    let background: Promise<unknown> = Promise.resolve();
    const port = await new Promise<string>((resolve) => {
      background = run(server, {
        signal: stop.signal,
        background: true,
        onOutput: (text) => resolve(/port (\d+)/.exec(text)?.[1] ?? ''),
      });
    });
    const ask = `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log)"`;
    expect(await run(ask)).toMatchObject({ output: 'served\n', exitCode: 0 });
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    stop.abort();
    await background;
  });
});
