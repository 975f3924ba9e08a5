import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerSetup } from './messages.ts';
import { noChunks } from './no-chunks.ts';
import { serveParsing } from './serve-parsing.ts';

if (parentPort) serveParsing(parentPort, workerData as WorkerSetup, noChunks);
