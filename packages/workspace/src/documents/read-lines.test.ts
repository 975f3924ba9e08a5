import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { createTempWorkspace, runProcess, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

let workspace: TempWorkspace;

beforeEach(async () => {
  workspace = await createTempWorkspace();
});

afterEach(() => workspace.dispose());

describe('readLines', () => {
  it('INT-13 reads the lines that are asked for, and fewer where there are no more', async () => {
    await workspace.write('a', 'one\ntwo\r\n\nfour');
    const lines = (start: number, end: number) => readLines(workspace.at('a'), start, end);
    expect(lines(1, 1)).toEqual(['one']);
    expect(lines(2, 4)).toEqual(['two', '', 'four']);
    expect(lines(4, 9)).toEqual(['four']);
    expect(lines(5, 9)).toEqual([]);
    await workspace.write('a', 'one\n');
    expect(lines(1, 2)).toEqual(['one']);
  });

  it('INT-5 reads UTF-16 and stray bytes', async () => {
    await workspace.write('le', Buffer.from('\ufeffä\nb', 'utf16le'));
    await workspace.write('be', Buffer.from('\ufeffä\nb', 'utf16le').swap16());
    await workspace.write('marked', '\ufeffä\nb');
    await workspace.write('stray', Buffer.from('a\xff\nb', 'latin1'));
    for (const name of ['le', 'be', 'marked']) expect(readLines(workspace.at(name), 1, 2)).toEqual(['ä', 'b']);
    expect(readLines(workspace.at('stray'), 1, 2)).toEqual(['a\ufffd', 'b']);
  });

  it('INT-5 reads nothing but regular files, and follows no link', async () => {
    await workspace.write('real/a', 'secret');
    symlinkSync('real/a', workspace.at('link'));
    symlinkSync('real', workspace.at('folder'));
    mkdirSync(workspace.at('b'));
    await runProcess({ command: 'mkfifo', args: [workspace.at('pipe')], env: { PATH: process.env.PATH } });
    for (const name of ['link', 'folder/a', 'b', 'pipe', 'nothing']) {
      expect(readLines(workspace.at(name), 1, 1), name).toBeUndefined();
    }
    renameSync(workspace.at('real/a'), workspace.at('c'));
    expect(readLines(workspace.at('c'), 1, 1)).toEqual(['secret']);
  });
});
