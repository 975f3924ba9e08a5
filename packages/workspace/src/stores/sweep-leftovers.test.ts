import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessTable } from './process-table.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-06-10T12:00:00Z');
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sweep-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content: string, age: number): void {
  const full = join(home, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, content);
  utimesSync(full, new Date(NOW - age), new Date(NOW - age));
}

function lockFolder(path: string, owner: unknown, age: number): void {
  put(join(path, '0011aabbccdd.json'), JSON.stringify(owner), age);
  utimesSync(join(home, path), new Date(NOW - age), new Date(NOW - age));
}

describe('sweepLeftovers', () => {
  it('SES-7 removes what is old and ownerless, and nothing else', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    put('sessions/w-1/a.jsonl.0123456789ab.tmp', 'half', 2 * DAY);
    put('processes/x.run.json.0123456789ab.tmp', 'half', 2 * DAY);
    put('auth.json.0123456789ab.tmp', 'half', 2 * DAY);
    lockFolder('sessions/w-1/a.lock.0123456789ac.tmp', { pid: dead }, 2 * DAY);
    lockFolder('sessions/w-1/b.lock.0123456789ad.tmp', new ProcessTable().self(), 2 * DAY);
    put('sessions/w-1/young.jsonl.0123456789ab.tmp', 'half', DAY / 2);
    put('sessions/w-1/a.jsonl', 'a session', 900 * DAY);
    put('sessions/w-1/notes.tmp', 'a file of the person', 900 * DAY);
    expect(sweepLeftovers({ home, now: NOW })).toEqual({ removed: 4, skipped: false });
    expect(readdirSync(home).sort()).toEqual(['last-sweep', 'processes', 'sessions']);
    expect(readdirSync(join(home, 'sessions/w-1')).sort()).toEqual([
      'a.jsonl',
      'b.lock.0123456789ad.tmp',
      'notes.tmp',
      'young.jsonl.0123456789ab.tmp',
    ]);
  });

  it('SES-7 looks once a day, and makes no state folder', () => {
    const now = Date.now();
    expect(sweepLeftovers({ home: join(home, 'none'), now })).toEqual({ removed: 0, skipped: true });
    expect(readdirSync(home)).toEqual([]);
    expect(sweepLeftovers({ home, now })).toEqual({ removed: 0, skipped: false });
    expect(sweepLeftovers({ home, now: now + 1_000 })).toEqual({ removed: 0, skipped: true });
    expect(sweepLeftovers({ home, now: now + 2 * DAY })).toEqual({ removed: 0, skipped: false });
    utimesSync(join(home, 'last-sweep'), new Date(now + 400 * DAY), new Date(now + 400 * DAY));
    expect(sweepLeftovers({ home, now })).toEqual({ removed: 0, skipped: false });
  });
});
