import ipaddr from 'ipaddr.js';

/**
 * Returns the id under which the rate limits and the audit log count an IP address. All IPv6 addresses of one /64
 * network share an id, because internet providers give at least one such network to each customer. Connections without
 * an IP address, such as Unix sockets, also share an id.
 */
export function addressBlock(address: string | null): string {
  if (!address?.includes(':')) return address ?? 'unknown';
  const withoutZone = address.replace(/%.*/s, '');
  const parsed = ipaddr.process(withoutZone);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/64`)}/64`;
}
