import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskDocuments } from './disk-documents.ts';
import type { Document } from './document.ts';

let root: string;
const documents = new DiskDocuments({ maxBytes: 6 * 1024 * 1024 });

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'documents-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function read(name: string): Promise<Document> {
  const outcome = await documents.read(join(root, name));
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.document;
}

async function readCode(path: string): Promise<string> {
  const outcome = await documents.read(path);
  return outcome.ok ? 'ok' : outcome.error.code;
}

describe('DiskDocuments', () => {
  it('IDE-52 reads a file with its encoding, endings, version and mode', async () => {
    writeFileSync(join(root, 'a.txt'), '\ufeffgrüße\r\n', { mode: 0o640 });
    chmodSync(join(root, 'a.txt'), 0o750);
    const document = await read('a.txt');
    expect(document).toMatchObject({
      text: 'grüße\r\n',
      encoding: 'utf-8',
      mode: 0o750,
      links: 1,
      size: 12,
      unsaved: false,
    });
    expect(document.codec?.bom).toBe(true);
    expect(document.eol).toMatchObject({ crlf: 1, dominant: '\r\n' });
    expect(document.version).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(join(root, 'b.txt'), '\ufeffgrüße\r\n');
    expect((await read('b.txt')).version).toBe(document.version);
  });

  it('IDE-52 reads binary, empty and big files', async () => {
    writeFileSync(join(root, 'binary'), Buffer.from([0, 1, 2]));
    expect(await read('binary')).toMatchObject({ text: null, encoding: null, eol: null, binary: 'it holds NUL bytes' });
    writeFileSync(join(root, 'empty'), '');
    expect(await read('empty')).toMatchObject({ text: '', size: 0 });
    writeFileSync(join(root, 'big'), 'x'.repeat(5 * 1024 * 1024));
    expect((await read('big')).text).toHaveLength(5 * 1024 * 1024);
  });

  it('IDE-52 refuses, at once, whatever is no regular file', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    mkdirSync(join(root, 'folder'));
    symlinkSync('/etc/passwd', join(root, 'link'));
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      for (const name of ['pipe', 'folder', 'link', 'socket'])
        expect(await readCode(join(root, name)), name).toBe('not_a_file');
      expect(await readCode('/dev/tty')).toBe('not_a_file');
      expect(await readCode('/dev/zero')).toBe('not_a_file');
      const outcome = await documents.read(join(root, 'pipe'));
      expect(!outcome.ok && outcome.error).toMatchObject({
        message: expect.stringContaining('named pipe'),
        next: expect.any(String),
      });
    } finally {
      server.close();
    }
  });

  it('IDE-52 types what else can be wrong', async () => {
    writeFileSync(join(root, 'file'), 'x');
    expect(await readCode(join(root, 'nothing'))).toBe('missing');
    expect(await readCode(join(root, 'file', 'below'))).toBe('not_a_folder');
    expect(await readCode(join(root, 'n'.repeat(300)))).toBe('path_too_long');
    writeFileSync(join(root, 'huge'), Buffer.alloc(6 * 1024 * 1024 + 1));
    expect(await readCode(join(root, 'huge'))).toBe('too_large');
  });

  it('IDE-53 refuses a path with a link in it, put there after the path was resolved', async () => {
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key'), 'secret');
    symlinkSync('secret', join(root, 'open'));
    expect(await readCode(join(root, 'open', 'key'))).toBe('path_moved');
    const listed = await documents.list(join(root, 'open'));
    expect(listed).toMatchObject({ ok: false });
  });

  it('IDE-52 counts hard links', async () => {
    writeFileSync(join(root, 'a'), 'x');
    linkSync(join(root, 'a'), join(root, 'b'));
    expect((await read('a')).links).toBe(2);
  });

  it('IDE-52 reads files that claim to be empty to their end', async () => {
    expect((await documents.read('/proc/version')).ok).toBe(true);
  });

  it('IDE-52 rejects with the reason when aborted', async () => {
    writeFileSync(join(root, 'a'), 'x');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(documents.read(join(root, 'a'), signal)).rejects.toThrow('enough');
    await expect(documents.stat(join(root, 'a'), signal)).rejects.toThrow('enough');
    await expect(documents.list(root, { signal })).rejects.toThrow('enough');
  });

  it('IDE-52 looks at paths without following them', async () => {
    writeFileSync(join(root, 'a'), 'abc');
    symlinkSync('a', join(root, 'l'));
    expect(await documents.stat(join(root, 'a'))).toMatchObject({ ok: true, stat: { kind: 'file', size: 3 } });
    expect(await documents.stat(join(root, 'l'))).toMatchObject({ ok: true, stat: { kind: 'link' } });
    expect(await documents.stat(root)).toMatchObject({ ok: true, stat: { kind: 'folder' } });
    expect(await documents.stat('/dev/null')).toMatchObject({ ok: true, stat: { kind: 'other' } });
    expect(await documents.stat(join(root, 'b'))).toMatchObject({ ok: false, error: { code: 'missing' } });
  });

  it('IDE-52 lists a folder in order and says where it stopped', async () => {
    for (const name of ['b', 'a', 'ä', '.hidden']) writeFileSync(join(root, name), '');
    mkdirSync(join(root, 'c'));
    const listed = await documents.list(root);
    expect(listed).toEqual({
      ok: true,
      truncated: false,
      entries: [
        { name: '.hidden', kind: 'file' },
        { name: 'a', kind: 'file' },
        { name: 'b', kind: 'file' },
        { name: 'c', kind: 'folder' },
        { name: 'ä', kind: 'file' },
      ],
    });
    expect(await documents.list(root, { limit: 2 })).toMatchObject({ ok: true, truncated: true });
    expect(await documents.list(root, { limit: 5 })).toMatchObject({ ok: true, truncated: false });
    expect(await documents.list(join(root, 'a'))).toMatchObject({ ok: false, error: { code: 'not_a_folder' } });
  });
});
