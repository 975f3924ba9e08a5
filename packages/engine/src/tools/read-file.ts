import { checkImage, type Document, type ImageType, showStrayBytes, sniffImage } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, type ToolResult, textResult } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import type { SessionServices } from './workspace-services.ts';

const DEFAULT_LINES = 1_500;
const MAX_LINE_CHARS = 2_000;
const MAX_CHARS = 48_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file, or an image. Lines come as `number<tab>text`. A long file is cut; go on with `offset`.',
  access: 'read',
  parameters: z.object({
    path: z.string(),
    offset: z.int().min(1).optional().describe('first line'),
    limit: z.int().min(1).optional().describe('lines'),
  }),
  paths: ({ path }) => [path],
  run: async (
    { path, offset = 1, limit = DEFAULT_LINES },
    { services, signal, images }: ToolContext<SessionServices>,
  ) => {
    const resolved = services.resolve(path, 'read');
    const read = await services.documents.read(resolved.real, signal);
    if (!read.ok) return errorResult(failureText(read.error));
    const { document } = read;
    const type = sniffImage(document.bytes);
    if (type) return imageResult(document, type, resolved.relative, images);
    if (document.text === null) return errorResult(`${resolved.relative} is not text: ${document.binary}.`);
    const lines = linesOf(showStrayBytes(document.text));
    services.ledger.record({ path: document.path, version: document.version });
    const details = {
      kind: 'read',
      path: resolved.relative,
      file: { path: document.path, version: document.version },
      lines: lines.length,
    };
    if (lines.length === 0) return textResult('[empty file]', details);
    if (offset > lines.length) {
      return errorResult(`${resolved.relative} has ${lines.length} lines; there is no line ${offset}.`);
    }
    const { shown, last } = render(lines, offset, limit);
    const rest = last < lines.length || offset > 1;
    const next = last < lines.length ? `; read on with offset ${last + 1}` : '';
    const note = rest ? `\n[lines ${offset}-${last} of ${lines.length}${next}]` : '';
    return textResult(shown + note, { ...details, from: offset, to: last });
  },
});

/** An image for a model that can look at it, else a note; one that a provider would refuse is an error. */
function imageResult(document: Document, mimeType: ImageType, shown: string, images: boolean): ToolResult {
  const checked = checkImage(document.bytes, mimeType);
  if (!checked.ok) return errorResult(`${shown} cannot be shown: ${checked.why}.`);
  const { width, height } = checked;
  const about = `${shown}: ${mimeType}, ${width} × ${height} pixels, ${document.size} bytes`;
  const details = { kind: 'image', path: shown, mimeType, width, height, bytes: document.size };
  if (!images) return textResult(`[${about}. This model cannot look at images.]`, details);
  const data = Buffer.from(document.bytes).toString('base64');
  return {
    content: [
      { type: 'text', text: `[${about}]` },
      { type: 'image', data, mimeType },
    ],
    details,
  };
}

/** Lines without their ends; the end of the last line opens no further one. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function render(lines: readonly string[], offset: number, limit: number): { shown: string; last: number } {
  const out: string[] = [];
  let chars = 0;
  let last = offset - 1;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const cut =
      line.length > MAX_LINE_CHARS
        ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()} [line cut, ${line.length} characters]`
        : line;
    chars += cut.length + 8;
    if (chars > MAX_CHARS && out.length > 0) break;
    last += 1;
    out.push(`${last}\t${cut}`);
  }
  return { shown: out.join('\n'), last };
}
