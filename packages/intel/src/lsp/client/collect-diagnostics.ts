import { isRecord } from '@black-ide/protocol';
import { RpcError } from '../../rpc/json-rpc-connection.ts';
import type { CheckedFile, CollectOptions } from '../diagnostics/diagnostics-source.ts';
import type { DiskTexts } from '../disk-texts.ts';
import { type Diagnostic, readDiagnostics } from '../wire/diagnostic.ts';
import { decodeColumn } from '../wire/positions.ts';
import { pathOfUri, uriOfPath } from '../wire/uris.ts';
import type { LanguageClient } from './language-client.ts';
import { limited } from './limited.ts';

const PULL = 'textDocument/diagnostic';
/** A server that publishes is done when it has been silent for so long. */
const QUIET_MS = 150;
/** So many silences long it may go on publishing. */
const QUIET_ROUNDS = 8;
/** News come long before. */
const LONG_MS = 60_000;
/** So long an empty answer of a server that has only begun is no answer yet. */
const CONFIRM_MS = 1_500;
/** A check that follows a save begins within this. */
const CHECK_BEGINS_MS = 1_500;
/** Between the end of a check that was broken off and the beginning of the next. */
const CHECK_AGAIN_MS = 100;

/**
 * Has a server see these texts, waits until it has made up its mind, and answers what it finds: pulled where it can be
 * asked, published otherwise, or both. An empty answer of a server that has only begun is no answer.
 * @param options `disturbed`: it was told of changes of the disk; `disk` reads what is not given
 * @throws BlackError `server_ended`; the signal's reason
 */
export async function collectDiagnostics(
  client: LanguageClient,
  files: readonly CheckedFile[],
  { written, disturbed, disk }: CollectOptions & { disturbed: boolean; disk: DiskTexts },
  signal: AbortSignal,
): Promise<Map<string, readonly Diagnostic[]>> {
  const { spec, published } = client;
  const before = published.serial;
  const checksBefore = client.checksEnded;
  const { present, changed, closed } = await showTexts(client, files, written, disk);
  const isPulled = (): boolean => client.capabilities.has(PULL);
  await heard(client, changed, isPulled, before, signal);
  const pulled = isPulled() ? await pullUntilSettled(client, present, signal) : new Map<string, Diagnostic[]>();
  if (!isPulled() && (changed.length > 0 || closed || disturbed)) await silence(client, signal);
  const isChecked = written || checksBefore === 0 || client.isChecking;
  if (spec.checksOnSave && isChecked) await ownCheck(client, checksBefore, signal);
  gone(client);
  return united(client, present, pulled);
}

/** Has the server see the texts. @returns the files that are there, those that it saw otherwise, whether one is gone */
async function showTexts(
  { spec, documents, published }: LanguageClient,
  files: readonly CheckedFile[],
  written: boolean,
  disk: DiskTexts,
): Promise<{ present: string[]; changed: string[]; closed: boolean }> {
  const shown = { present: [] as string[], changed: [] as string[], closed: false };
  const show = (path: string, text: string | null, stamp?: string): void => {
    if (text === null) {
      shown.closed = documents.close(path) || shown.closed;
      published.forget(path);
    } else if (documents.sync(path, text, stamp)) shown.changed.push(path);
  };
  for (const { path, text } of files) {
    if (text !== null) shown.present.push(path);
    if (text !== undefined) show(path, text);
  }
  const given = new Set(files.flatMap(({ path, text }) => (text === undefined ? [] : [path])));
  if (written) for (const path of given) documents.save(path);
  const asOnDisk = files.filter(({ text }) => text === undefined).map(({ path }) => path);
  // Whatever else it has open may have been changed by others.
  for (const path of new Set([...documents.paths(), ...asOnDisk])) {
    const document = documents.get(path);
    if (given.has(path) || (!document && spec.pullsClosed)) continue;
    const stamp = await disk.stamp(path);
    if (!document || document.stamp === undefined || document.stamp !== stamp) show(path, await disk.read(path), stamp);
  }
  return shown;
}

/** Waits until the server has published something of each of these files, or cannot be waited for in that way. */
async function heard(
  client: LanguageClient,
  changed: readonly string[],
  isPulled: () => boolean,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  const { spec, published, news } = client;
  const began = performance.now();
  for (;;) {
    gone(client);
    const missing = changed.filter((path) => !hasSpoken(client, path, before));
    if (isPulled() || missing.length === 0) return;
    const mayBeSame = spec.silentWhenSame !== undefined && missing.every((path) => published.of(path));
    const left = mayBeSame ? spec.silentWhenSame! - (performance.now() - began) : LONG_MS;
    if (left <= 0) return;
    await news.rings(left, signal);
  }
}

/** Whether the server has published something of the document as it is now. */
function hasSpoken({ published, documents }: LanguageClient, path: string, before: number): boolean {
  const told = published.of(path);
  const document = documents.get(path);
  if (!told || !document) return false;
  return told.version === undefined ? told.serial > before : told.version >= document.version;
}

function gone({ failure }: LanguageClient): false {
  if (failure) throw failure;
  return false;
}

/** Waits until the server has published nothing more for a while. */
async function silence({ spec, news, published }: LanguageClient, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < QUIET_ROUNDS; round++) {
    const { serial } = published;
    await news.rings(spec.quietMs ?? QUIET_MS, signal);
    if (published.serial === serial) return;
  }
}

async function pullUntilSettled(
  client: LanguageClient,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Diagnostic[]>> {
  for (;;) {
    await client.news.until(() => gone(client) || client.quiescent !== false, signal);
    const { refreshes } = client;
    const found = await pullAll(client, paths, signal);
    if (client.quiescent === false || client.refreshes > refreshes) continue;
    const says = refreshes > 0 || [...found.values()].some((each) => each.length > 0);
    if (says || client.quiescent === true || client.spec.trustsFirstPull) client.isWarm = true;
    if (client.isWarm || paths.length === 0) return found;
    // Empty, and perhaps only because it has read nothing yet.
    const rang = await client.news.rings(CONFIRM_MS, signal);
    if (!rang) client.isWarm = true;
  }
}

/** Asks for all files at once; a file that the server refuses is left out. */
async function pullAll(
  client: LanguageClient,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Diagnostic[]>> {
  const found = new Map<string, Diagnostic[]>();
  const identifier = client.capabilities.optionsOf(PULL)[0]?.identifier;
  const named = typeof identifier === 'string' ? { identifier } : {};
  const pull = async (path: string): Promise<void> => {
    try {
      const params = { textDocument: { uri: uriOfPath(path) }, ...named };
      readReport(await client.request(PULL, params, { signal }), path, found);
    } catch (cause) {
      // A file that belongs to no project, for one.
      if (!(cause instanceof RpcError)) throw cause;
    }
  };
  await Promise.all(paths.map(pull));
  return found;
}

function readReport(report: unknown, path: string | undefined, found: Map<string, Diagnostic[]>): void {
  if (!isRecord(report)) return;
  if (path !== undefined && Array.isArray(report.items)) found.set(path, readDiagnostics(report.items));
  if (!isRecord(report.relatedDocuments)) return;
  for (const [uri, related] of Object.entries(report.relatedDocuments)) readReport(related, pathOfUri(uri), found);
}

/** Waits for the check that the server makes on its own after a save, or after its start. */
async function ownCheck(client: LanguageClient, before: number, signal: AbortSignal): Promise<void> {
  const isDone = (): boolean => gone(client) || (client.checksEnded > before && !client.isChecking);
  const begins = limited(CHECK_BEGINS_MS, signal);
  try {
    await client.news.until(() => client.isChecking || isDone(), begins.signal);
  } catch (cause) {
    // It makes none: the person has switched that off.
    if (begins.isOver()) return;
    throw cause;
  } finally {
    begins.clear();
  }
  do await client.news.until(isDone, signal);
  while ((await client.news.rings(CHECK_AGAIN_MS, signal)) && client.isChecking);
}

/** What was pulled and what was published of these files, and of all others that the server speaks of. */
function united(
  client: LanguageClient,
  present: readonly string[],
  pulled: ReadonlyMap<string, Diagnostic[]>,
): Map<string, readonly Diagnostic[]> {
  const all = new Map<string, readonly Diagnostic[]>();
  const told = new Map(client.published.all().map(([path, { diagnostics }]) => [path, diagnostics]));
  for (const path of new Set([...present, ...pulled.keys(), ...told.keys()])) {
    const [asked, unasked] = [pulled.get(path), told.get(path)];
    if (asked || unasked) all.set(path, decoded(client, path, withoutTwins(asked ?? [], unasked ?? [])));
  }
  return all;
}

/** Some servers tell the same both ways. */
function withoutTwins(pulled: readonly Diagnostic[], published: readonly Diagnostic[]): readonly Diagnostic[] {
  if (pulled.length === 0 || published.length === 0) return pulled.length > 0 ? pulled : published;
  const key = ({ range, message, code }: Diagnostic): string => JSON.stringify([range.start, message, code]);
  const known = new Set(pulled.map(key));
  return [...pulled, ...published.filter((each) => !known.has(key(each)))];
}

/** Columns as we count them. */
function decoded(client: LanguageClient, path: string, list: readonly Diagnostic[]): readonly Diagnostic[] {
  const { encoding } = client.capabilities;
  const lines = encoding === 'utf-16' ? undefined : client.documents.get(path)?.text.split('\n');
  if (!lines) return list;
  const decode = ({ line, character }: { line: number; character: number }) => ({
    line,
    character: decodeColumn(lines[line] ?? '', character, encoding),
  });
  return list.map((each) => ({ ...each, range: { start: decode(each.range.start), end: decode(each.range.end) } }));
}
