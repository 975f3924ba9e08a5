import { basename } from 'node:path';
import type { CdpCallFrame, CdpLocation, PausedEvent } from './cdp-types.ts';
import type { RemoteValues } from './remote-values.ts';
import type { Scripts } from './scripts.ts';

/** A frame as the Debug Adapter Protocol has it. */
export interface DapFrame {
  id: number;
  name: string;
  line: number;
  column: number;
  source?: { name: string; path?: string; sourceReference?: number };
  presentationHint?: 'subtle' | 'label';
}

export interface DapScope {
  name: string;
  presentationHint?: 'locals' | 'arguments';
  variablesReference: number;
  expensive: boolean;
}

/** More are not told. */
const MOST_FRAMES = 200;

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  local: 'Local',
  block: 'Block',
  catch: 'Catch',
  closure: 'Closure',
  module: 'Module',
  script: 'Script',
  global: 'Global',
  with: 'With',
  eval: 'Eval',
};

export interface TargetFramesParts {
  scripts: Scripts;
  values: RemoteValues;
  newReference: () => number;
}

/** The stack of a program that stands still, with the frames that it goes back to after an `await` or a callback. */
export class TargetFrames {
  readonly #event: PausedEvent;
  readonly #parts: TargetFramesParts;
  /** Our numbers of the frames of this turn. */
  readonly #ids = new Map<number, CdpCallFrame>();
  #stack: Promise<DapFrame[]> | undefined;

  constructor(event: PausedEvent, parts: TargetFramesParts) {
    this.#event = event;
    this.#parts = parts;
  }

  /** How many frames this turn has. */
  get depth(): number {
    return this.#event.callFrames.length;
  }

  /** The line of the innermost one, in a form to compare. */
  get line(): string {
    return lineOf(this.#event);
  }

  stack(): Promise<DapFrame[]> {
    this.#stack ??= this.#collect();
    return this.#stack;
  }

  /** The frame of that number; undefined where nothing can be asked of it, as of one behind an `await`. */
  frame(id: number): CdpCallFrame | undefined {
    return this.#ids.get(id);
  }

  /** The innermost one. */
  get top(): CdpCallFrame | undefined {
    return this.#event.callFrames[0];
  }

  scopes(frame: CdpCallFrame): DapScope[] {
    return frame.scopeChain.flatMap(({ type, name, object }, at) => {
      if (object.objectId === undefined) return [];
      const self =
        type === 'local' && frame.this.type === 'object' && frame.this.subtype !== 'null' ? frame.this : undefined;
      const isLocal = /^(local|block|catch)$/.test(type);
      return {
        name: [SCOPE_NAMES[type] ?? type, type === 'closure' && name ? `(${name})` : ''].filter(Boolean).join(' '),
        ...(isLocal ? { presentationHint: 'locals' as const } : {}),
        variablesReference: this.#parts.values.scope(object.objectId, frame.callFrameId, at, self),
        expensive: type === 'global',
      };
    });
  }

  async #collect(): Promise<DapFrame[]> {
    const { callFrames, asyncStackTrace } = this.#event;
    const frames: DapFrame[] = [];
    for (const frame of callFrames.slice(0, MOST_FRAMES)) {
      const shown = await this.#shown(frame.functionName, frame.location);
      this.#ids.set(shown.id, frame);
      frames.push(shown);
    }
    for (let trace = asyncStackTrace; trace && frames.length < MOST_FRAMES; trace = trace.parent) {
      const id = this.#parts.newReference();
      frames.push({ id, name: trace.description ?? 'async', line: 0, column: 0, presentationHint: 'label' });
      for (const frame of trace.callFrames) frames.push(await this.#shown(frame.functionName, frame));
    }
    return frames;
  }

  async #shown(functionName: string, location: CdpLocation): Promise<DapFrame> {
    const { path, name, line, column, isUser } = await this.#parts.scripts.place(location);
    const id = this.#parts.newReference();
    return {
      id,
      name: functionName || '(anonymous)',
      line,
      column,
      source: path === undefined ? { name, sourceReference: id } : { name: basename(path), path },
      ...(isUser ? {} : { presentationHint: 'subtle' }),
    };
  }
}

/** The line at which a program halts, in a form to compare. */
export function lineOf({ callFrames }: PausedEvent): string {
  const { scriptId, lineNumber } = callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
  return `${scriptId}:${lineNumber}`;
}
