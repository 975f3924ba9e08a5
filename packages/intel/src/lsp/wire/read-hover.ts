import { isRecord } from '@black-ide/protocol';

/** The text of an answer to `textDocument/hover`, as Markdown; empty where there is none. */
export function readHover(value: unknown): string {
  return isRecord(value) ? textOf(value.contents) : '';
}

/** `MarkupContent`, `MarkedString`, or several of the latter. */
function textOf(contents: unknown): string {
  if (typeof contents === 'string') return contents.trim();
  if (Array.isArray(contents)) return contents.map(textOf).filter(Boolean).join('\n\n');
  if (!isRecord(contents) || typeof contents.value !== 'string') return '';
  const value = contents.value.trim();
  return typeof contents.language === 'string' ? `\`\`\`${contents.language}\n${value}\n\`\`\`` : value;
}
