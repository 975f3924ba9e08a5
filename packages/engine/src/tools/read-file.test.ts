import { createTempWorkspace, GIF, PNG } from '@black-ide/testkit';
import { DiskDocuments, PathGuard, ReadLedger, type ResolvedPath } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { readFile } from './read-file.ts';

/** Reads a file of a workspace for a model that can, or cannot, look at images. */
async function read(files: Record<string, Buffer>, path: string, images: boolean) {
  await using workspace = await createTempWorkspace({ files });
  const guard = new PathGuard({ root: workspace.path });
  const services = {
    documents: new DiskDocuments(),
    ledger: new ReadLedger(),
    resolve: (name: string) => guard.resolve(name, 'read') as ResolvedPath,
  };
  const never = new AbortController().signal;
  return readFile.run({ path }, { services, signal: never, images } as unknown as Parameters<typeof readFile.run>[1]);
}

describe('read_file', () => {
  it('IDE-74 hands a picture over by what it holds, not by its name', async () => {
    const { content, isError } = await read({ 'x.txt': GIF }, 'x.txt', true);
    expect(isError).toBeUndefined();
    expect(content[1]).toEqual({ type: 'image', mimeType: 'image/gif', data: GIF.toString('base64') });
  });

  it('IDE-74 tells a model that cannot see what is there', async () => {
    const { content } = await read({ 'x.png': PNG }, 'x.png', false);
    expect(content).toEqual([
      {
        type: 'text',
        text: `[x.png: image/png, 1 × 1 pixels, ${PNG.length} bytes. This model cannot look at images.]`,
      },
    ]);
  });

  it('IDE-74 refuses one that a provider would refuse, whoever asks', async () => {
    expect(await read({ 'x.png': PNG.subarray(0, 50) }, 'x.png', true)).toMatchObject({ isError: true });
    expect(await read({ 'x.png': PNG.subarray(0, 50) }, 'x.png', false)).toMatchObject({ isError: true });
  });
});
