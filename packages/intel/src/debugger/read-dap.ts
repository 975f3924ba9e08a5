import { isRecord } from '@black-ide/protocol';

/** Answers of debug adapters, read with care: whatever is missing or of another kind counts as not said. */

export interface AdapterFrame {
  id: number;
  name: string;
  path: string | undefined;
  /** For a person where there is no file. */
  sourceName: string | undefined;
  /** By which the adapter tells the code where there is no file; 0: it does not. */
  sourceReference: number;
  line: number;
  column: number;
  /** Not the person's code, as the adapter sees it; `label`: no frame, but where a part of the stack begins. */
  hint: 'normal' | 'subtle' | 'label';
}

export interface AdapterVariable {
  name: string;
  value: string;
  type: string;
  /** 0: nothing in it. */
  reference: number;
  /** No value, but a group of others or something internal. */
  isGroup: boolean;
}

export interface AdapterScope {
  name: string;
  reference: number;
  expensive: boolean;
}

export interface AdapterBreakpoint {
  id: number | undefined;
  verified: boolean;
  line: number | undefined;
  message: string | undefined;
}

export interface StoppedEvent {
  reason: string;
  threadId: number | undefined;
  description: string | undefined;
  text: string | undefined;
  allThreadsStopped: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export function framesOf(body: unknown): AdapterFrame[] {
  return listIn(body, 'stackFrames').map((frame) => {
    const source = isRecord(frame.source) ? frame.source : {};
    const hint = text(frame.presentationHint) ?? text(source.presentationHint);
    return {
      id: number(frame.id) ?? 0,
      name: text(frame.name) ?? '(unknown)',
      path: text(source.path) || undefined,
      sourceName: text(source.name),
      sourceReference: number(source.sourceReference) ?? 0,
      line: number(frame.line) ?? 0,
      column: number(frame.column) ?? 0,
      hint: hint === 'label' ? 'label' : hint === 'subtle' || hint === 'deemphasize' ? 'subtle' : 'normal',
    };
  });
}

export function variablesOf(body: unknown): AdapterVariable[] {
  return listIn(body, 'variables').map((variable) => ({
    name: text(variable.name) ?? '',
    value: text(variable.value) ?? '',
    type: text(variable.type) ?? '',
    reference: number(variable.variablesReference) ?? 0,
    isGroup: /^(special|function|class|protected|private) variables$/.test(text(variable.name) ?? ''),
  }));
}

export function scopesOf(body: unknown): AdapterScope[] {
  return listIn(body, 'scopes').map((scope) => ({
    name: text(scope.name) ?? '',
    reference: number(scope.variablesReference) ?? 0,
    expensive: scope.expensive === true,
  }));
}

export function threadsOf(body: unknown): { id: number; name: string }[] {
  return listIn(body, 'threads').map(({ id, name }) => ({ id: number(id) ?? 0, name: text(name) ?? '' }));
}

export function breakpointsOf(body: unknown): AdapterBreakpoint[] {
  return listIn(body, 'breakpoints').map(readBreakpoint);
}

/** Of a `breakpoint` event. */
export function breakpointOf(body: unknown): AdapterBreakpoint | undefined {
  return isRecord(body) && isRecord(body.breakpoint) ? readBreakpoint(body.breakpoint) : undefined;
}

export function stoppedOf(body: unknown): StoppedEvent {
  const fields = isRecord(body) ? body : {};
  return {
    reason: text(fields.reason) ?? 'unknown',
    threadId: number(fields.threadId),
    description: text(fields.description),
    text: text(fields.text),
    allThreadsStopped: fields.allThreadsStopped === true,
  };
}

export function field<T extends 'string' | 'number' | 'boolean'>(body: unknown, name: string, kind: T) {
  const value = isRecord(body) ? body[name] : undefined;
  return (typeof value === kind ? value : undefined) as
    | (T extends 'string' ? string : T extends 'number' ? number : boolean)
    | undefined;
}

function readBreakpoint(breakpoint: Fields): AdapterBreakpoint {
  return {
    id: number(breakpoint.id),
    verified: breakpoint.verified === true,
    line: number(breakpoint.line),
    message: text(breakpoint.message),
  };
}

function listIn(body: unknown, name: string): Fields[] {
  const list = isRecord(body) ? body[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
