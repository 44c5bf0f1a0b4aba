/** What everybody shares whose address is not known: a closed socket, a listener that is no network. */
const unknown = 'unknown';

/**
 * Who counts as one client: an IPv4 address, however it is written, or the /64 of an IPv6 one, which is the least that
 * a provider hands out and so holds 2^64 addresses for one person to choose from.
 */
export async function addressBlock(address: string | null): Promise<string> {
  if (address === null) return unknown;
  // The usual case needs no parsing: in its dotted form an address has one spelling.
  if (!address.includes(':')) return address;
  const { default: ipaddr } = await import('ipaddr.js');
  const ipv6 = ipaddr.IPv6.parse(address.replace(/%.*/s, ''));
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString();
  const network = ipv6.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
