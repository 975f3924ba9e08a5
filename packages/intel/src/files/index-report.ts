import type { IndexReport } from '../code-intelligence-api.ts';
import type { KnownFiles } from './known-files.ts';

export interface ReportedParts {
  files: KnownFiles;
  symbols: number;
  references: number;
  chunks: number;
  /** What goes for the workspace as a whole. */
  notes: readonly string[];
}

const MOST_NOTES = 20;

/** Counts what became of the files. Folders and names that cannot be read count as unreadable, too. */
export function indexReport({ files, notes: general, ...counts }: ReportedParts): IndexReport {
  const { tree } = files;
  const states = { parsed: 0, partial: 0, text: 0, skipped: 0, binary: 0, unreadable: tree.unreadable.size };
  const notes = general.map((why) => ({ path: '.', why }));
  for (const [path, why] of tree.unreadable) notes.push({ path: path || '.', why });
  let sourceBytes = 0;
  for (const id of tree.ids()) {
    const state = files.state(id);
    if (!state) continue;
    states[state]++;
    if (state === 'skipped' || state === 'unreadable') {
      if (notes.length < MOST_NOTES) notes.push({ path: tree.path(id), why: files.reason(id) ?? state });
    } else if (state !== 'binary') sourceBytes += tree.bytes(id);
  }
  const total = tree.count + tree.unreadable.size;
  return { files: total, ...states, ...counts, sourceBytes, notes: notes.slice(0, MOST_NOTES) };
}
