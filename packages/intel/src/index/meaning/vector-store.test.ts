import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemorySections } from '../fixtures/workspace.ts';
import { unitVector, VectorStore, vectorKey } from './vector-store.ts';

const WIDTH = 24;
const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: WIDTH, maxLength: WIDTH })
  .map((values) => Float32Array.from(values))
  .filter((values) => values.some((value) => Math.abs(value) > 0.01));

function storeOf(vectors: readonly Float32Array[], embedder = 'one'): VectorStore {
  const store = new VectorStore();
  store.keepOnly(embedder);
  vectors.forEach((each, i) => {
    store.add(i, each);
  });
  return store;
}

function cosine(x: Float32Array, y: Float32Array): number {
  const [a, b] = [unitVector(x)!, unitVector(y)!];
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

describe('vectors', () => {
  it('INT-9 are compared nearly as they were before they became bytes, also after a reload', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 8 }), vector, (vectors, question) => {
        const store = storeOf(vectors);
        const sections = new MemorySections();
        store.save(sections, () => true);
        const loaded = new VectorStore();
        loaded.load(sections);
        vectors.forEach((each, i) => {
          const likeness = store.likeness(i, unitVector(question)!)!;
          expect(Math.abs(likeness - cosine(each, question))).toBeLessThan(0.02);
          expect(loaded.likeness(i, unitVector(question)!)).toBeCloseTo(likeness, 10);
        });
      }),
    );
  });

  it('INT-9 that are none, or of another width, are not kept', () => {
    const store = storeOf([Float32Array.of(1, 2)]);
    for (const odd of [[], [1], [1, 2, 3], [0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1]]) {
      expect(store.add(7, Float32Array.from(odd)), String(odd)).toBe(false);
    }
    expect(store.has(7)).toBe(false);
    expect(store.count).toBe(1);
  });

  it('INT-9 of another embedder are thrown away', () => {
    const store = storeOf([Float32Array.of(1, 2)]);
    store.keepOnly('one');
    expect(store.count).toBe(1);
    store.keepOnly('two');
    expect(store.count).toBe(0);
    expect(store.add(1, Float32Array.of(1, 2, 3))).toBe(true);
  });

  it('INT-12 are stored for the chunks that there are, and refused when they make no sense', () => {
    const sections = new MemorySections();
    storeOf([Float32Array.of(1, 2), Float32Array.of(3, 4)]).save(sections, (key) => key === 1);
    const store = new VectorStore();
    store.load(sections);
    expect([store.count, store.has(0), store.has(1), store.embedder]).toEqual([1, false, true, 'one']);
    sections.array('values', new Int8Array(3));
    sections.array('keys', new Uint32Array(4));
    expect(() => store.load(sections)).toThrow('do not fit');
    sections.value('format', 9);
    expect(() => store.load(sections)).toThrow('foreign');
    expect(store.count).toBe(1);
  });

  it('INT-9 have keys that tell the halves of a fingerprint apart', () => {
    const keys = [vectorKey(1, 2), vectorKey(2, 1), vectorKey(-1, -1), vectorKey(-1, 0), vectorKey(0, -1)];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(Number.isSafeInteger(key)).toBe(true);
  });
});
