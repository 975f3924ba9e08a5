// A worker of a queue, as a process that a test may kill: `node worker.ts local FOLDER` or `node worker.ts redis URL`.
import { LocalQueue } from '../local-queue.ts';
import { RedisQueue } from '../redis-queue.ts';
import { work } from '../work.ts';

const [kind, place] = process.argv.slice(2);
const queue =
  kind === 'local' ? new LocalQueue(place!) : await RedisQueue.open({ url: place!, name: 'test', lockMs: 600 });
process.stdout.write('ready\n');
await work({
  queue,
  jobs: 2,
  signal: new AbortController().signal,
  handle: async ({ id, text }) => {
    process.stdout.write(`begins ${id}\n`);
    // Some of the time of a report goes by without anything to do.
    await new Promise((resolve) => setTimeout(resolve, Number(text)));
    return { by: process.pid };
  },
});
await queue.close();
