import { decodeFile } from '../text/encodings.ts';
import { applyHunks, countLines, type Hunk, makeHunks, reverseHunks } from '../text/hunks.ts';
import { sameFormat, type TextFormat } from '../text/text-codec.ts';
import { unifiedDiff } from '../text/unified-diff.ts';
import type { FileState } from './file-state.ts';
import type { PlannedChange } from './plan-changes.ts';

export type ChangeKind = 'created' | 'modified' | 'deleted' | 'renamed';

/**
 * How to get the old content back from the new one: there was none; it is the same; by hunks of the text in this format;
 * or only from the old bytes themselves, because they are binary, gone, or stored in another format now.
 */
export type ReverseChange =
  | { kind: 'absent' }
  | { kind: 'same' }
  | { kind: 'hunks'; format: TextFormat; hunks: Hunk[] }
  | { kind: 'bytes' };

/** One file of a commit: everything that showing it and undoing it needs. */
export interface FileChange {
  /** As people and models know it. */
  path: string;
  /** The real path. */
  real: string;
  kind: ChangeKind;
  /** With `renamed`: the file it was. */
  from?: { path: string; real: string };
  before: FileState | null;
  after: FileState | null;
  reverse: ReverseChange;
  /** Lines; 0 for binary files. */
  added: number;
  removed: number;
  /** Unified diff for display, cut at 64 Ki characters. */
  diff: string;
  /** Whether somebody else's change since the base was merged in. */
  merged: boolean;
  /** What a person should know, e.g. that other hard links keep the old content. */
  notes: string[];
}

/** Compares the two sides of a planned change. */
export async function describeChange(planned: PlannedChange): Promise<FileChange> {
  const { shown, real, from, source, before, after, merged, notes } = planned;
  const old = source ?? before;
  const kind: ChangeKind = from ? 'renamed' : before === null ? 'created' : after === null ? 'deleted' : 'modified';
  const names = { from: old === null ? null : (from?.path ?? shown), to: after === null ? null : shown };
  return {
    path: shown,
    real,
    kind,
    ...(from ? { from } : {}),
    before: old && stateOnly(old),
    after: after && stateOnly(after),
    ...(await compareStates(old, after, names)),
    merged,
    notes,
  };
}

function stateOnly({ version, size, mode, bytes, link }: FileState): FileState {
  return { version, size, mode, bytes, ...(link ? { link } : {}) };
}

/** What lies between two states of a file, in a form that can be shown and taken back. */
export async function compareStates(
  before: FileState | null,
  after: FileState | null,
  names: { from: string | null; to: string | null },
): Promise<Pick<FileChange, 'reverse' | 'added' | 'removed' | 'diff'>> {
  if (before && after && before.version === after.version)
    return { reverse: { kind: 'same' }, added: 0, removed: 0, diff: '' };
  const [old, now] = await Promise.all([before, after].map((state) => decodeFile(state?.bytes ?? new Uint8Array())));
  const kept: ReverseChange = before === null ? { kind: 'absent' } : { kind: 'bytes' };
  if (before?.link || after?.link) {
    const shown = [before, after].map((state) =>
      state?.link ? `-> ${Buffer.from(state.bytes)}` : state ? 'a file' : 'nothing',
    );
    return { reverse: kept, added: 0, removed: 0, diff: `Link ${names.to ?? names.from}: ${shown.join(' to ')}\n` };
  }
  if (old?.kind !== 'text' || now?.kind !== 'text') {
    const sizes = `${before ? `${before.size} bytes` : 'nothing'} to ${after ? `${after.size} bytes` : 'nothing'}`;
    return { reverse: kept, added: 0, removed: 0, diff: `Binary file ${names.to ?? names.from}: ${sizes}\n` };
  }
  const hunks = makeHunks(old.text, now.text);
  const shown = { ...countLines(hunks), diff: unifiedDiff(hunks, names) };
  if (!before || !after || !sameFormat(old.codec, now.codec)) return { reverse: kept, ...shown };
  const reversed = reverseHunks(hunks);
  const undone = applyHunks(now.text, reversed);
  if (!undone.ok || undone.text !== old.text) return { reverse: kept, ...shown };
  const { encoding, bom } = now.codec;
  return { reverse: { kind: 'hunks', format: { encoding, bom }, hunks: reversed }, ...shown };
}
