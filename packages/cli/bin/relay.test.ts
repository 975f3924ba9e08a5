import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';

const relayModule = JSON.stringify(new URL('./relay.mjs', import.meta.url).href);
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a process that relays to another one running `code`. */
function relayed(code: string) {
  const outer = `const { relay } = await import(${relayModule});
    await relay(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(code)}]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', outer], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

/** The first line that a child prints. */
async function line(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout as Readable, 'data');
  return String(chunk).trim();
}

it('hands on input, output and exit code', async () => {
  const child = relayed(`process.stdin.pipe(process.stdout); process.exitCode = 4;`);
  child.stdin.end('through');
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([output, code]).toEqual(['through', 4]);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'hands %s on and waits for what the program makes of it',
  async (signal) => {
    const child = relayed(
      `process.on('${signal}', () => process.exit(7)); setInterval(() => 0, 1e6); console.log('up');`,
    );
    await line(child);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([7, null]);
  },
);

it('ends by the signal that ended the program', async () => {
  const child = relayed(`process.kill(process.pid, 'SIGTERM'); setInterval(() => 0, 1e6);`);
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

it('takes the program along when it is killed outright', async () => {
  const child = relayed(`const { followRelay } = await import(${relayModule}); followRelay();
    console.log('marked:', 'BLACK_RELAYED' in process.env); setInterval(() => 0, 1e6);`);
  const closed = once(child, 'close');
  expect(await line(child)).toBe('marked: false');
  child.kill('SIGKILL');
  // The output closes when the last process that holds it is gone.
  expect(await closed).toEqual([null, 'SIGKILL']);
});
