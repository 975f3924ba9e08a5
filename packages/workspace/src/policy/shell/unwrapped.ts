import type { AssignedVariable, Field, WrapperKind } from './facts.ts';

/** What a command runs in its turn. */
export interface Unwrapped {
  kind: WrapperKind;
  /** Another command, word by word; empty when it runs none here. */
  words?: readonly Field[];
  /** Text for a shell. */
  script?: string;
  /** The script runs in this very shell (`eval`). */
  sameShell?: boolean;
  /** A file a shell reads its script from. */
  scriptFile?: string;
  /** A shell reads its script from standard input. */
  scriptOnInput?: boolean;
  /** `$0`, `$1`, … of the script. */
  positional?: readonly string[];
  assignments?: readonly AssignedVariable[];
  /** It runs there instead of here. */
  folder?: string;
  sweeping?: boolean;
  moreOperands?: boolean;
}
