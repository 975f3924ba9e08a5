import type { NameId, NameTable } from '../names/name-table.ts';

/** What follows a name in a chain, in its order, two bits each from the lowest: nothing, a call, an index. */
export const Step = { NONE: 0, CALL: 1, INDEX: 2 } as const;

/** A chain of names such as `a.b().c[]`. */
export interface Chain {
  names: NameId[];
  /** For each name the steps after it. */
  steps: number[];
}

/** A type as the facts of a parse write it, see `BindingColumn.TYPE`. */
export interface TypeText {
  /** `type`: the chain names a class; `value`: it is an expression. */
  form: 'type' | 'value';
  /** The type is that of the elements: what has it is a list. */
  isList: boolean;
  chain: Chain;
}

/** Longer chains are not followed. */
const MAX_NAMES = 12;
const MAX_STEPS = 6;

/** Reads chains and types out of names, each once. */
export class ChainReader {
  readonly #names: NameTable;
  readonly #chains = new Map<NameId, Chain | undefined>();
  readonly #types = new Map<NameId, TypeText | undefined>();

  constructor(names: NameTable) {
    this.#names = names;
  }

  /** Undefined for what is no chain of names. */
  chain(name: NameId): Chain | undefined {
    if (this.#chains.has(name)) return this.#chains.get(name);
    const chain = this.#read(this.#names.text(name));
    this.#chains.set(name, chain);
    return chain;
  }

  type(name: NameId): TypeText | undefined {
    if (this.#types.has(name)) return this.#types.get(name);
    const text = this.#names.text(name);
    const isList = text.startsWith('[]');
    const rest = isList ? text.slice(2) : text;
    const chain = this.#read(rest.startsWith('=') ? rest.slice(1) : rest);
    const isValue = rest.startsWith('=') || rest.endsWith(')') || rest.endsWith(']');
    const type = chain && { form: isValue ? ('value' as const) : ('type' as const), isList, chain };
    this.#types.set(name, type);
    return type;
  }

  #read(text: string): Chain | undefined {
    if (text === '' || text.startsWith('?')) return undefined;
    const parts = text.split('.');
    if (parts.length > MAX_NAMES) return undefined;
    const chain: Chain = { names: [], steps: [] };
    for (const part of parts) {
      const end = part.search(/[([]/);
      const name = end < 0 ? part : part.slice(0, end);
      const steps = end < 0 ? 0 : readSteps(part.slice(end));
      if (name === '' || steps < 0) return undefined;
      chain.names.push(this.#names.intern(name));
      chain.steps.push(steps);
    }
    return chain;
  }
}

/** Below zero for what is no run of `()` and `[]`. */
function readSteps(text: string): number {
  let steps = 0;
  for (let at = 0; at < text.length; at += 2) {
    const pair = text.slice(at, at + 2);
    if ((pair !== '()' && pair !== '[]') || at >= 2 * MAX_STEPS) return -1;
    steps |= (pair === '()' ? Step.CALL : Step.INDEX) << at;
  }
  return steps;
}
