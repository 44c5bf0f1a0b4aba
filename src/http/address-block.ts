import ipaddr from 'ipaddr.js';

/**
 * The IPv6 networks that an address counts against. Providers give a home at least one /64 network, often a /56 network,
 * and a company a /48 network. So a client can choose its address, but hardly its /48 network.
 *
 * A wide network can also belong to a provider, who gives each phone one /64 network of it. So its budget is larger.
 */
const ipv6Networks = [
  { bits: 64, shares: 1 },
  { bits: 56, shares: 4 },
  { bits: 48, shares: 16 },
] as const;

/** How many times the budget of one address each element of `addressBlocks` has. */
export const blockShares: readonly number[] = ipv6Networks.map(({ shares }) => shares);

/**
 * Returns the ids under which the rate limits count an IP address. An IPv4 address has one id. An IPv6 address has the
 * ids of its /64, /56 and /48 networks. Connections without an IP address, such as Unix sockets, share an id.
 */
export function addressBlocks(address: string | null): string[] {
  if (!address?.includes(':')) return [address ?? 'unknown'];
  const withoutZone = address.replace(/%.*/s, '');
  const parsed = ipaddr.process(withoutZone);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  return ipv6Networks.map(
    ({ bits }) => `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/${bits}`)}/${bits}`,
  );
}
