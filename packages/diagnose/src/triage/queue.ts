/** A report on its way through triage (DX-12). */
export interface TriageJob {
  /** Made of what the report says: the same report twice is one job. Letters, digits, `-` and `_`. */
  id: string;
  /** Where it came from, as a person knows it: a path, a URL. */
  source: string;
  text: string;
}

/** What became of a report. `result` is whatever the handler made of it. */
export type TriageOutcome =
  | { id: string; source: string; status: 'done'; result: unknown }
  | { id: string; source: string; status: 'failed'; error: string };

/** A report that is worked on here, and by nobody else meanwhile. */
export interface TakenJob {
  job: TriageJob;
  /** @returns false where another worker has told its outcome already: ours is not kept. */
  finish(outcome: TriageOutcome): Promise<boolean>;
  /** Gives it back to whoever comes next. */
  giveBack(): Promise<void>;
}

export interface QueueCounts {
  /** Nobody works on them. */
  waiting: number;
  running: number;
  done: number;
}

/**
 * Reports that wait for their diagnosis. Workers of any number, in any process, may die at any time: each report gets one
 * outcome in the end, and never two.
 */
export interface TriageQueue {
  /** Adds those that are not known yet, in their order. */
  add(jobs: readonly TriageJob[]): Promise<{ added: number; known: number }>;
  /** The next that nobody works on; undefined where there is none now. */
  take(): Promise<TakenJob | undefined>;
  counts(): Promise<QueueCounts>;
  /** Outcomes that are there, in no certain order. */
  outcomes(): Promise<TriageOutcome[]>;
  close(): Promise<void>;
}

/** So many workers may die with one report before it is held to be the reason. */
export const MOST_DEATHS = 3;

/** What is said of a report whose workers died. */
export function deadlyOutcome({ id, source }: TriageJob): TriageOutcome {
  return { id, source, status: 'failed', error: `its worker died ${MOST_DEATHS} times` };
}
