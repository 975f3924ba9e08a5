import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessLock } from './process-lock.ts';
import { ProcessTable } from './process-table.ts';

const MODULE = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'process-lock.ts')).href);

let folder: string;
let path: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-lock-'));
  path = join(folder, 'session.lock');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('ProcessLock', () => {
  it('SES-7 one holds it, a second is told who; after the release it is free and nothing is left', () => {
    const first = ProcessLock.acquire(path);
    expect(first.ok).toBe(true);
    const second = ProcessLock.acquire(path);
    expect(second).toEqual({ ok: false, heldBy: new ProcessTable().self() });
    expect(readdirSync(folder)).toEqual(['session.lock']);
    if (first.ok) first.lock.release();
    if (first.ok) first.lock.dispose();
    expect(readdirSync(folder)).toEqual([]);
    expect(ProcessLock.acquire(path).ok).toBe(true);
  });

  it('SES-7 a living process keeps it, a killed one is replaced at once', async () => {
    const child = run(`
      const attempt = ProcessLock.acquire(${JSON.stringify(path)});
      process.stdout.write(attempt.ok ? 'held' : 'refused');
      setInterval(() => {}, 1000);`);
    const [said] = await once(child.stdout!, 'data');
    expect(String(said)).toBe('held');
    expect(ProcessLock.acquire(path)).toMatchObject({ ok: false, heldBy: { pid: child.pid } });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(ProcessLock.acquire(path).ok).toBe(true);
  });

  it('SES-7 replaces owners whose number another process has now, or that an earlier boot knew', () => {
    const self = new ProcessTable().self();
    const dead = [
      { ...self, startTime: '1' },
      { ...self, bootId: 'another boot' },
      { pid: 0 },
      { pid: -1 },
      { pid: 2 ** 22 + 1 },
      'no owner at all',
    ];
    for (const owner of dead) {
      leaveLock(JSON.stringify(owner));
      const attempt = ProcessLock.acquire(path);
      expect(attempt.ok, JSON.stringify(owner)).toBe(true);
      if (attempt.ok) attempt.lock.release();
    }
    leaveLock('{"pid":');
    expect(ProcessLock.acquire(path).ok).toBe(true);
  });

  it('SES-7 goes by the number alone where the system tells no more', () => {
    const table = new ProcessTable(join(folder, 'no-proc'));
    expect(table.self()).toEqual({ pid: process.pid });
    expect(table.isAlive({ pid: process.pid, startTime: '1' })).toBe(true);
    expect(table.isAlive({ pid: 1 })).toBe(true);
    expect(table.isAlive({ pid: 2 ** 22 + 1 })).toBe(false);
    const first = ProcessLock.acquire(path, table);
    expect(first.ok).toBe(true);
    expect(ProcessLock.acquire(path, table).ok).toBe(false);
  });

  it('SES-7 reads the process list whatever a program is called, and takes a zombie for dead', () => {
    const proc = join(folder, 'proc');
    mkdirSync(join(proc, '77'), { recursive: true });
    const rest = Array.from({ length: 17 }, (_, i) => i).join(' ');
    const table = new ProcessTable(proc);
    writeFileSync(join(proc, '77', 'stat'), `77 (a) Z (b 1) S 1 ${rest} 4242 0 0`);
    expect(table.isAlive({ pid: 77, startTime: '4242' })).toBe(true);
    expect(table.isAlive({ pid: 77, startTime: '4243' })).toBe(false);
    writeFileSync(join(proc, '77', 'stat'), `77 (a) S (b) Z 1 ${rest} 4242 0 0`);
    expect(table.isAlive({ pid: 77, startTime: '4242' })).toBe(false);
  });

  it('SES-7 says why it cannot be made', () => {
    expect(() => ProcessLock.acquire(join(folder, 'no', 'such'))).toThrow(
      expect.objectContaining({ code: 'lock_failed' }),
    );
    writeFileSync(path, 'a file in its place');
    expect(() => ProcessLock.acquire(path)).toThrow(expect.objectContaining({ code: 'lock_failed' }));
    expect(readdirSync(folder)).toEqual(['session.lock']);
  });

  it('SES-7 is never held by two, whoever dies in between', async () => {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    leaveLock(JSON.stringify({ pid: process.pid, startTime: '1' }));
    const code = `
      import { appendFileSync } from 'node:fs';
      const say = (what) => appendFileSync(${JSON.stringify(log)}, what + ' ' + process.pid + '\\n');
      let held = 0;
      for (let i = 0; i < 20_000 && held < 25; i++) {
        const attempt = ProcessLock.acquire(${JSON.stringify(path)});
        if (!attempt.ok) continue;
        held++;
        say('take');
        if (held === 25) { say('die'); process.kill(process.pid, 'SIGKILL'); }
        say('give');
        attempt.lock.release();
      }`;
    const contenders = Array.from({ length: 4 }, () => run(code));
    await Promise.all(contenders.map((child) => once(child, 'exit')));
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    for (let i = 0; i < lines.length; i += 2) {
      const [took, ended] = [lines[i]!.split(' '), lines[i + 1]!.split(' ')];
      expect([took[0], ended[1]]).toEqual(['take', took[1]]);
      expect(['give', 'die']).toContain(ended[0]);
    }
    expect(lines.length).toBeGreaterThanOrEqual(50);
    expect(existsSync(path)).toBe(true);
    expect(ProcessLock.acquire(path).ok).toBe(true);
  });
});

function run(code: string): ChildProcess {
  const args = ['--input-type=module', '-e', `import { ProcessLock } from ${MODULE};${code}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

function leaveLock(content: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  appendFileSync(join(path, 'left.json'), content);
}
