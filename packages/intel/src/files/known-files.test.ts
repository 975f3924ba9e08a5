import { FileTree } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { indexReport } from './index-report.ts';
import { KnownFiles } from './known-files.ts';
import { SnapshotFile, SnapshotWriter } from './snapshot-file.ts';

function sample(): KnownFiles {
  const files = new KnownFiles(new FileTree('/w'));
  const { tree } = files;
  const names = ['a.ts', 'b.py', 'c.png', 'd.min.js', 'e.c', 'f', 'g'];
  tree.top.list(
    names,
    names.map((name) => tree.add(tree.top, name)),
  );
  for (const id of tree.ids()) tree.record(id, 1_000 + id, 10, 0);
  files.note(0, { language: 'typescript', state: 'parsed' });
  files.note(1, { language: 'python', state: 'partial', why: '2 syntax errors' });
  files.note(2, { language: undefined, state: 'binary' });
  files.note(3, { language: 'javascript', state: 'skipped', why: 'minified' });
  files.note(4, { language: undefined, state: 'unreadable', why: 'EACCES' });
  files.note(5, { language: undefined, state: 'text' });
  return files;
}

function stored(files: KnownFiles): KnownFiles {
  const writer = new SnapshotWriter();
  files.save(writer);
  return KnownFiles.load(new SnapshotFile(new Uint8Array(Buffer.concat(writer.parts()))), '/w');
}

const COUNTS = { symbols: 1, references: 2, chunks: 3, notes: [] };

describe('KnownFiles', () => {
  it('INT-12 come back as they were stored', () => {
    const files = sample();
    files.note(1, { language: 'python', state: 'parsed' });
    files.tree.remove(0);
    files.forget(0);
    const loaded = stored(files);
    for (const each of [files, loaded]) {
      expect([...each.ids()].map((id) => [each.path(id), each.language(id), each.state(id), each.reason(id)])).toEqual([
        ['b.py', 'python', 'parsed', undefined],
        ['c.png', undefined, 'binary', undefined],
        ['d.min.js', 'javascript', 'skipped', 'minified'],
        ['e.c', undefined, 'unreadable', 'EACCES'],
        ['f', undefined, 'text', undefined],
        ['g', undefined, undefined, undefined],
      ]);
      expect([each.size, each.has(0), each.idOf('a.ts'), each.idOf('f'), each.language(0)]).toEqual([
        7,
        false,
        undefined,
        5,
        undefined,
      ]);
    }
  });
});

describe('indexReport', () => {
  it('INT-5 counts each file in one state, and notes why some were left out', () => {
    const files = sample();
    files.tree.unreadable.set('shut/', 'the folder cannot be read (EACCES)');
    expect(indexReport({ files, ...COUNTS })).toEqual({
      files: 8,
      parsed: 1,
      partial: 1,
      text: 1,
      skipped: 1,
      binary: 1,
      unreadable: 2,
      symbols: 1,
      references: 2,
      chunks: 3,
      sourceBytes: 30,
      notes: [
        { path: 'shut/', why: 'the folder cannot be read (EACCES)' },
        { path: 'd.min.js', why: 'minified' },
        { path: 'e.c', why: 'EACCES' },
      ],
    });
  });

  it('INT-5 gives twenty notes at most, what goes for all first', () => {
    const files = sample();
    for (let index = 0; index < 30; index++) files.tree.unreadable.set(`${index}/`, 'shut');
    const { notes, unreadable } = indexReport({ files, ...COUNTS, notes: ['no watch is left'] });
    expect([notes.length, notes[0], notes[1], unreadable]).toEqual([
      20,
      { path: '.', why: 'no watch is left' },
      { path: '0/', why: 'shut' },
      31,
    ]);
  });
});
