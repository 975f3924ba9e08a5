import type { EngineError } from '@black-ide/protocol';

/** A failure as the model reads it: what happened, then what to do. */
export function failureText({ message, next }: EngineError): string {
  return next ? `${message} ${next}` : message;
}
