import { visibleText } from '@black-ide/protocol';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as text of a page or value of an attribute, its hidden characters written out so that nothing can hide in it. */
export function escapeHtml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
