import { type SessionSummary, textOf, type View, type ViewItem } from '@black-ide/protocol';
import { fitWidth } from '../text/fit-width.ts';
import { visibleLine } from '../text/visible-text.ts';

/** A session in a list: what it is about, and when it was. */
export function sessionTitle({ title, id }: SessionSummary): string {
  return visibleLine(title) || id.slice(0, 8);
}

/** An open session in a few words: its title, or what was asked first; empty where it has neither. */
export function openSessionTitle(view: View, path: readonly ViewItem[]): string {
  const first = path.find((item) => item.kind === 'user');
  return fitWidth(visibleLine(view.title || (first ? textOf(first.content) : '')), 40);
}
