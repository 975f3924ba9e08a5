import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probeProgram } from './probe-program.ts';

function program(script: string): string {
  const path = join(temporaryFolder(), 'tool');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.runIf(process.platform !== 'win32')('probeProgram', () => {
  it('IDE-84 answers the first line of what works', async () => {
    expect(await probeProgram(program('echo "tool $1"; echo more'), ['1.2'])).toEqual({ ok: true, line: 'tool 1.2' });
  });

  it('§5a runs in the root folder, without input and without our environment', async () => {
    process.env.PROBE_SECRET = 'x';
    try {
      const probe = await probeProgram(program('read line; echo "$(pwd) [$line] [$PROBE_SECRET] [$HOME]"'), []);
      expect(probe).toEqual({ ok: true, line: '/ [] [] []' });
    } finally {
      delete process.env.PROBE_SECRET;
    }
  });

  it('§5a passes arguments as they are: no shell reads them', async () => {
    const probe = await probeProgram(program('echo "$1"'), ['a"; echo $(id) `id`']);
    expect(probe).toEqual({ ok: true, line: 'a"; echo $(id) `id`' });
  });

  it('IDE-84 says why something does not work, and does not wait for ever', async () => {
    expect(await probeProgram('/no/such/program', [])).toMatchObject({
      ok: false,
      problem: expect.stringContaining('ENOENT'),
    });
    expect(await probeProgram(program('exit 3'), [])).toMatchObject({ ok: false });
    const slow = await probeProgram(program('exec sleep 60'), [], { patienceMs: 50 });
    expect(slow).toEqual({ ok: false, problem: 'it did not answer in 0.05 s' });
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
