import ipaddr from 'ipaddr.js';

/**
 * The key that the limits of an address count under. Providers assign at least a /64 of IPv6 to one customer, so its
 * addresses share one key. Connections without an address, such as Unix sockets, share one key too.
 */
export function addressBlock(address: string | null): string {
  if (address === null) return 'unknown';
  const withoutZone = address.replace(/%.*/s, '');
  const parsed = ipaddr.process(withoutZone);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/64`)}/64`;
}
