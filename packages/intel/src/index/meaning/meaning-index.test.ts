import { describe, expect, it } from 'vitest';
import { badEmbedder, direction, FakeEmbedder, goodEmbedder, MeaningWorkspace } from '../fixtures/meaning-workspace.ts';
import { MemorySections } from '../fixtures/workspace.ts';

const FUNCTIONS = 120;
/** What the third function is about, in a word that neither its code nor its comment has. */
const QUESTION = 'ideadan';

async function embedded(embedder = goodEmbedder()) {
  const place = new MeaningWorkspace(FUNCTIONS);
  const index = place.index(embedder);
  await index.meaning!.embed();
  return { place, index, embedder };
}

function textsOf(embedder: FakeEmbedder, purpose: string): string[] {
  return embedder.asked.filter((each) => each.purpose === purpose).flatMap(({ texts }) => texts);
}

describe('ranking by meaning', () => {
  it('INT-10 counts where the doc comments of the repository show a gain', async () => {
    const { index, embedder } = await embedded();
    const verdict = index.meaning!.verdict!;
    expect(verdict).toMatchObject({ embedder: 'good', samples: FUNCTIONS, chunks: FUNCTIONS });
    expect(verdict.fused).toBeGreaterThan(verdict.byWords + 0.5);
    expect(index.meaning!.weight).toBeGreaterThan(0);
    expect(index.searchWords(QUESTION)).toEqual([]);
    const [hit] = await index.search(QUESTION);
    expect(hit).toMatchObject({ rank: 1, symbol: 'work2', why: { words: [], rankers: ['meaning'] } });
    const both = await index.search(`${QUESTION} codedan`);
    expect(both[0]).toMatchObject({ symbol: 'work2', why: { words: ['codedan'], rankers: ['words', 'meaning'] } });
    expect(textsOf(embedder, 'query').at(-1)).toBe(`${QUESTION} codedan`);
  });

  it('INT-10 does not count where it makes answers worse, and then no question is sent', async () => {
    const { index, embedder } = await embedded(badEmbedder());
    expect(index.meaning!.verdict).toMatchObject({ weight: 0, samples: FUNCTIONS });
    const asked = embedder.asked.length;
    expect(await index.search('drops prosebap')).toEqual(index.searchWords('drops prosebap'));
    expect(embedder.asked.length).toBe(asked);
  });

  it('INT-10 is tried with the comments held out, on the same functions each time, and not again', async () => {
    const { index, embedder } = await embedded();
    const questions = textsOf(embedder, 'query');
    const answers = textsOf(embedder, 'document').slice(FUNCTIONS);
    expect(questions).toHaveLength(FUNCTIONS);
    for (const question of questions) expect(question).toMatch(/^Looks for every prose\w+ there is, and drops it\.$/);
    for (const answer of answers) expect(answer).not.toContain('Looks for');
    const other = await embedded();
    expect(textsOf(other.embedder, 'query')).toEqual(questions);
    expect(other.index.meaning!.verdict).toEqual(index.meaning!.verdict);
    await index.meaning!.embed();
    expect(textsOf(embedder, 'query')).toHaveLength(FUNCTIONS);
  });

  it('INT-10 proves nothing with few doc comments, and then does not count', async () => {
    const index = new MeaningWorkspace(30).index(goodEmbedder());
    await index.meaning!.embed();
    expect(index.meaning!.verdict).toMatchObject({ weight: 0, samples: 30 });
  });

  it('INT-9 needs no provider: words answer, and nothing is asked', async () => {
    const index = new MeaningWorkspace(FUNCTIONS).index(undefined);
    expect(index.meaning).toBeUndefined();
    expect(await index.search('prosebap')).toEqual(index.searchWords('prosebap'));
  });
});

describe('vectors of chunks', () => {
  it('INT-9 are missing for texts that failed, and for nothing else', async () => {
    const failing = new FakeEmbedder('good', (text) => (text.includes('codedan') ? undefined : direction(text)));
    const index = new MeaningWorkspace(FUNCTIONS).index(failing);
    expect(await index.meaning!.embed()).toEqual({ embedded: FUNCTIONS - 1, missing: 1, problem: undefined });
    expect(index.searchWords('codedan')).toHaveLength(1);
    const again = await index.meaning!.embed();
    expect(again).toEqual({ embedded: 0, missing: 1, problem: undefined });
  });

  it('INT-9 come with another run when requests failed; meanwhile words answer', async () => {
    let works = false;
    const embedder = new FakeEmbedder('good', (text) => {
      if (!works) throw new Error('the server is asleep');
      return goodEmbedder().embedOne(text);
    });
    const index = new MeaningWorkspace(1_000).index(embedder);
    const report = await index.meaning!.embed();
    expect(report).toEqual({ embedded: 0, missing: 1_000, problem: 'the server is asleep' });
    // It is not asked again and again for every batch.
    expect(embedder.asked.length).toBe(3);
    expect((await index.search('prosebap')).length).toBeGreaterThan(0);
    works = true;
    expect(await index.meaning!.embed()).toMatchObject({ embedded: 1_000, missing: 0 });
    expect(index.meaning!.weight).toBeGreaterThan(0);
    works = false;
    expect(await index.search('prosebap')).toEqual(index.searchWords('prosebap'));
  });

  it('INT-9 are made for what is new alone, and found again by what only moved', async () => {
    const { place, index, embedder } = await embedded();
    const before = textsOf(embedder, 'document').length;
    const path = 'src/part3.py';
    const lines = place.texts.get(path)!;
    lines[2] = '    first = other(value)';
    place.put(index, path);
    await index.meaning!.embed();
    expect(textsOf(embedder, 'document').slice(before)).toEqual([expect.stringContaining('first = other(value)')]);
  });

  it('INT-9 are not made of a file that is another by now', async () => {
    const place = new MeaningWorkspace(FUNCTIONS);
    const index = place.index(goodEmbedder());
    place.texts.get('src/part0.py')![3] = '    changed = behind.the(index)';
    place.texts.delete('src/part1.py');
    expect(await index.meaning!.embed()).toMatchObject({ embedded: FUNCTIONS - 7, missing: 7 });
  });

  it('INT-9 stop being made when that is cancelled, and go on from there', async () => {
    const cancel = new AbortController();
    const embedder = new FakeEmbedder('good', (text) => {
      cancel.abort(new Error('enough'));
      return direction(text);
    });
    const index = new MeaningWorkspace(FUNCTIONS).index(embedder);
    await expect(index.meaning!.embed({ signal: cancel.signal })).rejects.toThrow('enough');
    expect((await index.meaning!.embed()).embedded).toBe(FUNCTIONS - 64);
    await expect(index.search(QUESTION, { signal: cancel.signal })).resolves.toEqual([]);
  });

  it('INT-12 are stored with the verdict; those of another embedder are thrown away', async () => {
    const { place, index } = await embedded();
    const sections = new MemorySections();
    index.meaning!.save(sections);
    const embedder = goodEmbedder();
    const loaded = place.index(embedder);
    loaded.meaning!.load(sections);
    expect(await loaded.meaning!.embed()).toMatchObject({ embedded: 0, missing: 0 });
    expect(embedder.asked).toEqual([]);
    expect(await loaded.search(QUESTION)).toEqual(await index.search(QUESTION));
    const other = place.index(goodEmbedder('other'));
    other.meaning!.load(sections);
    expect(other.meaning!.verdict).toBeUndefined();
    expect(await other.meaning!.embed()).toMatchObject({ embedded: FUNCTIONS });
  });

  it('INT-13 give no hit for a chunk that vanished while the model was asked', async () => {
    const { place, index, embedder } = await embedded();
    const file = place.paths.indexOf('src/part0.py');
    embedder.beforeAnswer = () => index.remove(file);
    const hits = await index.search(QUESTION);
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.some((hit) => hit.file === file)).toBe(false);
  });

  it('INT-9 rejects a search that is cancelled while the model is asked', async () => {
    const { index, embedder } = await embedded();
    const cancel = new AbortController();
    embedder.beforeAnswer = () => cancel.abort(new Error('left'));
    await expect(index.search(QUESTION, { signal: cancel.signal })).rejects.toThrow('left');
  });
});
