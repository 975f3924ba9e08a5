import { createHash } from 'node:crypto';

const SIGNATURE_MARK = 'mock-signature:';
const SEAL_MARK = 'mock-seal:';
const DIGEST_BYTES = 32;

function digest(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The signature this server gives a thinking block, and accepts with exactly that text later. */
export function signThinking(thinking: string): string {
  return Buffer.concat([Buffer.from(SIGNATURE_MARK), digest(thinking)]).toString('base64');
}

/** Thinking as a sealed letter, for wires that give it back without its text: a server of ours knows any that is whole. */
export function sealThinking(thinking: string): string {
  const text = Buffer.from(thinking);
  return Buffer.concat([Buffer.from(SEAL_MARK), digest(text), text]).toString('base64');
}

export function isSealed(value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  const textAt = SEAL_MARK.length + DIGEST_BYTES;
  if (bytes.length < textAt || !bytes.subarray(0, SEAL_MARK.length).equals(Buffer.from(SEAL_MARK))) return false;
  return bytes.subarray(SEAL_MARK.length, textAt).equals(digest(bytes.subarray(textAt)));
}
