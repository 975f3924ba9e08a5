import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLocalProgram, findProgram } from './find-program.ts';

function folder(...programs: string[]): string {
  const path = realpathSync(temporaryFolder());
  for (const program of programs) {
    writeFileSync(join(path, program), '#!/bin/sh\n');
    chmodSync(join(path, program), 0o755);
  }
  return path;
}

describe.runIf(process.platform !== 'win32')('findProgram', () => {
  it('IDE-84 finds the first that can be run', () => {
    const [without, first, second] = [folder(), folder('tool'), folder('tool')];
    writeFileSync(join(without, 'tool'), 'no program');
    expect(findProgram('tool', { env: { PATH: [without, '/no/such', first, second].join(':') } })).toBe(
      join(first, 'tool'),
    );
    expect(findProgram('tool', { env: { PATH: without } })).toBeUndefined();
    expect(findProgram('tool', { env: {} })).toBeUndefined();
    mkdirSync(join(without, 'folder'));
    expect(findProgram('folder', { env: { PATH: without } })).toBeUndefined();
  });

  it('§5a never finds a program of the workspace, nor one by a relative entry', () => {
    const workspace = folder('tool');
    const links = folder();
    symlinkSync(workspace, join(links, 'folder'));
    symlinkSync(join(workspace, 'tool'), join(links, 'tool'));
    const alias = join(folder(), 'alias');
    symlinkSync(workspace, alias);
    const find = (PATH: string, at = workspace): string | undefined =>
      findProgram('tool', { env: { PATH }, workspace: at });
    expect(find(workspace)).toBeUndefined();
    expect(find(join(links, 'folder'))).toBeUndefined();
    expect(find(links)).toBeUndefined();
    expect(find(workspace, alias)).toBeUndefined();
    expect(find('.:bin:')).toBeUndefined();
    const sibling = `${workspace}-other`;
    mkdirSync(sibling);
    writeFileSync(join(sibling, 'tool'), '');
    chmodSync(join(sibling, 'tool'), 0o755);
    expect(find(sibling)).toBe(join(sibling, 'tool'));
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(process.platform !== 'win32')('findLocalProgram', () => {
  it('INT-20 finds the first that can be run in the folders that are named, through links as well', () => {
    const [without, first, second, links] = [folder(), folder('tool'), folder('tool'), folder()];
    writeFileSync(join(without, 'tool'), 'no program');
    symlinkSync(join(second, 'tool'), join(links, 'tool'));
    symlinkSync('/no/such', join(links, 'broken'));
    expect(findLocalProgram('tool', [without, '/no/such', first, second])).toBe(join(first, 'tool'));
    expect(findLocalProgram('tool', [links])).toBe(join(links, 'tool'));
    expect(findLocalProgram('broken', [links])).toBeUndefined();
    expect(findLocalProgram('tool', [])).toBeUndefined();
  });
});
