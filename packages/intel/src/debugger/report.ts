/** A frame of a stopped program. Lines and columns count from 1. */
export interface Frame {
  /** What it is called in later questions; 0: it cannot be asked about. */
  id: number;
  name: string;
  /** Absolute; undefined where the code is in no file. */
  path: string | undefined;
  /** How the adapter tells code that is in no file; 0: it does not. */
  sourceReference: number;
  /** The path below the workspace, or a name such as `node:assert`. */
  place: string;
  line: number;
  column: number;
  /** The person's own code. */
  isUser: boolean;
  /** Of an earlier turn, from where it goes on: nothing can be asked of it. */
  isPast: boolean;
  /** No frame: where a part of the stack begins that waits, e.g. `await`. */
  isLabel: boolean;
}

export interface Variable {
  name: string;
  value: string;
  type: string;
  /** What it is called where its contents are asked for; 0: nothing in it. */
  reference: number;
}

export interface SourceExcerpt {
  /** The number of the first line. */
  from: number;
  lines: string[];
}

export interface Thread {
  id: number;
  name: string;
  stopped: boolean;
}

/** A stopped program in one bounded value (INT-33). */
export interface StopReport {
  reason: string;
  /** What was thrown, or what else there is to say. */
  text: string;
  thread: Thread;
  frames: Frame[];
  /** How many more frames there are. */
  moreFrames: number;
  /** The innermost frame of the person's code, else the innermost at all; undefined where there is none. */
  top: Frame | undefined;
  locals: Variable[];
  moreLocals: number;
  /** The lines around the place in `top`. */
  source: SourceExcerpt | undefined;
  /** Others that stand still as well. */
  alsoStopped: Thread[];
  /** What could not be found out. */
  problems: string[];
}

export interface BreakpointState {
  /** As it was asked for: `FILE:LINE` or a function. */
  place: string;
  verified: boolean;
  /** Where it really is. */
  line: number | undefined;
  message: string | undefined;
}

/** How a debug session stands. */
export type DebugState =
  | { state: 'stopped'; stop: StopReport }
  | { state: 'running' }
  | {
      state: 'ended';
      exitCode: number | undefined;
      /** `deadline`: its time was over; `stopped`: it was asked for; `adapter`: the adapter died; undefined: by itself. */
      why: 'deadline' | 'stopped' | 'adapter' | undefined;
      /** The last words of the adapter, or why it did not start. */
      words: string;
    };

/** The answer to everything that lets a program run or asks how it stands. */
export interface DebugAnswer {
  /** What runs there. */
  title: string;
  outcome: DebugState;
  /** What the program has printed since the last answer. */
  output: string;
  /** Characters of it that were not kept. */
  dropped: number;
  breakpoints: BreakpointState[];
  /** Milliseconds until the session is ended. */
  leftMs: number;
}
