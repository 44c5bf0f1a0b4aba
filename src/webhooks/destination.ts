import { BlockList, isIP, isIPv4 } from 'node:net';
import { bounds } from '../core/bounds.ts';
import type { WebhookSettings } from '../core/config-webhooks.ts';

type Settings = Pick<WebhookSettings, 'allowedNetworks'>;

/**
 * IPv4 networks that are not public, or that any network may serve itself, such as AS112 (IANA IPv4 Special-Purpose
 * Address Registry), and multicast.
 */
const notPublic4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/**
 * IPv6 networks inside `2000::/3` that are not public, that any network may serve itself, or that contain an IPv4 address
 * (IANA IPv6 Special-Purpose Address Registry). Everything outside of `2000::/3` is refused, too: loopback, link-local,
 * unique local and multicast addresses, IPv4-mapped addresses, and NAT64 (`64:ff9b::/96`).
 */
const notPublic6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const forbidden = new BlockList();
for (const [address, prefix] of notPublic4) forbidden.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of notPublic6) forbidden.addSubnet(address, prefix, 'ipv6');

const unicast6 = new BlockList();
unicast6.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether webhooks can connect to an IP address: it is public, or in an allowed network. Without this check, the URL of a
 * webhook could reach servers that only the service can reach (server-side request forgery).
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function isReachable(address: string, { allowedNetworks }: Settings): boolean {
  // An address with a zone, such as `fe80::1%eth0`, is never public.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const allowed = new BlockList();
  for (const network of allowedNetworks) allowed.addSubnet(network.address, network.prefix, network.family);
  if (allowed.check(address, family)) return true;
  if (forbidden.check(address, family)) return false;
  return family === 'ipv4' || unicast6.check(address, 'ipv6');
}

/** Says what is wrong with the URL of a webhook. Null: nothing. The sender also checks the addresses of a host. */
export function faultOfUrl(text: string, settings: Settings): string | null {
  if (text.length > bounds.webhookUrlCharacters)
    return `expected at most ${bounds.webhookUrlCharacters} characters`;
  // `URL` removes line breaks. Terminals and logs would show what is stored.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'expected a URL without control characters and line breaks';
  if (!URL.canParse(text)) return 'expected a URL, such as https://example.com/hooks';
  const url = new URL(text);
  if (`${url.username}${url.password}` !== '') return 'expected a URL without a username or password';
  if (text.includes('#')) return 'expected a URL without a fragment';
  const host = hostOf(url);
  const address = isIP(host) > 0 ? host : null;
  const isLocal = isLocalhost(host) || (address !== null && isLoopback(address));
  if (isLocalhost(host) && !['127.0.0.1', '::1'].some((local) => isReachable(local, settings)))
    return notPublic;
  if (address !== null && !isReachable(address, settings)) return notPublic;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return null;
  return 'expected an https URL';
}

const notPublic = 'expected a public host, or one in a network of webhooks.allowedNetworks';

/** The host of a URL, without the brackets of an IPv6 address. `URL` has normalized the spelling of IPv4 addresses. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isLocalhost = (host: string): boolean => /^(?:.*\.)?localhost\.?$/i.test(host);

const isLoopback = (address: string): boolean => loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
