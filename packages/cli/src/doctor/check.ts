import type { Io } from '../io.ts';

/** What was found out about one thing. */
export interface Check {
  name: string;
  /** `warn`: something is missing, but the basics work without it. */
  state: 'ok' | 'warn' | 'fail';
  /** What was found, in words. */
  detail: string;
  /** The command that mends it. */
  fix?: string;
}

/** What the checks look at. */
export interface DoctorFacts {
  io: Io;
  /** The working folder; undefined when it is gone. */
  cwd: string | undefined;
  /** The state folder; undefined when there is no home. */
  home: string | undefined;
}
