import { hash } from 'node:crypto';

const MARK = /<!-- black:([0-9a-f]{8}) -->/;

/**
 * The mark behind what the machine wrote: a hash of it. Text that no longer fits its mark, or has none, is a person's and
 * is never changed.
 */
export function sealOf(block: string): string {
  return `<!-- black:${hash('sha256', block, 'hex').slice(0, 8)} -->`;
}

/** Whether a mark, found somewhere in `text`, is that of the block. */
export function isSealed(block: string, text: string): boolean {
  return MARK.exec(text)?.[0] === sealOf(block);
}

/** Whether a line holds a mark. */
export function hasSeal(line: string): boolean {
  return MARK.test(line);
}

/** Text that cannot be taken for a mark. */
export function withoutSeals(text: string): string {
  return text.replaceAll(/<!-- *black:/g, '<!-- ');
}
