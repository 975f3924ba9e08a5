import {
  BlackError,
  customData,
  type Entry,
  isRecord,
  STAGED_ANSWERS,
  type StagedCommandResults,
  type StagedEdit,
  type StagedFile,
  type StagedOutcome,
} from '@black-ide/protocol';
import {
  type ChangeSet,
  type CommitResult,
  type Documents,
  encodeFile,
  makeHunks,
  type ReadLedger,
  type ResolvedPath,
  type TextCodec,
  unifiedDiff,
  versionOf,
} from '@black-ide/workspace';
import type { SessionPort } from '../loop/session-port.ts';
import { appendCustom } from '../loop/session-port.ts';

/** What of a session's services it takes to rewrite files. */
interface FileServices {
  readonly root: string;
  readonly documents: Documents;
  readonly ledger: ReadLedger;
  mayRead(path: string): boolean;
  resolve(path: string, access: 'read' | 'write'): ResolvedPath;
  changeSet(): ChangeSet;
  commit(set: ChangeSet, callId: string, signal: AbortSignal): Promise<CommitResult>;
}

/** What is to be rewritten, and how. */
export interface RewriteQuestion {
  pattern: string;
  rewrite: string;
  lang?: string | undefined;
  /** From the root; all of it where there are none. */
  paths?: readonly string[] | undefined;
}

/** The new content of one file. */
interface StagedContent {
  path: string;
  bytes: Uint8Array;
  diff: string;
}

interface ReadFile {
  text: string;
  codec: TextCodec;
  version: string;
}

/** Characters of the difference that a person is shown. */
const MAX_DIFF = 64 * 1024;

/**
 * The rewrites of a session that are prepared and not written yet (INT-27 … INT-30). What is staged is in the log, as the
 * pattern, and each file's version before and after; the content is made anew where another process had staged it.
 */
export class StagedEdits {
  readonly #session: SessionPort;
  readonly #services: () => FileServices;
  readonly #contents = new Map<string, readonly StagedContent[]>();

  constructor(session: SessionPort, services: () => FileServices) {
    this.#session = session;
    this.#services = services;
  }

  /** Those that are not settled, oldest first. */
  list(): StagedEdit[] {
    const open = new Map<string, StagedEdit>();
    const asked = new Map<string, string>();
    for (const entry of this.#session.path()) {
      const staged = stagedIn(entry);
      if (staged) open.set(staged.id, staged);
      const settled = customData(entry, 'staged_edit_settled');
      if (settled) open.delete(settled.id);
      const request = customData(entry, 'request');
      const about = request?.kind === 'staged_edit' ? request.payload.staged : undefined;
      if (request && isRecord(about) && typeof about.id === 'string') asked.set(request.id, about.id);
      const answer = customData(entry, 'response');
      // What a person has refused is over; where nobody could be asked it stays.
      if (answer?.value === STAGED_ANSWERS.reject && answer.by !== 'policy')
        open.delete(asked.get(answer.requestId) ?? '');
    }
    return [...open.values()];
  }

  /** @throws BlackError `nothing_staged` */
  get(id: string | undefined): StagedEdit {
    const open = this.list();
    const staged = id === undefined ? open.at(-1) : open.find((each) => each.id === id);
    if (staged) return staged;
    const known = open.length > 0 ? `Staged: ${open.map((each) => each.id).join(', ')}.` : 'Stage it with ast_edit.';
    throw new BlackError(
      'nothing_staged',
      id === undefined ? 'Nothing is staged.' : `Nothing is staged as ${id}.`,
      known,
    );
  }

  /**
   * Prepares a rewrite; nothing is written.
   * @throws BlackError as `planRewrite`, `protected_path`, and where a file cannot be read or hold the new text
   */
  async stage(question: RewriteQuestion, signal: AbortSignal): Promise<StagedCommandResults['stageRewrite']> {
    const planned = await this.#plan(question, signal);
    const contents = planned.map(({ content }) => content);
    const files = planned.map(({ file }) => file);
    const { pattern, rewrite, lang } = question;
    const staged: StagedEdit = {
      id: this.#nextId(),
      pattern,
      rewrite,
      ...(lang === undefined ? {} : { lang }),
      files,
      places: files.reduce((sum, { places }) => sum + places, 0),
    };
    appendCustom(this.#session, 'staged_edit', staged);
    this.#contents.set(staged.id, contents);
    return { staged, diff: joined(contents.map(({ diff }) => diff)) };
  }

  /** The difference that committing would make, for who has to decide. @throws as `commit` */
  async diff(staged: StagedEdit, signal: AbortSignal): Promise<string> {
    return joined((await this.#contentOf(staged, signal)).map(({ diff }) => diff));
  }

  /**
   * Writes all files of a staged rewrite, or none (INT-28): each has to be what it was when it was staged.
   * @throws BlackError `nothing_staged`; what `stage` throws where the content has to be made anew
   */
  async commit(id: string | undefined, callId: string, signal: AbortSignal): Promise<CommitResult> {
    const staged = this.get(id);
    const services = this.#services();
    const bases = new Map(staged.files.map(({ path, base }) => [path, base]));
    const set = services.changeSet();
    for (const { path, bytes } of await this.#contentOf(staged, signal)) {
      set.write(services.resolve(path, 'write'), bytes, { base: { version: bases.get(path) ?? '' } });
    }
    const committed = await services.commit(set, callId, signal);
    if (!committed.ok) return committed;
    for (const { real, after } of committed.changes)
      if (after) services.ledger.record({ path: real, version: after.version });
    this.#settle(staged.id, 'committed');
    return committed;
  }

  /** @throws BlackError `nothing_staged` */
  discard(id: string | undefined): StagedEdit {
    const staged = this.get(id);
    this.#settle(staged.id, 'discarded');
    return staged;
  }

  /** The session ends: what nobody is asked about any more is staged no longer. */
  expire(isAsked: (id: string) => boolean): void {
    for (const { id } of this.list()) if (!isAsked(id)) this.#settle(id, 'expired');
  }

  #settle(id: string, outcome: StagedOutcome): void {
    this.#contents.delete(id);
    appendCustom(this.#session, 'staged_edit_settled', { id, outcome });
  }

  #nextId(): string {
    const count = this.#session.path().filter((entry) => stagedIn(entry)).length;
    return `staged-${count + 1}`;
  }

  /** What was made when it was staged; made anew from the same files where another process had done it. */
  async #contentOf(staged: StagedEdit, signal: AbortSignal): Promise<readonly StagedContent[]> {
    const known = this.#contents.get(staged.id);
    if (known) return known;
    await this.#refuseDrift(staged, signal);
    const paths = staged.files.map(({ path }) => path);
    const planned = await this.#plan({ ...staged, paths }, signal);
    const wanted = new Map(staged.files.map(({ path, after }) => [path, after]));
    if (planned.length !== wanted.size || planned.some(({ file }) => wanted.get(file.path) !== file.after)) {
      throw new BlackError(
        'staged_lost',
        `What was staged as ${staged.id} cannot be made again as it was.`,
        'Discard it, and stage the rewrite anew.',
      );
    }
    const contents = planned.map(({ content }) => content);
    this.#contents.set(staged.id, contents);
    return contents;
  }

  async #refuseDrift({ files }: StagedEdit, signal: AbortSignal): Promise<void> {
    const { documents, resolve } = this.#services();
    const changed: string[] = [];
    for (const { path, base } of files) {
      const read = await documents.read(resolve(path, 'read').real, signal);
      if (!read.ok || read.document.version !== base) changed.push(path);
    }
    if (changed.length === 0) return;
    throw new BlackError(
      'changed_since_read',
      `Nothing was written: ${changed.join(', ')} changed since the rewrite was staged.`,
      'Discard it, and stage the rewrite anew.',
    );
  }

  async #plan(
    { pattern, rewrite, lang, paths }: RewriteQuestion,
    signal: AbortSignal,
  ): Promise<{ content: StagedContent; file: StagedFile }[]> {
    const { planRewrite } = await import('@black-ide/intel');
    const services = this.#services();
    const codecs = new Map<string, ReadFile>();
    const plan = await planRewrite({
      root: services.root,
      pattern,
      replacement: rewrite,
      ...(lang === undefined ? {} : { language: lang }),
      ...(paths && paths.length > 0 ? { paths } : {}),
      mayRead: (path) => services.mayRead(path),
      signal,
      read: async (path) => {
        const read = await this.#read(path, signal);
        codecs.set(path, read);
        return read.text;
      },
    });
    return plan.files.map(({ path, before, after, places }) => {
      const { codec, version } = codecs.get(path)!;
      const bytes = encodeFile(codec, after);
      const { diff, added, removed } = diffOf(path, before, after);
      const file = { path, base: version, after: versionOf(bytes), places, added, removed };
      return { content: { path, bytes, diff }, file };
    });
  }

  /** @throws BlackError where the file is no text that may be rewritten here */
  async #read(path: string, signal: AbortSignal): Promise<ReadFile> {
    const { resolve, documents } = this.#services();
    const resolved = resolve(path, 'write');
    if (resolved.protected) {
      throw new BlackError(
        'protected_path',
        `${path} is not rewritten together with others: ${resolved.protected.why}.`,
        'Leave it out by naming paths, and change it with edit_file.',
      );
    }
    const read = await documents.read(resolved.real, signal);
    if (!read.ok) throw new BlackError(read.error.code, read.error.message, read.error.next);
    const { text, codec, version, binary } = read.document;
    if (text === null || codec === null) throw new BlackError('not_text', `${path} is not text: ${binary}.`);
    return { text, codec, version };
  }
}

function joined(diffs: readonly string[]): string {
  return diffs.join('').slice(0, MAX_DIFF);
}

function stagedIn(entry: Entry): StagedEdit | undefined {
  return customData(entry, 'staged_edit');
}

function diffOf(path: string, before: string, after: string): Pick<StagedFile, 'added' | 'removed'> & { diff: string } {
  const hunks = makeHunks(before, after);
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { diff: unifiedDiff(hunks, { from: path, to: path }), added: count('+'), removed: count('-') };
}
