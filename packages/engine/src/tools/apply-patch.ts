import {
  type ChangeSet,
  type Document,
  type FileChange,
  type FilePatch,
  type HunkFailure,
  parsePatch,
  patchBytes,
  sideOf,
} from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, type ToolResult, textResult } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import { refuseOmission } from './refuse-omission.ts';
import type { SessionServices } from './workspace-services.ts';

const EXECUTABLE = 0o755;

/** Changes any number of files by one patch, all of them or none (IDE-52). */
export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Changes several files, all or none, by a unified diff or by `*** Begin Patch`, then `*** Add File: p` (lines with +), `*** Delete File: p`, `*** Update File: p` (`*** Move to: q`, hunks below `@@` with lines of context), `*** End Patch`.',
  access: 'write',
  parameters: z.object({
    patch: z.string().superRefine((patch, context) => {
      const parsed = parsePatch(patch);
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
    }),
  }),
  paths: ({ patch }) => {
    const parsed = parsePatch(patch);
    return parsed.ok ? parsed.files.flatMap(pathsOf) : [];
  },
  run: async ({ patch }, context: ToolContext<SessionServices>) => {
    const parsed = parsePatch(patch);
    if (!parsed.ok) return errorResult(parsed.message);
    const changes = context.services.changeSet();
    const problems: string[] = [];
    for (const file of parsed.files) {
      const problem = await stage(file, changes, context);
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length > 0) return errorResult(['Nothing was written.', ...problems].join('\n\n'));
    return commit(changes, context);
  },
});

function pathsOf(file: FilePatch): string[] {
  return file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path];
}

type Context = ToolContext<SessionServices>;

/** Adds one file's change to the set. @returns why that is impossible, or undefined */
async function stage(file: FilePatch, changes: ChangeSet, context: Context): Promise<string | undefined> {
  const { services } = context;
  const path = services.resolve(file.path, 'write');
  if (file.kind === 'add') {
    const omission = refuseOmission(file.content, '', path.relative);
    if (omission) return textOfResult(omission);
    const mode = file.executable ? { mode: EXECUTABLE } : {};
    changes.write(path, Buffer.from(file.content), { base: 'absent', ...mode });
    return undefined;
  }
  const read = await services.documents.read(path.real, context.signal);
  if (!read.ok) return `${path.relative}: ${failureText(read.error)}`;
  const { document } = read;
  const seen = services.ledger.versionOf(document.path);
  if (seen !== undefined && seen !== document.version) {
    const checked = services.ledger.check(document, path.relative);
    if (!checked.ok) return failureText(checked.error);
  }
  if (file.hunks.length === 0) {
    if (file.kind === 'delete') changes.remove(path, { base: document });
    else changes.rename(path, services.resolve(file.moveTo ?? file.path, 'write'), { base: document });
    return undefined;
  }
  const patched = patchedBytes(file, document, path.relative);
  if (typeof patched === 'string') return patched;
  if (file.kind === 'delete') {
    if (patched.length > (document.codec?.bomLength ?? 0)) {
      return `${path.relative}: the patch deletes it, but it holds more than the patch shows.`;
    }
    changes.remove(path, { base: document });
  } else if (file.moveTo === undefined) {
    changes.write(path, patched, { base: document });
  } else {
    changes.rename(path, services.resolve(file.moveTo, 'write'), { base: document, bytes: patched });
  }
  return undefined;
}

/** The file's bytes after its hunks, or what keeps them from fitting. */
function patchedBytes(
  { hunks }: Exclude<FilePatch, { kind: 'add' }>,
  { bytes, text, codec, binary }: Document,
  shown: string,
): Uint8Array | string {
  if (text === null || codec === null) return `${shown} is not text: ${binary}. apply_patch changes text files only.`;
  for (const hunk of hunks) {
    const omission = refuseOmission(sideOf(hunk, 'new'), sideOf(hunk, 'old'), shown);
    if (omission) return textOfResult(omission);
  }
  const patched = patchBytes({ bytes, text, codec }, hunks);
  if (patched.ok) return patched.file.bytes;
  return patched.failures.map((failure) => hunkText(failure, shown)).join('\n\n');
}

function hunkText({ hunk, header, message, next }: HunkFailure, shown: string): string {
  return `${shown}, hunk ${hunk} (${header}): ${message}\n${next}`;
}

function textOfResult({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

async function commit(changes: ChangeSet, { services, signal, callId }: Context): Promise<ToolResult> {
  const committed = await services.commit(changes, callId, signal);
  if (!committed.ok) return errorResult(failureText(committed.error));
  if (committed.changes.length === 0)
    return errorResult('The files already are as the patch makes them; nothing was written.');
  for (const { real, after } of committed.changes) {
    if (after) services.ledger.record({ path: real, version: after.version });
    else services.ledger.forget(real);
  }
  const lines = committed.changes.flatMap((change) => [changeText(change), ...change.notes]);
  return textResult(lines.join('\n'), {
    kind: 'patch',
    files: committed.changes.map(({ path, kind, from, added, removed, diff, real, after }) => ({
      path,
      kind,
      ...(from ? { from: from.path } : {}),
      ...(after ? { file: { path: real, version: after.version } } : {}),
      added,
      removed,
      diff,
    })),
    added: committed.changes.reduce((sum, { added }) => sum + added, 0),
    removed: committed.changes.reduce((sum, { removed }) => sum + removed, 0),
  });
}

function changeText({ kind, path, from, added, removed }: FileChange): string {
  switch (kind) {
    case 'created':
      return `Created ${path} (${added} lines).`;
    case 'deleted':
      return `Deleted ${path}.`;
    case 'renamed':
      return `Moved ${from?.path} to ${path} (+${added} −${removed}).`;
    case 'modified':
      return `Edited ${path} (+${added} −${removed}).`;
  }
}
