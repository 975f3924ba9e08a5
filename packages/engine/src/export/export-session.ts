import { type ExportFormat, foldEntries, type SessionCommandResults } from '@black-ide/protocol';
import { redactValue } from '@black-ide/workspace';
import type { ReadSession } from '../session/read-session-file.ts';
import { isOpaque } from './opaque-values.ts';
import { documentOf, type SessionDocument } from './session-document.ts';

export interface ExportOptions {
  format: ExportFormat;
  /** Values that are secret wherever they stand. */
  known: readonly string[];
}

/**
 * A session as one document that can be handed on: a page, Markdown, or its log as JSON. Secrets are taken out before
 * anything else sees the session; what is told is its active path, as a face shows it.
 */
export async function exportSession(
  session: ReadSession,
  { format, known }: ExportOptions,
): Promise<SessionCommandResults['exportSession']> {
  const { path: _private, ...told } = session;
  const { value, count } = redactValue(told, { known }, isOpaque);
  const { header, entries, problems } = value;
  const view = foldEntries(header.id, entries, header.title ?? '');
  const document = documentOf(view, header, count);
  const content =
    format === 'json'
      ? `${JSON.stringify({ header, entries, problems, redacted: count }, undefined, 2)}\n`
      : await rendered(format, document);
  return { sessionId: header.id, format, fileName: fileName(document, format), content, redacted: count };
}

async function rendered(format: 'html' | 'md', document: SessionDocument): Promise<string> {
  if (format === 'md') return (await import('./render-markdown.ts')).renderMarkdown(document);
  return (await import('./html/render-page.ts')).renderPage(document);
}

/** E.g. `black-2026-11-30-fix-the-search-4f1c2a7b.html`. */
function fileName({ title, started, id }: SessionDocument, format: ExportFormat): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  const day = /^\d{4}-\d\d-\d\d/.exec(started)?.[0];
  const short = id.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8);
  return `${['black', day, words, short].filter(Boolean).join('-')}.${format}`;
}
