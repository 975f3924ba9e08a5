import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { isRecord } from '@black-ide/protocol';
import { PlainAnswer } from './plain-answer.ts';

/** What can be told of a failed call, whatever shape its provider gave it. */
export interface FailureFacts {
  /** HTTP's, also where a stream that had begun says it in its own words. */
  status: number | undefined;
  /** The provider's own word for the kind of failure, or nothing. */
  code: string;
  /** The server's own sentence, at most 500 characters: error bodies can be whole pages. Empty only where `unreadable`. */
  words: string;
  retryAfterMs: number | undefined;
  /** No connection came about. */
  unreachable: boolean;
  /** Where the server sends us instead: it is not followed. */
  location?: string;
  /** What it did, where no second try makes its answer readable. */
  unreadable?: string;
}

export function factsOf(cause: unknown, now: number): FailureFacts {
  if (!APICallError.isInstance(cause)) {
    const unreadable = unreadableIn(cause);
    const body = bodyOf(unreadable ? unreadable.value : cause);
    const words = sentence(body) ?? (unreadable ? titleOf(unreadable.value) : (sentence(cause) ?? String(cause)));
    return {
      ...(unreadable ? { unreadable: unreadable.kind } : {}),
      status: statusOf(body),
      code: codeOf(body),
      words: words === undefined ? '' : clipped(words),
      retryAfterMs: delayOf(body),
      unreachable: false,
    };
  }
  const { statusCode, responseHeaders = {}, responseBody } = cause;
  const body = bodyOf(responseBody ?? cause.data);
  // A stream that began with status 200 may still say that it failed, and how.
  const status = statusCode === undefined || statusCode >= 300 ? statusCode : statusOf(body);
  return {
    status,
    code: codeOf(body),
    words: clipped(sentence(body) ?? plainText(responseBody) ?? cause.message),
    retryAfterMs: retryAfter(responseHeaders, now) ?? delayOf(body),
    unreachable: statusCode === undefined,
    ...(responseHeaders.location ? { location: responseHeaders.location } : {}),
  };
}

/** What was answered where no second try makes it readable; undefined for other failures. */
function unreadableIn(cause: unknown): { kind: string; value: unknown } | undefined {
  if (cause instanceof PlainAnswer)
    return { kind: `answered with ${cause.type || 'something'} in place of a stream of events`, value: cause.body };
  if (TypeValidationError.isInstance(cause)) return { kind: 'sent an event that cannot be read', value: cause.value };
  return undefined;
}

/** The innermost object that tells of the error: `{error: {…}}`, `[{error: {…}}]`, `{response: {error}}`, or itself. */
function bodyOf(value: unknown): unknown {
  let body: unknown = typeof value === 'string' ? parsed(value) : value;
  for (let depth = 0; depth < 4; depth++) {
    if (Array.isArray(body)) body = body[0];
    if (!isRecord(body)) return body;
    const inner = body.error ?? (isRecord(body.response) ? body.response.error : undefined);
    if (!isRecord(inner)) return body;
    body = inner;
  }
  return body;
}

function statusOf(body: unknown): number | undefined {
  if (!isRecord(body)) return undefined;
  const status = [body.code, body.status, body.statusCode].map(Number).find((each) => each >= 400 && each < 600);
  return status;
}

function codeOf(body: unknown): string {
  if (!isRecord(body)) return '';
  const words = [body.code, body.status, body.type].filter((word) => typeof word === 'string');
  // `error` and `invalid_request_error` say nothing that the status does not.
  return words.find((word) => !/^(error|invalid_request_error|\d+)$/.test(word)) ?? '';
}

function sentence(body: unknown): string | undefined {
  if (typeof body === 'string') return body.trim() || undefined;
  if (!isRecord(body)) return undefined;
  const { message, error, detail, metadata, type } = body as Record<string, unknown>;
  const raw = isRecord(metadata) && typeof metadata.raw === 'string' ? metadata.raw : undefined;
  if (typeof message === 'string' && message.trim()) {
    // OpenRouter's own sentence is always the same; what the provider behind it said is the news.
    if (raw) return `${message}: ${sentence(bodyOf(raw)) ?? raw}`;
    return typeof type === 'string' && type !== 'error' && !(body instanceof Error) ? `${type}: ${message}` : message;
  }
  if (typeof error === 'string' && error.trim()) return error;
  if (typeof detail === 'string' && detail.trim()) return detail;
  return detail !== undefined || raw !== undefined ? (raw ?? JSON.stringify(detail)) : undefined;
}

/** The text of a page that a proxy answered in the provider's place. */
function plainText(body: string | undefined): string | undefined {
  const text = titleOf(body) ?? body?.replaceAll(/<[^>]{0,500}>/g, ' ');
  return text?.trim() || undefined;
}

function titleOf(page: unknown): string | undefined {
  return typeof page === 'string' ? /<title>([^<]{1,200})<\/title>/i.exec(page)?.[1] : undefined;
}

function clipped(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 500) || 'no reason given';
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; milliseconds. */
function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] && Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers['retry-after'];
  if (!after) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google's: `details: [{"@type": "…RetryInfo", retryDelay: "34.07s"}]`. */
function delayOf(body: unknown): number | undefined {
  if (!isRecord(body) || !Array.isArray(body.details)) return undefined;
  for (const detail of body.details) {
    const seconds = isRecord(detail) && /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay))?.[1];
    if (seconds) return Math.round(Number(seconds) * 1000);
  }
  return undefined;
}

/** An error body is often no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
