import { calledTool, customData, type Entry, isRecord, type MessageEntry } from '@black-ide/protocol';
import { callsOf } from '../../loop/task-state.ts';

/** Files by what was done with them, in the order in which it was done last. */
export interface FileLists {
  /** Read and not changed. */
  readFiles: string[];
  modifiedFiles: string[];
}

/** So many are carried along; the oldest are left out. */
const MOST = 1_000;
/** So many are told to the model. */
const TOLD = 100;
const WRITES: readonly string[] = ['edit_file', 'write_file', 'apply_patch', 'edit', 'write'];
const READS: readonly string[] = ['read_file', 'read'];

/** The files that the calls of these entries read and changed, added to those of an earlier compaction's details. */
export function fileListsOf(entries: readonly Entry[], earlier?: Record<string, unknown>): FileLists {
  const read = new Set(strings(earlier?.readFiles));
  const modified = new Set(strings(earlier?.modifiedFiles));
  const failed = new Set<string>();
  for (const entry of entries) {
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    if (message?.role === 'toolResult' && message.isError === true) failed.add(message.toolCallId);
  }
  for (const entry of entries) {
    for (const call of callsOf(entry)) {
      if (failed.has(call.id)) continue;
      const { name, args } = calledTool(call);
      const path = typeof args.path === 'string' ? args.path : undefined;
      if (path && READS.includes(name)) renew(read, path);
      if (path && WRITES.includes(name)) renew(modified, path);
    }
    for (const path of changedBy(entry)) renew(modified, path);
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).slice(-MOST),
    modifiedFiles: [...modified].slice(-MOST),
  };
}

/** The lists in words for the model; empty where there are none. */
export function fileListsText({ readFiles, modifiedFiles }: FileLists): string {
  return [element('read-files', readFiles), element('modified-files', modifiedFiles)]
    .filter((text) => text)
    .join('\n\n');
}

function element(name: string, files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length > TOLD ? [`… and ${files.length - TOLD} more`] : [];
  return `<${name}>\n${[...files.slice(-TOLD), ...more].join('\n')}\n</${name}>`;
}

/** What a result or a checkpoint says was changed: the details of a file change carry its diff. */
function changedBy(entry: Entry): string[] {
  const checkpoint = customData(entry, 'checkpoint');
  if (checkpoint) return strings(checkpoint.files);
  const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
  if (message?.role !== 'toolResult' || message.isError === true || !isRecord(message.details)) return [];
  const { path, diff, files } = message.details;
  if (typeof path === 'string' && typeof diff === 'string') return [path];
  return Array.isArray(files) ? files.filter(isChange).map((file) => file.path) : [];
}

function isChange(file: unknown): file is { path: string } {
  return isRecord(file) && typeof file.path === 'string' && typeof file.diff === 'string';
}

function renew(files: Set<string>, path: string): void {
  files.delete(path);
  files.add(path);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
