/** Hands out `bytes` random bytes in hex. */
export type RandomHex = (bytes: number) => string;

const TRIES = 100;

/** An id of 8 characters that no entry of the session has. */
export function newEntryId(taken: { has(id: string): boolean }, randomHex: RandomHex): string {
  for (let i = 0; i < TRIES; i++) {
    const id = randomHex(4);
    if (!taken.has(id)) return id;
  }
  return randomHex(16);
}

/** A random UUID (RFC 9562, version 4): its first characters tell sessions apart, whenever they were begun. */
export function newSessionId(randomHex: RandomHex): string {
  const hex = randomHex(16);
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const digits = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `<time>_<id>.jsonl`, as the pi family names session files. */
export function sessionFileName({ id, timestamp }: { id: string; timestamp: string }): string {
  return `${timestamp.replaceAll(/[:.]/g, '-')}_${id}.jsonl`;
}

/** The id in a session file's name; undefined for other files. */
export function idInFileName(name: string): string | undefined {
  return /^[^_]+_(.+)\.jsonl$/.exec(name)?.[1];
}
