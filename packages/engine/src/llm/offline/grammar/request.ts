import type { Subject } from './subject.ts';

/** A range of lines, 1-based, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

/** What an explanation is asked of. */
export type Target =
  | { of: 'project' }
  | { of: 'path'; path: string }
  /** `owner` is `Store` in `Store.save`. */
  | { of: 'symbol'; name: string; owner?: string }
  | { of: 'words'; subject: Subject };

/** A person's message, understood. */
export type Request =
  | { kind: 'find'; subject: Subject; how?: boolean; all?: boolean }
  | { kind: 'explain'; target: Target }
  /** `imports`: only the lines that import it were asked for; `calls`: only what calls it. */
  | { kind: 'uses'; symbol: string; place?: string; imports?: boolean; calls?: boolean }
  /** What may break when it changes, what it calls, which tests reach it: a symbol or a file. */
  | { kind: 'impact' | 'callees' | 'tested'; symbol: string }
  /** How the one comes to call the other. */
  | { kind: 'way'; from: string; to: string }
  | { kind: 'unused'; place?: string }
  /** `perhaps`: the words after the last `in` may be a place, or belong to the new text; only the workspace can tell. */
  | {
      kind: 'replace';
      from: string;
      to: string;
      place?: string;
      perhaps?: { to: string; place: string };
      rename: boolean;
    }
  /** `tell`: only name the command. `fix`: a fix was asked for as well. */
  | { kind: 'test'; place?: string; tell?: boolean; fix?: boolean }
  | { kind: 'read'; path: string; lines?: LineRange }
  /** `tree`: two levels, with how many files each folder has. */
  | { kind: 'list'; path?: string; tree?: boolean }
  | { kind: 'help' | 'about' | 'model' | 'greeting' | 'thanks' | 'continue' }
  /** Nearly understood: `hint` says what to write instead. */
  | { kind: 'unclear'; hint: string }
  /** `instead`: it would take no language model, only is no request of this grammar; what comes nearest. */
  | { kind: 'unknown'; instead?: string };
