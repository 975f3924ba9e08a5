import type { IncomingMessage } from 'node:http';

/** Enough of an answer to tell what it is, and what it says went wrong. */
const MOST_BYTES = 64 * 1024;
/** How a stream of events may begin, by the HTML standard's grammar: a comment or one of its fields. */
const EVENTS = /^\ufeff?\s*(?:data|event|id|retry)?:/;

/** A whole answer came where a stream of events was asked for. */
export class PlainAnswer extends Error {
  override name = 'PlainAnswer';
  /** The server's name for what it sent, or nothing. */
  readonly type: string;
  /** At most 64 KiB of it. */
  readonly body: string;

  constructor(type: string, body: string) {
    super(`The server answered with ${type || 'nothing'} in place of a stream of events.`);
    this.type = type;
    this.body = body;
  }
}

/**
 * The beginning of an answer that does not call itself a stream of events, for servers that only forget to say so.
 * @throws PlainAnswer where it is none; the connection's error.
 */
export async function beginningOfEvents(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let isStream = false;
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    const settle = (): void => {
      incoming.off('data', take).pause();
      resolve();
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      isStream ||= EVENTS.test(Buffer.concat(chunks.slice(0, 8)).toString('utf8', 0, 200));
      if (isStream || size >= MOST_BYTES) settle();
    };
    incoming.on('data', take).once('end', settle);
    // They stay, for what breaks before the next reader is there; whoever reads on asks for `errored`.
    incoming.once('error', reject).once('aborted', () => reject(brokenOff()));
  });
  const body = Buffer.concat(chunks);
  if (isStream) return body;
  incoming.destroy();
  const type = incoming.headers['content-type']?.split(';')[0]?.trim() ?? '';
  throw new PlainAnswer(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : '', body.toString('utf8', 0, MOST_BYTES));
}

/** The connection ended before the answer did. */
export function brokenOff(): Error {
  return new Error('The connection was closed in the middle of the answer.');
}
