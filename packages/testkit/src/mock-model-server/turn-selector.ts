import type { ModelRequest } from './model-request.ts';
import type { Script, ScriptObject, ScriptWhen, Turn, TurnFunction } from './script.ts';

/** Whether a request fits a turn's `when`; a turn without one fits all. */
function matchesWhen(when: ScriptWhen | undefined, request: ModelRequest): boolean {
  if (!when) return true;
  const text = when.lastUserText;
  if (typeof text === 'string' && !request.lastUserText.includes(text)) return false;
  if (typeof text === 'object' && !new RegExp(text.pattern, text.flags).test(request.lastUserText)) return false;
  const result = when.lastToolResult;
  if (result !== undefined && !request.lastToolResults.some((message) => message.text.includes(result))) return false;
  if (when.system !== undefined && !request.system.includes(when.system)) return false;
  if (when.model !== undefined && request.model !== when.model) return false;
  if (when.wire !== undefined && request.wire !== when.wire) return false;
  return when.tool === undefined || request.tools.some((tool) => tool.name === when.tool);
}

/** Chooses the turn that answers a request, in the way the script asks for (see `MatchMode`). */
export class TurnSelector {
  readonly #script: ScriptObject | undefined;
  readonly #choose: TurnFunction | undefined;
  /** By place in the script: one value may stand in it twice. */
  readonly #answered = new Map<number, number>();
  #index = 0;

  constructor(script: Script) {
    this.#choose = typeof script === 'function' ? script : undefined;
    this.#script = typeof script === 'function' ? undefined : Array.isArray(script) ? { turns: script } : script;
  }

  /** The turn for a valid request, or undefined when the script has none. Rejects with what a turn function throws. */
  async select(request: ModelRequest): Promise<Turn | undefined> {
    const index = this.#index++;
    if (this.#choose) return await this.#choose(request, index);
    const { turns, match = 'index', fallback } = this.#script!;
    return (match === 'index' ? this.#next(turns, request) : this.#standing(turns, match, request)) ?? fallback;
  }

  #next(turns: Turn[], request: ModelRequest): Turn | undefined {
    const at = turns.findIndex((candidate, index) => {
      const { times = 1, when } = candidate;
      const left = (times === 'always' ? Infinity : times) - (this.#answered.get(index) ?? 0);
      return left > 0 && matchesWhen(when, request);
    });
    if (at !== -1) this.#answered.set(at, (this.#answered.get(at) ?? 0) + 1);
    return turns[at];
  }

  #standing(turns: Turn[], match: 'conversation' | 'last-user-text', request: ModelRequest): Turn | undefined {
    const fitting = turns.filter(
      (turn) => matchesWhen(turn.when, request) && (match === 'conversation' || turn.when?.lastUserText !== undefined),
    );
    return fitting[match === 'conversation' ? request.assistantCount : request.assistantSinceUser];
  }
}
