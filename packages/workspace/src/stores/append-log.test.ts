import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendLog } from './append-log.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'append-log-'));
  path = join(folder, 'log.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('AppendLog', () => {
  it('SES-6 every line is on disk when append returns, whole and for its owner alone', () => {
    const log = AppendLog.open(path);
    log.append(['one']);
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    log.append(['two', '{"emoji":"😀"}'], true);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n{"emoji":"😀"}\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    log.dispose();
    log.dispose();
    expect(() => log.append(['three'])).toThrow(expect.objectContaining({ code: 'log_closed' }));
  });

  it('SES-6 begins on a fresh line below a line that was cut at any byte', () => {
    const whole = Buffer.from('{"a":"é😀"}\n{"b":1}\n');
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      const log = AppendLog.open(path);
      log.append(['{"next":1}']);
      log.append(['{"next":2}']);
      log.dispose();
      const before = whole.subarray(0, cut);
      const fresh = cut === 0 || whole[cut - 1] === 10 ? '' : '\n';
      const expected = Buffer.concat([before, Buffer.from(`${fresh}{"next":1}\n{"next":2}\n`)]);
      expect(readFileSync(path).equals(expected)).toBe(true);
    }
  });

  it('SES-6 keeps whatever was appended, in order, through any number of openings', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
    fc.assert(
      fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), (appends) => {
        rmSync(path, { force: true });
        for (const lines of appends) {
          const log = AppendLog.open(path);
          log.append(lines);
          log.dispose();
        }
        const text = appends.flat().map((each) => `${each}\n`);
        expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(text.join(''));
      }),
    );
  });

  it('SES-6 refuses to go on after a write that failed', () => {
    // Every write to /dev/full fails as on a full disk; it is no regular file, so the failure is at the opening.
    expect(() => AppendLog.open('/dev/full')).toThrow(expect.objectContaining({ code: 'log_unwritable' }));
    const log = AppendLog.open(path);
    log.append(['one']);
    rmSync(path);
    expect(() => log.append(['two'])).toThrow(expect.objectContaining({ code: 'log_gone' }));
    writeFileSync(path, '');
    expect(() => log.append(['three'])).toThrow(expect.objectContaining({ code: 'log_gone' }));
    expect(log.failure?.code).toBe('log_gone');
    expect(readFileSync(path, 'utf8')).toBe('');
    log.dispose();
  });

  it('SES-6 keeps the failure of a disk that fills up in the middle of a line', async () => {
    // The shell's file size limit cuts a write short as a full disk does (1 block is 512 or 1024 bytes).
    const code = `
      import { AppendLog } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'append-log.ts')).href)};
      process.on('SIGXFSZ', () => {});
      const log = AppendLog.open(${JSON.stringify(path)});
      log.append(['first']);
      const codes = [];
      for (let i = 0; i < 2; i++) try { log.append(['x'.repeat(1500 * (1 - i) + 1)]); } catch (e) { codes.push(e.code); }
      console.log(codes.join());`;
    const child = spawn('/bin/sh', [
      '-c',
      'ulimit -f 1; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      code,
    ]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    expect(output.trim()).toBe('log_unwritable,log_unwritable');
    expect(readFileSync(path, 'utf8')).toMatch(/^first\nx+$/);
  });

  it('SES-6 does not open what it must not write', () => {
    writeFileSync(path, 'there\n');
    expect(() => AppendLog.open(path, { exclusive: true })).toThrow(expect.objectContaining({ code: 'log_exists' }));
    expect(() => AppendLog.open(folder)).toThrow(expect.objectContaining({ code: 'log_unwritable' }));
    expect(() => AppendLog.open(join(folder, 'no', 'such'))).toThrow(
      expect.objectContaining({ code: 'log_unwritable' }),
    );
    if (process.getuid?.() !== 0) {
      chmodSync(path, 0o400);
      expect(() => AppendLog.open(path)).toThrow(expect.objectContaining({ code: 'log_unwritable' }));
    }
    const log = AppendLog.open(path);
    expect(() => log.append(['two\nlines'])).toThrow(TypeError);
    log.append(['one']);
    log.dispose();
    expect(readFileSync(path, 'utf8')).toBe('there\none\n');
  });

  it('SES-6 a process killed in the middle of appending loses nothing that it was told is written', async () => {
    const code = `
      import { AppendLog } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'append-log.ts')).href)};
      const log = AppendLog.open(${JSON.stringify(path)});
      for (let i = 0; ; i++) {
        log.append([JSON.stringify({ i, fill: '😀'.repeat(i % 5000) })]);
        process.stdout.write(i + '\\n');
        await new Promise(setImmediate);
      }`;
    for (const after of [1, 40, 200]) {
      rmSync(path, { force: true });
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = -1;
      for await (const line of createInterface({ input: child.stdout })) {
        told = Number(line);
        if (told === after) child.kill('SIGKILL');
      }
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      expect(told).toBeGreaterThanOrEqual(after);
      expect(lines.length).toBeGreaterThan(told);
      expect(lines.map((line) => JSON.parse(line).i)).toEqual(lines.map((_, i) => i));
    }
  });
});
