import { BlackError } from '@black-ide/protocol';
import { type CdpClient, CdpError } from './cdp-client.ts';
import type { RemoteObject } from './cdp-types.ts';
import { STOP_GROUP, whyNot } from './remote-values.ts';
import { MAX_VALUE } from './value-text.ts';

/** Cut off by V8 where it takes longer. */
const EVALUATION_MS = 5_000;
const BOUND = `((v) => typeof v === 'string' && v.length > ${MAX_VALUE} ? v.slice(0, ${MAX_VALUE}) + '…' : v)`;

/** Evaluates in a program, bounded in time and in what comes back. */
export class Evaluation {
  readonly #client: CdpClient;
  #compiling = 0;

  constructor(client: CdpClient) {
    this.#client = client;
  }

  /** V8 looks at an expression for us just now: what it throws over it is not the program's. */
  get isCompiling(): boolean {
    return this.#compiling > 0;
  }

  /** What is wrong with an expression; undefined: it is JavaScript. */
  async whyNoScript(expression: string): Promise<string | undefined> {
    this.#compiling += 1;
    try {
      const asked = { expression, sourceURL: '', persistScript: false };
      const compiled = await this.#client.call('Runtime.compileScript', asked);
      return compiled.exceptionDetails ? whyNot(compiled) : undefined;
    } finally {
      this.#compiling -= 1;
    }
  }

  /**
   * @param callFrameId in this frame of a program that stands still; globally where left out
   * @throws BlackError `evaluation_failed` with what it threw; the signal's reason
   */
  async evaluate(expression: string, callFrameId: string | undefined, signal?: AbortSignal): Promise<RemoteObject> {
    const asked = {
      expression: await this.#bounded(expression),
      objectGroup: STOP_GROUP,
      generatePreview: true,
      silent: true,
      timeout: EVALUATION_MS,
    };
    const evaluating =
      callFrameId === undefined
        ? this.#client.call('Runtime.evaluate', { ...asked, replMode: true, awaitPromise: true }, signal)
        : this.#client.call('Debugger.evaluateOnCallFrame', { ...asked, callFrameId }, signal);
    const evaluated = await evaluating.catch((cause: unknown) => {
      if (!(cause instanceof CdpError)) throw cause;
      const isEndless = cause.message === 'Execution was terminated';
      const why = isEndless ? `It did not end within ${EVALUATION_MS / 1000} s.` : cause.message;
      throw new BlackError('evaluation_failed', why);
    });
    if (evaluated.exceptionDetails) throw new BlackError('evaluation_failed', whyNot(evaluated));
    return evaluated.result as RemoteObject;
  }

  /** Where it is an expression and no statement, a long string that it makes is cut before it comes over. */
  async #bounded(expression: string): Promise<string> {
    const inside = `(${expression}\n)`;
    return (await this.whyNoScript(inside)) === undefined ? `${BOUND}${inside}` : expression;
  }
}
