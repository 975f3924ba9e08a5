import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SectionReader, SectionWriter } from './sections.ts';
import { VectorKeeper, type Vectors } from './vector-keeper.ts';

/** Counts what was embedded, and keeps the count. */
class CountedVectors implements Vectors {
  count = 0;
  /** Called when embedding begins. */
  during: (signal: AbortSignal) => unknown = () => undefined;

  async embed({ signal }: { signal: AbortSignal }): Promise<{ embedded: number; problem: string | undefined }> {
    this.count++;
    await this.during(signal);
    signal.throwIfAborted();
    return { embedded: 1, problem: undefined };
  }

  save(writer: SectionWriter): void {
    writer.value('count', this.count);
  }

  load(reader: SectionReader): void {
    this.count = Number(reader.value('count'));
  }
}

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  path = join(folder, 'vectors.bin');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(claim = () => true): { vectors: CountedVectors; keeper: VectorKeeper } {
  const vectors = new CountedVectors();
  return { vectors, keeper: new VectorKeeper({ vectors, path, claim }) };
}

describe('VectorKeeper', () => {
  it('INT-9 runs once more for changes that came meanwhile, stores, and loads again', async () => {
    const { vectors, keeper } = open();
    vectors.during = () => {
      vectors.during = () => undefined;
      keeper.indexChanged();
      keeper.indexChanged();
    };
    keeper.indexChanged();
    await expect.poll(() => readdirSync(folder)).toEqual(['vectors.bin']);
    await keeper.dispose();
    expect(vectors.count).toBe(2);
    expect(open().vectors.count).toBe(2);
  });

  it('INT-9 ends what is under way when it is disposed, and stores what was made', async () => {
    const { vectors, keeper } = open();
    vectors.during = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    keeper.indexChanged();
    await keeper.dispose();
    expect([open().vectors.count, keeper.problem]).toEqual([1, undefined]);
  });

  it('INT-12 begins anew where the stored vectors are damaged, and says so', async () => {
    writeFileSync(path, 'cut');
    const { vectors, keeper } = open();
    expect([vectors.count, keeper.problem]).toEqual([0, expect.stringContaining('cannot be used')]);
    keeper.indexChanged();
    await expect.poll(() => keeper.problem).toBeUndefined();
    await keeper.dispose();
    expect(open().vectors.count).toBe(1);
  });

  it('INT-12 writes nothing where another process is the one who writes', async () => {
    const { keeper } = open(() => false);
    keeper.indexChanged();
    await keeper.dispose();
    expect(readdirSync(folder)).toEqual([]);
  });
});
