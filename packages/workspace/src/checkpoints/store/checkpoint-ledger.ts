import { type ManifestFile, parseRecord } from './manifest-file.ts';
import type { ChangeRecord, FileRef, FileTransaction, ManifestRecord } from './records.ts';

/** A change with where its files' transactions stand. */
export interface LedgerEntry {
  record: ChangeRecord;
  /** One for each file; of a restore they mean nothing. */
  states: FileTransaction[];
  /** Of a restore: what the transactions that it settled were before. */
  previous: FileTransaction[];
  /** Of a restore: it was taken back itself. */
  redone: boolean;
}

/** The fold of the manifest: every change that counts, oldest first, with its transactions. Reads only what is new. */
export class CheckpointLedger {
  readonly #file: ManifestFile;
  readonly #entries = new Map<string, LedgerEntry>();
  #of = '';
  /** The last line that was taken in, and where it begins. */
  #last = { line: '', at: 0 };

  constructor(file: ManifestFile) {
    this.#file = file;
  }

  /** Takes in what was written since. */
  refresh(): void {
    const { line, at } = this.#last;
    const more = this.#file.read(at);
    // It was condensed, or a line that never counted was taken away again: then what is known is worth nothing.
    const goesOn = at > 0 && more.file === this.#of && more.lines[0] === line;
    const { file, lines, last } = goesOn ? more : this.#file.read();
    if (!goesOn) this.#entries.clear();
    this.#of = file;
    this.#last = { line: lines.at(-1) ?? '', at: last };
    for (const each of goesOn ? lines.slice(1) : lines) for (const record of parseRecord(each)) this.#take(record);
  }

  get(id: string): LedgerEntry | undefined {
    return this.#entries.get(id);
  }

  entries(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  #take(record: ManifestRecord): void {
    switch (record.t) {
      case 'void':
        this.#void(record.id);
        break;
      case 'keep':
        for (const ref of record.of) this.#set(ref, 'kept');
        break;
      case 'change':
        this.#add(record);
    }
  }

  #add(record: ChangeRecord): void {
    const isCondensed = record.states !== undefined;
    const entry: LedgerEntry = {
      record,
      states: record.states ?? record.files.map(() => 'pending'),
      previous: record.previous ?? [],
      redone: record.redone === true,
    };
    this.#entries.set(record.id, entry);
    // A condensed manifest says of every change how it stands.
    if (isCondensed) return;
    if (record.kind === 'restore') {
      entry.previous = (record.settles ?? []).map((ref) => this.#stateOf(ref) ?? 'pending');
      for (const ref of record.settles ?? []) this.#set(ref, 'restored');
    }
    if (record.kind === 'redo') this.#takeBack(record);
  }

  /** The transactions that a restore settled stand again as before it. */
  #takeBack({ redoes = '' }: ChangeRecord): void {
    const restore = this.#entries.get(redoes);
    if (!restore) return;
    this.#setRedone(restore, true);
    for (const [n, ref] of (restore.record.settles ?? []).entries()) this.#set(ref, restore.previous[n] ?? 'pending');
  }

  #setRedone(restore: LedgerEntry, redone: boolean): void {
    restore.redone = redone;
    const cleared = this.#entries.get(restore.record.clearedBy ?? '');
    if (cleared) cleared.redone = redone;
  }

  #void(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    const { kind, settles = [], redoes = '' } = entry.record;
    if (kind === 'restore') for (const [n, ref] of settles.entries()) this.#set(ref, entry.previous[n] ?? 'pending');
    const restore = this.#entries.get(redoes);
    if (kind !== 'redo' || !restore) return;
    this.#setRedone(restore, false);
    for (const ref of restore.record.settles ?? []) this.#set(ref, 'restored');
  }

  #stateOf([id, file]: FileRef): FileTransaction | undefined {
    return this.#entries.get(id)?.states[file];
  }

  #set([id, file]: FileRef, state: FileTransaction): void {
    const states = this.#entries.get(id)?.states;
    if (states && file in states) states[file] = state;
  }
}
