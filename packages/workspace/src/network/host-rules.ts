import { isIP } from 'node:net';
import { isInnerName } from './inner-name.ts';

/** A host, or all below it, that commands may reach. */
export interface HostRule {
  /** As the person wrote it. */
  text: string;
  /** In small letters, without a leading `*.`. */
  host: string;
  /** Not the host itself, but every one below it. */
  below: boolean;
  /** The only port; without one 80 and 443. */
  port: number | undefined;
  /** The person named the port: then the host may lead to an inner address, e.g. of the company's own registry. */
  inner: boolean;
}

export type HostVerdict = { ok: true; rule: HostRule } | { ok: false; why: string };

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const ENTRY = /^(?<below>\*?\.)?(?<host>\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(?::(?<port>\d{1,5}))?$/i;
const WEB_PORTS = [80, 443];

/**
 * Reads one entry of the allowed hosts: `example.com` (that host), `*.example.com` or `.example.com` (all below it), each
 * with `:port` where it is not 80 or 443. A host that is reached at an inner address has to be named with its port.
 * Undefined where it is none of that: what cannot be read allows nothing.
 */
export function parseHostRule(text: string): HostRule | undefined {
  const parts = ENTRY.exec(text.trim())?.groups;
  if (!parts?.host) return undefined;
  const host = parts.host.toLowerCase();
  const port = parts.port === undefined ? undefined : Number(parts.port);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const literal = bare(host);
  const below = parts.below !== undefined;
  const needsPort = isIP(literal) > 0 || isInnerName(host);
  if (isIP(literal) ? below || canonicalIp(literal) !== literal : !isHostName(host)) return undefined;
  if (below && !host.includes('.')) return undefined;
  return needsPort && port === undefined ? undefined : { text, host, below, port, inner: port !== undefined };
}

/**
 * Whether a host may be reached at a port. The host is taken as it was sent: what is no plain name in letters, digits
 * and hyphens, ends with a dot, holds a user name or a NUL, or is an address in any spelling, is refused, unless an
 * address is allowed in exactly this spelling.
 */
export function judgeHost(sent: string, port: number, rules: readonly HostRule[]): HostVerdict {
  const host = sent.toLowerCase();
  const literal = bare(host);
  if (!isIP(literal) && !isHostName(host)) return { ok: false, why: 'it is no plain host name' };
  const named = rules.filter((rule) => (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host));
  const rule = named.find((each) => (each.port === undefined ? WEB_PORTS.includes(port) : each.port === port));
  if (rule) return { ok: true, rule };
  if (named.length > 0) return { ok: false, why: `only port ${portsOf(named)} of it is allowed` };
  return { ok: false, why: isIP(literal) ? 'it is an address, not an allowed name' : 'it is not an allowed host' };
}

/**
 * The entry that would let exactly this connection through; undefined where there is none.
 * @param named the port has to be named: the host leads to an inner address
 */
export function entryFor(host: string, port: number, named: boolean): string | undefined {
  const entry = named || !WEB_PORTS.includes(port) || isIP(bare(host)) ? `${host}:${port}` : host;
  const rule = parseHostRule(entry);
  // A command may ask for any name, and that of a rule for many hosts is no host's.
  return rule && !rule.below ? entry.toLowerCase() : undefined;
}

/** Letters, digits and hyphens between dots; the last label is no number, which would be an address in disguise. */
function isHostName(host: string): boolean {
  const labels = host.split('.');
  return (
    host.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)
  );
}

function canonicalIp(literal: string): string | undefined {
  return bare(URL.parse(`http://${literal.includes(':') ? `[${literal}]` : literal}`)?.hostname ?? '');
}

function bare(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function portsOf(rules: readonly HostRule[]): string {
  return [...new Set(rules.flatMap(({ port }) => (port === undefined ? WEB_PORTS : [port])))].join(', ');
}
