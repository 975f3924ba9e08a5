import { parentPort, workerData } from 'node:worker_threads';
import { fileChunker } from '../../index/chunk-file.ts';
import type { WorkerSetup } from './messages.ts';
import { serveParsing } from './serve-parsing.ts';

if (parentPort) serveParsing(parentPort, workerData as WorkerSetup, fileChunker());
