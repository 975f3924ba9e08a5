import type { Request } from './request.ts';
import type { Said } from './said.ts';

/**
 * One form of request: a pattern over the prepared message, and what its groups mean. `read` may answer undefined: then
 * the form does not fit after all and the next one is tried. The examples are the form's tests.
 */
export interface Form {
  name: string;
  pattern: RegExp;
  /** Reads the message with a closing `!` left on, which may belong to a text that is to be written. */
  careful?: true;
  /** Reads the message as it was written, politeness and all. */
  whole?: true;
  read(groups: Record<string, string | undefined>, said: Said): Request | undefined;
  examples: readonly (readonly [says: string, means: object])[];
}
