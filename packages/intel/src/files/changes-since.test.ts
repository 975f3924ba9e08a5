import { FileTree } from '@black-ide/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangesSince } from './changes-since.ts';
import { PlainLayer, plainCodec } from './fixtures/plain-parts.ts';
import { KnownFiles } from './known-files.ts';
import type { ParsedFile } from './layer.ts';
import { SnapshotFile, SnapshotWriter } from './snapshot-file.ts';

function parsed(word: string): ParsedFile {
  return plainCodec.unpack(Buffer.from(JSON.stringify({ names: [word], state: 'parsed' })));
}

function stored(changes: ChangesSince, gone: number[] = []): SnapshotFile {
  const writer = new SnapshotWriter();
  changes.save(writer, gone);
  return new SnapshotFile(new Uint8Array(Buffer.concat(writer.parts())));
}

/** A layer with files 0 to 9, each of the word `old`. */
function layerOf(): PlainLayer {
  const files = new KnownFiles(new FileTree('/'));
  const layer = new PlainLayer(files);
  for (let id = 0; id < 10; id++) {
    files.tree.add(files.tree.top, String(id));
    layer.put(id, parsed('old'));
  }
  return layer;
}

describe('ChangesSince', () => {
  it('INT-12 brings a layer that was stored before them up to date', () => {
    const step = fc.record({ id: fc.nat(9), word: fc.option(fc.constantFrom('a', 'b')) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.uniqueArray(fc.nat(9)), (steps, gone) => {
        const [live, loaded] = [layerOf(), layerOf()];
        const changes = new ChangesSince(plainCodec);
        changes.reset();
        for (const { id, word } of steps) {
          for (const each of [live, changes]) word === null ? each.remove(id) : each.put(id, parsed(word));
        }
        const again = new ChangesSince(plainCodec);
        again.load(stored(changes, gone), [loaded]);
        for (const id of gone) if (!steps.some((each) => each.id === id && each.word !== null)) live.remove(id);
        expect(loaded.known()).toEqual(live.known());
        const third = layerOf();
        new ChangesSince(plainCodec).load(stored(again), [third]);
        expect(third.known()).toEqual(live.known());
      }),
    );
  });

  it('INT-12 gives up when it is too much, and begins anew when all was stored', () => {
    const changes = new ChangesSince(plainCodec);
    expect(changes.overflowed).toBe(true);
    changes.reset();
    for (let id = 0; id < 64; id++) changes.put(id, parsed('a'));
    for (let id = 0; id < 64; id++) changes.put(id, parsed('b'));
    expect(changes.overflowed).toBe(false);
    changes.remove(99);
    expect(changes.overflowed).toBe(true);
    changes.reset();
    expect(changes.overflowed).toBe(false);
    changes.put(1, parsed('long'.repeat(300_000)));
    expect(changes.overflowed).toBe(true);
    expect(stored(changes).uint32('ids')).toHaveLength(0);
  });
});
