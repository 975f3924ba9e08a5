import { BlackError } from '@black-ide/protocol';
import type { CdpClient } from './cdp-client.ts';
import type { PropertyDescriptor, RemoteObject } from './cdp-types.ts';
import { MAX_VALUE, valueText } from './value-text.ts';

/** A variable as the Debug Adapter Protocol has it. */
export interface DapVariable {
  name: string;
  value: string;
  type: string;
  /** 0: nothing in it. */
  variablesReference: number;
}

/** Where a variable is set. */
type Holder =
  | { kind: 'scope'; objectId: string; callFrameId: string; scopeNumber: number; self: RemoteObject | undefined }
  | { kind: 'object'; objectId: string };

/** Everything asked for while the program stands still; released when it goes on. */
export const STOP_GROUP = 'stop';
const MOST = 200;
const PATIENCE_MS = 5_000;

/**
 * Run by the program itself, so that no more than what is shown comes over: of an object its own properties from a place
 * on, of a map or set its entries, long strings cut. It calls no getter, and nothing that V8 takes for a side effect.
 */
const PICK = `function (start, count, chars, getter, unset) {
  const picked = { __proto__: null };
  const short = (v) => (typeof v === 'string' && v.length > chars ? v.slice(0, chars) + '…' : v);
  const end = start + count;
  let at = 0;
  if (this instanceof Map || this instanceof Set) {
    const isMap = this instanceof Map;
    for (const entry of isMap ? Map.prototype.entries.call(this) : Set.prototype.values.call(this)) {
      if (at >= end) break;
      if (at >= start) picked[at] = isMap ? { key: short(entry[0]), value: short(entry[1]) } : short(entry);
      at += 1;
    }
    return picked;
  }
  const isList = Array.isArray(this) || (ArrayBuffer.isView(this) && !(this instanceof DataView));
  const keys = isList ? undefined : Reflect.ownKeys(this);
  const length = isList ? this.length : keys.length;
  for (at = start; at < length && at < end; at += 1) {
    const key = isList ? at : keys[at];
    try {
      const field = Object.getOwnPropertyDescriptor(this, key);
      picked[key] = field && !('value' in field) ? getter : short(field && field.value);
    } catch (error) {
      picked[key] = unset;
    }
  }
  return picked;
}`;
/** Stands for a property that has to be called. */
const GETTER = '(a getter; evaluate it to call it)';
/** Stands for a variable whose declaration was not reached yet. */
const UNSET = '(not initialised yet)';

/** The values of a program that stands still, by numbers that hold until it goes on. */
export class RemoteValues {
  readonly #client: CdpClient;
  readonly #holders = new Map<number, Holder>();
  readonly #newReference: () => number;

  /** @param newReference hands out numbers that are unique among all programs of the session */
  constructor(client: CdpClient, newReference: () => number) {
    this.#client = client;
    this.#newReference = newReference;
  }

  has(reference: number): boolean {
    return this.#holders.has(reference);
  }

  /** The program goes on: what was asked of it means nothing any more. */
  release(): void {
    if (this.#holders.size === 0) return;
    this.#holders.clear();
    this.#client.call('Runtime.releaseObjectGroup', { objectGroup: STOP_GROUP }).catch(() => undefined);
  }

  /** A number for a scope of a frame; `self`: what `this` is in it. */
  scope(objectId: string, callFrameId: string, scopeNumber: number, self?: RemoteObject): number {
    return this.#keep({ kind: 'scope', objectId, callFrameId, scopeNumber, self });
  }

  /** A value with a number where there is something in it. */
  shown(name: string, value: RemoteObject): DapVariable {
    const isOpen = value.objectId !== undefined && value.subtype !== 'null';
    const variablesReference = isOpen ? this.#keep({ kind: 'object', objectId: value.objectId! }) : 0;
    return { name, value: valueText(value), type: value.className ?? value.subtype ?? value.type, variablesReference };
  }

  /** What is in a scope or value, from a place on, at most 200 of it. */
  async list(reference: number, start = 0, count = MOST, signal?: AbortSignal): Promise<DapVariable[]> {
    const holder = this.#holder(reference);
    const { objectId } = holder;
    const picked = await this.#client.call(
      'Runtime.callFunctionOn',
      {
        objectId,
        functionDeclaration: PICK,
        arguments: [start, Math.min(count, MOST), MAX_VALUE, GETTER, UNSET].map((value) => ({ value })),
        objectGroup: STOP_GROUP,
        // What only looks has no right to run the program's own code, such as the traps of a proxy.
        throwOnSideEffect: true,
      },
      signal,
    );
    if (picked.exceptionDetails) {
      return [
        { name: '(not listed)', value: 'code of the program would have to run', type: '', variablesReference: 0 },
      ];
    }
    const listed = await this.#client.call(
      'Runtime.getProperties',
      { objectId: (picked.result as RemoteObject).objectId, ownProperties: true, generatePreview: true },
      signal,
    );
    const properties = (listed.result ?? []) as PropertyDescriptor[];
    const self = holder.kind === 'scope' && start === 0 && holder.self ? [this.shown('this', holder.self)] : [];
    const shown = properties.map(({ name, value = { type: 'undefined' }, symbol }) =>
      value.value === GETTER || value.value === UNSET
        ? { name, value: String(value.value), type: '', variablesReference: 0 }
        : this.shown(symbol?.description ?? name, value),
    );
    return [...self, ...shown];
  }

  /**
   * Gives a variable another value.
   * @throws BlackError `not_set`
   */
  async set(reference: number, name: string, value: RemoteObject): Promise<void> {
    const holder = this.#holder(reference);
    const newValue = argumentOf(value);
    const { exceptionDetails } =
      holder.kind === 'scope'
        ? await this.#client.call('Debugger.setVariableValue', {
            scopeNumber: holder.scopeNumber,
            callFrameId: holder.callFrameId,
            variableName: name,
            newValue,
          })
        : await this.#client.call('Runtime.callFunctionOn', {
            objectId: holder.objectId,
            functionDeclaration: 'function (name, value) { "use strict"; this[name] = value; }',
            arguments: [{ value: name }, newValue],
            timeout: PATIENCE_MS,
          });
    if (exceptionDetails) throw new BlackError('not_set', `${name} cannot be set: ${whyNot({ exceptionDetails })}`);
  }

  #holder(reference: number): Holder {
    const holder = this.#holders.get(reference);
    if (holder) return holder;
    throw new BlackError('stale_reference', 'This value is from an earlier stop.', 'Ask for the variables again.');
  }

  #keep(holder: Holder): number {
    const reference = this.#newReference();
    this.#holders.set(reference, holder);
    return reference;
  }
}

/** What a failed evaluation says of itself, in one line. */
export function whyNot({ exceptionDetails }: Record<string, unknown>): string {
  const { exception, text } = (exceptionDetails ?? {}) as { exception?: RemoteObject; text?: string };
  const words = exception ? (exception.description ?? valueText(exception)) : (text ?? 'it failed');
  return words.split('\n', 1)[0]!;
}

function argumentOf({ objectId, unserializableValue, value }: RemoteObject) {
  if (objectId !== undefined) return { objectId };
  return unserializableValue === undefined ? { value } : { unserializableValue };
}
