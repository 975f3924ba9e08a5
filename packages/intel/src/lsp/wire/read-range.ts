import { isRecord } from '@black-ide/protocol';
import type { Position, Range } from './positions.ts';
import { pathOfUri } from './uris.ts';

/** A range of a file. */
export interface Location {
  /** Absolute. */
  path: string;
  range: Range;
}

export function readRange(value: unknown): Range | undefined {
  if (!isRecord(value)) return undefined;
  const [start, end] = [readPosition(value.start), readPosition(value.end)];
  return start && end && { start, end };
}

/** The places of `Location`, `Location[]` or `LocationLink[]`; those outside of files are left out. */
export function readLocations(value: unknown): Location[] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => {
    if (!isRecord(each)) return [];
    const path = pathOfUri(each.uri ?? each.targetUri);
    const range = readRange(each.range ?? each.targetSelectionRange ?? each.targetRange);
    return path !== undefined && range ? [{ path, range }] : [];
  });
}

function readPosition(value: unknown): Position | undefined {
  if (!isRecord(value)) return undefined;
  const { line, character } = value;
  const isCount = (each: unknown): each is number => typeof each === 'number' && Number.isInteger(each) && each >= 0;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}
