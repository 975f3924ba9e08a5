import { BlockList, isIP } from 'node:net';

/** IANA special-purpose IPv4 blocks, multicast and reserved ones included (RFC 6890, iana-ipv4-special-registry). */
const IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Of 2000::/3, the only block of global unicast addresses, what leads elsewhere: Teredo, ORCHID, 6to4, documentation. */
const IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const GLOBAL_V6 = listOf(['2000::/3'], 'ipv6');
const SPECIAL_V4 = listOf(IPV4, 'ipv4');
const SPECIAL_V6 = listOf(IPV6, 'ipv6');

function listOf(blocks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net, prefix] = block.split('/') as [string, string];
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/**
 * Whether an IP address is one of the public internet: not this machine, its networks, a cloud's metadata service, or any
 * other special block. An IPv4 address within an IPv6 one (mapped, NAT64) counts as the former.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_V4.check(address, 'ipv4');
    case 6: {
      const embedded = embeddedV4(address);
      if (embedded) return isPublicAddress(embedded);
      return !address.includes('%') && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
    }
    default:
      return false;
  }
}

/** The IPv4 address in `::ffff:0:0/96` (RFC 4291) or `64:ff9b::/96` (RFC 6052); the URL parser spells both in full form. */
function embeddedV4(address: string): string | undefined {
  if (address.includes('%')) return undefined;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical);
  if (!groups) return undefined;
  const [high, low] = [Number.parseInt(groups[1] ?? '0', 16), Number.parseInt(groups[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
