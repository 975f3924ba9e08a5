/**
 * A Request is an open question to a person: logged before it is shown, answered once by whichever face comes first.
 * It is a `custom` entry `request` (a plan's customType is `pending-plan-<threadId>`), its answer a `custom` entry
 * `response`.
 */
import * as z from 'zod';

export const REQUEST_KINDS = [
  'plan',
  'permission',
  'loop_limit',
  'repeated_failure',
  'ask_user',
  'staged_edit',
  'trust',
  'elicitation',
  'merge_conflict',
] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

export const requestOptionSchema = z.object({ value: z.string(), label: z.string() });

export const requestSchema = z.object({
  id: z.string().min(1),
  kind: z.enum(REQUEST_KINDS),
  /** What is asked, in words for a person. */
  title: z.string(),
  /** Facts by kind, e.g. `{callId, name, args, decision}` for a permission, `{limit}` for a loop limit. */
  payload: z.record(z.string(), z.unknown()),
  options: z.array(requestOptionSchema),
  /** The option's value that counts when nobody can be asked. */
  default: z.string(),
});

export type Request = z.infer<typeof requestSchema>;

/** Who answered: a face's name, or the policy when nobody could be asked. */
export const responseSchema = z.object({
  requestId: z.string().min(1),
  kind: z.enum(REQUEST_KINDS),
  value: z.string(),
  /** Words that go with the answer, e.g. the reason of a denial or feedback on a plan. */
  text: z.string().optional(),
  by: z.string(),
});

export type Response = z.infer<typeof responseSchema>;

/** The customType under which a request is logged. */
export function requestCustomType(kind: RequestKind, threadId: string): string {
  return kind === 'plan' ? `pending-plan-${threadId}` : 'request';
}

/** Whether a `custom` entry of this type holds a Request. */
export function isRequestType(customType: string): boolean {
  // A damaged log may have no type at all.
  return customType === 'request' || (typeof customType === 'string' && customType.startsWith('pending-plan-'));
}
