export { LocalQueue } from './triage/local-queue.ts';
export type { QueueCounts, TakenJob, TriageJob, TriageOutcome, TriageQueue } from './triage/queue.ts';
export { RedisQueue, type RedisQueueOptions } from './triage/redis-queue.ts';
export { type WorkOptions, work } from './triage/work.ts';
