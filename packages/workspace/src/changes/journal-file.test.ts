import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recoverChanges } from './change-journal.ts';
import type { Step } from './change-steps.ts';
import { nodeFileOps } from './file-ops.ts';
import { abortJournal, JournalFile, listJournals, parseJournal } from './journal-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stamp = { dev: '1', ino: '18446744073709551615', size: '3', mtimeNs: '1796049142972579600' };
const step: Step = { kind: 'put', path: '/w/grüße\n.txt', temp: 'new', backup: 'old', before: stamp, after: stamp };

async function written(): Promise<{ path: string; text: string }> {
  const file = JournalFile.create(nodeFileOps, folder, 'x');
  file.prepare('call-1', ['/w/a'], [step]);
  await file.commit([step]);
  file.close();
  const path = join(folder, 'x.journal');
  return { path, text: readFileSync(path, 'utf8') };
}

describe('JournalFile', () => {
  it('IDE-52 says what was written to it', async () => {
    const { text } = await written();
    expect(parseJournal(text)).toMatchObject({ state: 'committed', label: 'call-1', folders: ['/w/a'], steps: [step] });
  });

  it('IDE-52 cut at any byte, never says more than it did', async () => {
    const { text } = await written();
    const bytes = Buffer.from(text);
    const firstLine = bytes.indexOf(0x0a) + 1;
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const state = cut < firstLine ? 'empty' : cut < bytes.length ? 'prepared' : 'committed';
      expect(parseJournal(bytes.subarray(0, cut).toString()).state, `cut at ${cut}`).toBe(state);
    }
  });

  it('IDE-52 is taken back by changing one byte, by its writer or by another', async () => {
    const { path, text } = await written();
    abortJournal(nodeFileOps, path, parseJournal(text));
    const aborted = readFileSync(path, 'utf8');
    expect(parseJournal(aborted)).toEqual({ ...parseJournal(text), state: 'aborted' });
    expect(aborted).toHaveLength(text.length);
    const file = JournalFile.create(nodeFileOps, folder, 'y');
    file.prepare('ü', [], [step]);
    await file.commit([step]);
    file.abort();
    expect(parseJournal(readFileSync(join(folder, 'y.journal'), 'utf8')).state).toBe('aborted');
    file.remove();
    expect(listJournals(nodeFileOps, folder)).toEqual([path]);
  });

  it.each(['garbage\n', '{"phase":"commit"}\n', '{"phase":"prepare","v":2,"folders":[],"files":[]}\n', 'null\n'])(
    'IDE-52 refuses %j, and recovery leaves it for a person',
    async (text) => {
      expect(() => parseJournal(text)).toThrow('cannot be read');
      const journal = join(folder, 'sub');
      mkdirSync(journal);
      writeFileSync(join(journal, 'x.journal'), text);
      const recovered = await recoverChanges({ folder: journal });
      expect(recovered).toMatchObject([{ outcome: 'stuck', error: { code: 'journal_damaged' } }]);
      expect(readdirSync(journal)).toEqual(['x.journal']);
    },
  );

  it('IDE-52 finds nothing to recover in a folder that does not exist yet', async () => {
    expect(await recoverChanges({ folder: join(folder, 'not', 'yet') })).toEqual([]);
  });
});
