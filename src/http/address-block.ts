import ipaddr from 'ipaddr.js';

/**
 * The id that an address counts for. Providers assign at least a /64 of IPv6 addresses to one customer, so these share
 * one id, as do all connections without an address, such as Unix sockets.
 */
export function addressBlock(address: string | null): string {
  if (!address?.includes(':')) return address ?? 'unknown';
  const withoutZone = address.replace(/%.*/s, '');
  const parsed = ipaddr.process(withoutZone);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/64`)}/64`;
}
