import { isRecord } from '@black-ide/protocol';

/** The object that a body holds; undefined where it is no JSON, or no object. */
export function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    // The frame's length was wrong, or it was none.
    return undefined;
  }
}
