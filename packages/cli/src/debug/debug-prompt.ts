import { createInterface, type Interface } from 'node:readline';
import {
  answerText,
  type DebugAnswer,
  type Debugger,
  type Go,
  stackLines,
  threadText,
  variableText,
} from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import type { Interrupts } from '../headless/interrupts.ts';
import type { Io } from '../io.ts';
import { visibleText } from '../text/visible-text.ts';

const GO: Readonly<Record<string, Go>> = { c: 'continue', n: 'next', s: 'stepIn', o: 'stepOut' };
const HELP = 'c continue  n over  s into  o out  p EXPRESSION  v REF  bt stack  t threads  l where  b PLACE  q quit';
/** At a prompt a person waits as long as they like; Ctrl+C ends it. */
const WAIT_MS = 2 ** 31 - 1;

/** Asks a person at a stop what is to be done, until the program has ended or they leave it. */
export class DebugPrompt {
  readonly #debugger: Debugger;
  readonly #io: Io;
  readonly #signal: AbortSignal;
  readonly #lines: Interface;
  /** Typed ahead. */
  readonly #typed: string[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;
  #last = '';

  constructor(debug: Debugger, io: Io, interrupts: Interrupts) {
    this.#debugger = debug;
    this.#io = io;
    this.#signal = interrupts.signal;
    this.#lines = createInterface({ input: io.world.stdin, output: io.world.stdout, prompt: '(debug) ' });
    this.#lines.on('line', (line) => {
      this.#typed.push(line.trim());
      this.#wake();
    });
    this.#lines.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    // As long as lines are read Ctrl+C comes as a key.
    this.#lines.once('SIGINT', () => interrupts.cancel());
    this.#signal.addEventListener('abort', () => this.#lines.close(), { once: true });
  }

  /** @returns how it stands when the person leaves */
  async run(first: DebugAnswer): Promise<DebugAnswer> {
    let answer = first;
    try {
      while (answer.outcome.state !== 'ended') {
        const line = await this.#ask();
        if (line === undefined || /^(q|quit|exit)$/.test(line)) return answer;
        answer = (await this.#attempt(line, answer)) ?? answer;
      }
      return answer;
    } finally {
      this.#lines.close();
    }
  }

  /** An empty line repeats the last one. Undefined: there is no more input, or it was interrupted. */
  async #ask(): Promise<string | undefined> {
    if (this.#typed.length === 0 && !this.#isClosed) {
      this.#lines.prompt();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const line = this.#typed.shift();
    if (line) this.#last = line;
    return line === undefined ? undefined : this.#last;
  }

  /** What a line does; what it cannot is said. */
  async #attempt(line: string, answer: DebugAnswer): Promise<DebugAnswer | undefined> {
    try {
      return await this.#do(line, answer);
    } catch (cause) {
      const { message, next } = BlackError.toValue(cause);
      this.#print([message, next].filter(Boolean).join(' '));
      return undefined;
    }
  }

  async #do(line: string, answer: DebugAnswer): Promise<DebugAnswer | undefined> {
    const [word = '', rest = ''] = line.split(/\s+(.*)/s);
    const go = Object.hasOwn(GO, word) ? GO[word] : undefined;
    if (go) return this.#told(await this.#debugger.go(go, WAIT_MS, this.#signal));
    const session = this.#debugger.current;
    switch (word) {
      case 'p':
        return this.#print(variableText(await session.evaluate(rest, undefined, this.#signal)));
      case 'v':
        return this.#print((await session.variables(Number(rest), 0, this.#signal)).map(variableText).join('\n'));
      case 'bt':
        return this.#print(stackLines(await session.stack(undefined, this.#signal)).join('\n'));
      case 't':
        return this.#print((await session.threads(this.#signal)).map(threadText).join('\n'));
      case 'l':
        return this.#told(answer);
      case 'b':
        return this.#break(rest);
      default:
        return this.#print(HELP);
    }
  }

  async #break(place: string): Promise<undefined> {
    const { breakpoints } = await this.#debugger.setBreakpoints({ add: [{ place }] }, this.#signal);
    const {
      verified,
      line,
      message = 'its code is not loaded yet',
    } = breakpoints.find((each) => each.place === place)!;
    this.#print(verified ? `Breakpoint at ${place}, line ${line}.` : `Breakpoint at ${place}: ${message}.`);
  }

  #told(answer: DebugAnswer): DebugAnswer {
    this.#print(answerText({ ...answer, output: '', dropped: 0 }));
    return answer;
  }

  #print(text: string): undefined {
    this.#io.out.line(visibleText(text));
  }
}
