import type { CdpClient } from './cdp-client.ts';
import type { CdpLocation, PausedEvent, RemoteObject } from './cdp-types.ts';
import { isFailure, RUNNER, type ThrowFrame } from './exception-judge.ts';
import type { Scripts } from './scripts.ts';

/** Which exceptions are a reason to stop: those that make something fail, all that pass the person's code, or none. */
export type ExceptionMode = 'uncaught' | 'all' | 'none';

/** More frames than these are not followed. */
const MOST_FRAMES = 200;

/** Says of each exception whether the program stops there. The same one, on its way outwards, is a reason only once. */
export class PauseJudge {
  readonly #client: CdpClient;
  readonly #scripts: Scripts;
  #last: string | undefined;

  constructor(client: CdpClient, scripts: Scripts) {
    this.#client = client;
    this.#scripts = scripts;
  }

  async deservesStop(event: PausedEvent, mode: ExceptionMode): Promise<boolean> {
    if (mode === 'none') return false;
    const isUncaught = event.data?.uncaught === true;
    const locations = wayOf(event).slice(0, MOST_FRAMES);
    const way = await Promise.all(locations.map((location) => this.#judge(location)));
    // What kills the program in a package is told; what Node's own code throws by itself is printed.
    const isInFile = locations.some(({ scriptId }) => this.#scripts.isInFile(scriptId));
    if (!way.some(({ isUser }) => isUser) && !(isUncaught && isInFile)) return false;
    const isReason = mode === 'all' || isFailure(event.reason === 'promiseRejection' ? asRejection(way) : way);
    // When a function throws V8 knows; what becomes of a promise it cannot know so early.
    const isSure = isUncaught && event.reason === 'exception';
    return (isReason || isSure) && !(await this.#isLast(event.data?.objectId));
  }

  async #judge({ scriptId, lineNumber, columnNumber = 0 }: CdpLocation): Promise<ThrowFrame> {
    const script = this.#scripts.get(scriptId);
    const { isUser } = await this.#scripts.place({ scriptId, lineNumber, columnNumber });
    const place = (await this.#scripts.tryBlocks(scriptId)).at(lineNumber, columnNumber);
    return { isUser, isRunner: RUNNER.test(script?.url ?? ''), place };
  }

  /** Whether it is the one that was last stopped for; remembers it. */
  async #isLast(objectId: string | undefined): Promise<boolean> {
    const last = this.#last;
    this.#last = undefined;
    if (objectId === undefined) return false;
    const same = last === undefined ? undefined : await this.#call(objectId, SAME, [{ objectId: last }]);
    if (last !== undefined) await this.#client.call('Runtime.releaseObject', { objectId: last });
    // V8 forgets what it told of a pause when the program goes on.
    const kept = await this.#call(objectId, 'function () { return this; }', []);
    this.#last = kept.objectId;
    return same?.value === true;
  }

  async #call(objectId: string, functionDeclaration: string, args: readonly object[]): Promise<RemoteObject> {
    const call = { objectId, functionDeclaration, arguments: args, objectGroup: 'thrown' };
    const { result } = await this.#client.call('Runtime.callFunctionOn', call);
    return result as RemoteObject;
  }
}

const SAME = 'function (other) { return this === other; }';

/** `Promise.reject` has no frame of its own: it is to its caller what an async function is. */
function asRejection(way: readonly ThrowFrame[]): readonly ThrowFrame[] {
  const [top] = way;
  if (!top?.place.rejects) return way;
  return [{ isUser: false, isRunner: false, place: { ...top.place, inAsync: true, caught: false } }, ...way];
}

/** The frames an exception passes: the callers, then those that await them. */
function wayOf({ callFrames, asyncStackTrace }: PausedEvent): CdpLocation[] {
  const way: CdpLocation[] = callFrames.map(({ location }) => location);
  for (let trace = asyncStackTrace; trace?.description === 'await'; trace = trace.parent) {
    way.push(...trace.callFrames);
  }
  return way;
}
