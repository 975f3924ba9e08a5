/** Names that lead into the machine's own networks whatever a resolver says (RFC 6761, RFC 8375, common habit). */
const INNER_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|example|invalid|onion)$/;

/** Whether a host name, in small letters, is one of an inner network: one without a dot, or below such an ending. */
export function isInnerName(host: string): boolean {
  return !host.includes('.') || INNER_NAME.test(host);
}
