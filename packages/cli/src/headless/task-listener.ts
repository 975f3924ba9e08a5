import type { EngineEvent } from '@black-ide/protocol';
import type { OutputFormat } from '../args/parse-invocation.ts';
import type { Io } from '../io.ts';
import { canPaint, painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Progress } from './progress.ts';

/** Tells of a task's events while they come: scripts on stdout, people on stderr. */
export class TaskListener {
  readonly #io: Io;
  readonly #output: OutputFormat;
  readonly #progress: Progress | undefined;

  private constructor(options: { io: Io; output: OutputFormat }, progress: Progress | undefined) {
    this.#io = options.io;
    this.#output = options.output;
    this.#progress = progress;
  }

  /** Progress is loaded only where somebody looks at it. */
  static async create(options: { io: Io; output: OutputFormat }): Promise<TaskListener> {
    const { err, world } = options.io;
    if (!err.isTerminal) return new TaskListener(options, undefined);
    const { Progress } = await import('./progress.ts');
    return new TaskListener(options, new Progress(err, painter(world.env, true), canPaint(world.env, true)));
  }

  take(event: EngineEvent): void {
    if (this.#output === 'stream-json') this.#stream(event);
    if (event.type === 'DiagnosticReported' && event.level !== 'info') this.#warn(visibleLine(event.message));
    this.#progress?.take(event);
  }

  /** Takes back what is drawn only while it goes on. */
  clear(): void {
    this.#progress?.clear();
  }

  /** A line of `stream-json`. For a reader that is far behind, deltas are left out; everything else always comes. */
  #stream(event: EngineEvent): void {
    const { out } = this.#io;
    if (!(DELTAS.has(event.type) && out.isBehind)) out.line(JSON.stringify(event));
  }

  #warn(text: string): void {
    this.clear();
    this.#io.err.line(`black: ${text}`);
  }
}

/** Events whose content comes again in a durable one. */
const DELTAS: ReadonlySet<string> = new Set(['TextDelta', 'ThinkingDelta', 'ToolOutput']);
