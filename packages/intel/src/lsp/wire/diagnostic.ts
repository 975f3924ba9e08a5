import { isRecord } from '@black-ide/protocol';
import type { Range } from './positions.ts';
import { readRange } from './read-range.ts';

/** 1 error, 2 warning, 3 information, 4 hint. */
export type Severity = 1 | 2 | 3 | 4;

/** What a server finds wrong with a place. */
export interface Diagnostic {
  range: Range;
  severity: Severity;
  message: string;
  /** The rule or number of the message, e.g. `2322`. */
  code?: string;
  /** Who says it, e.g. `ts`, `eslint`. */
  source?: string;
}

/** So many of one file are kept. */
const MAX_DIAGNOSTICS = 2_000;
const MAX_MESSAGE = 2_000;

/** The diagnostics of a list as the server sent it; what makes no sense is left out. */
export function readDiagnostics(list: unknown): Diagnostic[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_DIAGNOSTICS).flatMap((each) => readDiagnostic(each) ?? []);
}

function readDiagnostic(value: unknown): Diagnostic | undefined {
  if (!isRecord(value)) return undefined;
  const range = readRange(value.range);
  const { message, severity, code, source } = value;
  if (!range || typeof message !== 'string') return undefined;
  return {
    range,
    // The protocol leaves it to the client what one without severity is.
    severity: severity === 2 || severity === 3 || severity === 4 ? severity : 1,
    message: message.slice(0, MAX_MESSAGE),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(typeof source === 'string' ? { source } : {}),
  };
}
