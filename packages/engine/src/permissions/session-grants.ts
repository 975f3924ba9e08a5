import { customData, type Entry, type Request } from '@black-ide/protocol';
import { isPrefixRule, type PrefixRule } from '@black-ide/workspace';

/** Answers to a permission question, as its options name them. */
export const PERMISSION_ANSWERS = {
  once: 'allow',
  session: 'allow-session',
  workspace: 'allow-workspace',
  deny: 'deny',
} as const;

/** What a person has allowed for the rest of the session: the log says it, so that it holds when the session is resumed. */
export function sessionGrants(path: readonly Entry[]): PrefixRule[] {
  const offered = new Map<string, readonly PrefixRule[]>();
  const granted: PrefixRule[] = [];
  for (const entry of path) {
    const request = customData(entry, 'request');
    if (request?.kind === 'permission') offered.set(request.id, rulesOf(request));
    const response = customData(entry, 'response');
    if (response?.value === PERMISSION_ANSWERS.session) granted.push(...(offered.get(response.requestId) ?? []));
  }
  return granted;
}

/** The rules that a question offers. */
export function rulesOf({ payload }: Pick<Request, 'payload'>): readonly PrefixRule[] {
  return Array.isArray(payload.rules) ? payload.rules.filter(isPrefixRule) : [];
}
