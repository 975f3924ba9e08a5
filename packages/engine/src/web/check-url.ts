import { isIP } from 'node:net';
import { isInnerName, isPublicAddress } from '@black-ide/workspace';

export type CheckedUrl = { ok: true; url: URL } | { ok: false; why: string };

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 2_000;

/**
 * Judges a web address by its text: http or https, no user name in it, a plain host name or a public IP address. The URL
 * parser has already turned decimal, octal and hexadecimal spellings of an address into the usual one. What a name
 * resolves to is judged when it is connected to.
 *
 * @param isAllowed addresses that are taken although their host is not public
 */
export function checkUrl(text: string, isAllowed: (url: URL) => boolean = () => false): CheckedUrl {
  const url = URL.parse(text.trim());
  if (!url) return refuse('it is no URL');
  if (text.length > MAX_LENGTH) return refuse(`it is longer than ${MAX_LENGTH} characters`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('only http and https can be fetched');
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text.trim())) {
    return refuse('it has a user name or password in it');
  }
  if (isAllowed(url)) return { ok: true, url };
  const why = hostProblem(url.hostname);
  return why === undefined ? { ok: true, url } : refuse(why);
}

function hostProblem(host: string): string | undefined {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal)) {
    return isPublicAddress(literal) ? undefined : `${literal} is not an address of the public internet`;
  }
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return `${host} is no plain host name`;
  if (isInnerName(host)) return `${host} is a name of an inner network`;
  return /^\d+$/.test(labels.at(-1)!) ? `${host} is no plain host name` : undefined;
}

function refuse(why: string): CheckedUrl {
  return { ok: false, why };
}
