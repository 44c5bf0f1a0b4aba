import ipaddr from 'ipaddr.js';

/**
 * The IPv6 networks that an address counts against. Providers give a home at least one /64 network, often a /56 network,
 * and give a company a /48 network (RIPE-690). So a client can choose its address, but hardly its /48 network.
 *
 * A wide network can also belong to a mobile provider, which gives each phone a /64 network of it. So a wide network has
 * a larger budget.
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
export function addressBlocks(address: string | null): [string, ...string[]] {
  if (!address?.includes(':')) return [address ?? 'unknown'];
  const parsed = ipaddr.process(address.replace(/%.*/s, ''));
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()];
  const [narrowest, ...wider] = ipv6Networks;
  return [networkOf(parsed.parts, narrowest.bits), ...wider.map(({ bits }) => networkOf(parsed.parts, bits))];
}

/**
 * Returns the id under which the log and the audit log count an IP address: an IPv4 address itself, or the /64 network
 * of an IPv6 address.
 */
export const addressBlock = (address: string | null): string => addressBlocks(address)[0];

/** @param parts the eight 16-bit groups of an IPv6 address */
function networkOf(parts: readonly number[], bits: number): string {
  const masked = parts.map((part, n) => part & ~(0xffff >> Math.min(16, Math.max(0, bits - 16 * n))));
  return `${new ipaddr.IPv6(masked)}/${bits}`;
}
