import { tmpdir } from 'node:os';
import type { BackgroundCommand } from '@black-ide/protocol';
import { readProcessTable } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackgroundCommands } from './background-commands.ts';
import { ProcessRegistry } from './process-registry.ts';
import { UnreadOutput } from './unread-output.ts';

let processes: ProcessRegistry;
let commands: BackgroundCommands;
let told: BackgroundCommand[][];
let time: number;

beforeEach(() => {
  processes = new ProcessRegistry();
  told = [];
  time = 1_000;
  commands = new BackgroundCommands({ processes, now: () => time, onChange: (list) => told.push(list) });
});
afterEach(() => processes.dispose());

const start = (command: string) => commands.start({ command, cwd: tmpdir(), env: { PATH: process.env.PATH } });
const read = (id: string, waitMs = 20_000) => commands.read(id, { maxChars: 1_000, waitMs });

/** Everything a command prints, read until it has ended. */
async function readAll(id: string): Promise<string> {
  let text = '';
  for (;;) {
    const part = await read(id);
    text += part.text;
    if (part.command.state !== 'running' && part.left === 0) return text;
  }
}

describe('BackgroundCommands', () => {
  it('IDE-75 answers at once, is read piece by piece, and tells its end', async () => {
    const { id } = await start('echo one; read line < /dev/null; echo two; exit 3');
    expect(id).toBe('bg1');
    expect(await readAll(id)).toBe('one\ntwo\n');
    expect(commands.list()).toMatchObject([{ id, state: 'exited', exitCode: 3 }]);
    // The last line is known also when all was read.
    expect(commands.listWithOutput()).toMatchObject([{ id, lastLine: 'two' }]);
    expect(await read(id)).toMatchObject({ text: '', left: 0 });
    expect(told.map(([first]) => first?.state)).toEqual(['running', 'exited']);
  });

  it('IDE-75 is ended with everything it started', async () => {
    const mark = `black-bg-${process.pid}`;
    const { id } = await start(`exec -a ${mark} sleep 1000 & echo up; wait`);
    expect((await read(id)).text).toBe('up\n');
    expect(await commands.stop(id)).toMatchObject({ state: 'stopped' });
    expect(readProcessTable().filter((entry) => entry.command.includes(mark))).toEqual([]);
  });

  it('IDE-18 those of one task are ended, earlier ones go on; the end of all leaves nothing', async () => {
    await start('sleep 1000');
    time = 2_000;
    await start('sleep 1000');
    await commands.stopAll(2_000);
    expect(commands.list().map(({ state }) => state)).toEqual(['running', 'stopped']);
    await commands.stopAll();
    expect(processes.running).toBe(0);
  });

  it('IDE-75 after its end nothing is started or told any more, nor goes on', async () => {
    await start('sleep 1000');
    told = [];
    await commands.dispose();
    expect([processes.running, told]).toEqual([0, []]);
    await expect(start('true')).rejects.toMatchObject({ code: 'disposed' });
  });

  it('IDE-75 keeps a time limit', async () => {
    const limited = { command: 'sleep 1000', cwd: tmpdir(), env: { PATH: process.env.PATH }, timeoutMs: 50 };
    const { id } = await commands.start(limited);
    expect(await readAll(id)).toBe('');
    expect(commands.list()).toMatchObject([{ state: 'stopped' }]);
  });

  it('IDE-75 says what cannot be started or read', async () => {
    await expect(commands.start({ command: 'true', cwd: '/no/such', env: {} })).rejects.toMatchObject({
      code: 'cwd_missing',
    });
    await expect(read('bg9')).rejects.toMatchObject({ code: 'unknown_command' });
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    const { id } = await start('sleep 1000');
    await expect(commands.read(id, { maxChars: 9, waitMs: 20_000, signal: aborted })).rejects.toThrow(
      'no longer wanted',
    );
  });

  it('IDE-75 stays bounded however much comes', () => {
    const unread = new UnreadOutput();
    for (let n = 0; n < 2_000; n += 1) unread.push('🙂'.repeat(500));
    const { text, dropped, left } = unread.take(101);
    expect(text).toBe('🙂'.repeat(50));
    expect(dropped + text.length + left).toBe(2_000_000);
    expect(left).toBeLessThanOrEqual(200_000);
  });
});
