import { join } from 'node:path';
import { type ApprovedPlan, BlackError, type EngineError, type Request } from '@black-ide/protocol';
import type { Document, ResolvedPath } from '@black-ide/workspace';
import { blackidePlace } from '../knowledge/knowledge-place.ts';
import type { SessionServices } from '../tools/workspace-services.ts';
import {
  type ArtifactKind,
  artifactFolder,
  MAX_ARTIFACT_CHARS,
  MAX_EDITED_CHARS,
  PLAN_ARTIFACTS,
} from './artifacts.ts';
import type { WrittenArtifact } from './planning-state.ts';

/** Of each artifact, so many characters go into the question about the plan. */
const PREVIEW_CHARS = 2_000;

/** An artifact as a plan's question tells it to faces. */
export interface ArtifactPreview {
  kind: ArtifactKind;
  /** From the workspace root. */
  path: string;
  lines: number;
  chars: number;
  /** Its beginning. */
  preview: string;
}

/** The artifacts of one session: files of the workspace, which people may edit. */
export class SessionArtifacts {
  readonly #services: SessionServices;

  constructor(services: SessionServices) {
    this.#services = services;
  }

  /**
   * Where an artifact is, or would be.
   * @throws BlackError `artifact_linked` where a link leads elsewhere: what is written there would be no artifact.
   */
  async place(kind: ArtifactKind, access: 'read' | 'write', signal: AbortSignal): Promise<ResolvedPath> {
    const { documents, root, threadId } = this.#services;
    const folder = artifactFolder(await blackidePlace(documents, root, signal), threadId);
    const resolved = this.#services.resolve(`${folder}/${kind}.md`, access);
    if (resolved.real === join(root, folder, `${kind}.md`)) return resolved;
    throw new BlackError(
      'artifact_linked',
      `${folder} is reached through a link, to ${resolved.real}.`,
      'Remove the link: artifacts are kept in a folder of their own.',
    );
  }

  async previews(signal: AbortSignal): Promise<ArtifactPreview[]> {
    return await Promise.all(
      PLAN_ARTIFACTS.map(async (kind) => {
        const { path, text } = await this.#read(kind, signal);
        const preview = text.slice(0, PREVIEW_CHARS).toWellFormed();
        return { kind, path, lines: text.trimEnd().split('\n').length, chars: text.length, preview };
      }),
    );
  }

  /**
   * The plan as it is on disk now, for its approval.
   * @throws BlackError `artifact_missing`, `artifact_unreadable`, `artifact_empty`, `artifact_too_long`; it can be mended
   * and approved then.
   */
  async approved(
    request: Request,
    written: ReadonlyMap<ArtifactKind, WrittenArtifact>,
    signal: AbortSignal,
  ): Promise<ApprovedPlan> {
    const [plan, tasks] = await Promise.all(PLAN_ARTIFACTS.map((kind) => this.#read(kind, signal)));
    const both = [plan!, tasks!];
    return {
      requestId: request.id,
      implementationPlan: plan!.text,
      taskList: tasks!.text,
      edited: both.filter(({ kind, version }) => written.get(kind)?.version !== version).map(({ kind }) => kind),
    };
  }

  /**
   * Writes an artifact that no tool call writes; one that a person has changed stays as it is.
   * @throws BlackError what kept it from being written.
   */
  async write(kind: ArtifactKind, text: string, signal: AbortSignal): Promise<{ path: string }> {
    const { documents, ledger } = this.#services;
    const place = await this.place(kind, 'write', signal);
    const bytes = Buffer.from(text.slice(0, MAX_ARTIFACT_CHARS).toWellFormed());
    const read = await documents.read(place.real, signal);
    const checked = read.ok ? ledger.check(read.document, place.relative) : read;
    if (!checked.ok && checked.error.code !== 'missing') throw failed(checked);
    const base = read.ok ? read.document : 'absent';
    const committed = await this.#services.changeSet().write(place, bytes, { base }).commit(signal);
    if (!committed.ok) throw failed(committed);
    for (const { real, after } of committed.changes) {
      if (after) ledger.record({ path: real, version: after.version });
    }
    return { path: place.relative };
  }

  async #read(
    kind: ArtifactKind,
    signal: AbortSignal,
  ): Promise<{ kind: ArtifactKind; path: string; text: string; version: string }> {
    const { relative: path, real } = await this.place(kind, 'read', signal);
    const read = await this.#services.documents.read(real, signal);
    if (!read.ok) {
      const isMissing = read.error.code === 'missing';
      throw isMissing
        ? new BlackError(
            'artifact_missing',
            `${path} is gone.`,
            'Put it back, or reject the plan to have it made anew.',
          )
        : new BlackError('artifact_unreadable', `${path}: ${read.error.message}`, read.error.next);
    }
    const text = textOf(read.document, path);
    return { kind, path, text, version: read.document.version };
  }
}

function failed({ error: { code, message, next } }: { error: EngineError }): BlackError {
  return new BlackError(code, message, next);
}

function textOf({ text, binary }: Document, path: string): string {
  if (text === null) throw new BlackError('artifact_unreadable', `${path} is not text: ${binary}.`, 'Mend the file.');
  if (text.trim() === '') throw new BlackError('artifact_empty', `${path} is empty.`, 'Write it, or reject the plan.');
  if (text.length <= MAX_EDITED_CHARS) return text;
  const size = `${path} has ${text.length} characters; at most ${MAX_EDITED_CHARS} fit into a request.`;
  throw new BlackError('artifact_too_long', size, 'Shorten it.');
}
