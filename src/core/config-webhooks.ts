import { isIP } from 'node:net';
import { inspect } from 'node:util';
import type { FaultList, Given } from './config-fault.ts';
import { readFlag, readList } from './config-values.ts';
import { refuseUnknown } from './unknown-names.ts';

/** The option `webhooks`. */
export interface WebhookOptions {
  /**
   * WEBHOOK_ALLOWED_NETWORKS: networks that webhooks can reach although they are not public, such as `10.0.0.0/8` or
   * `fd00::/8`. Only a URL of an allowed loopback address can have the scheme `http`. Default: none.
   */
  readonly allowedNetworks?: readonly string[];
}

/** A range of IP addresses. */
export interface Network {
  readonly address: string;
  /** The number of fixed bits. */
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The checked option `webhooks`. */
export interface WebhookSettings {
  /** Networks that webhooks can reach although they are not public. */
  readonly allowedNetworks: readonly Network[];
}

/** Reads the option `webhooks`. Null: the service has no webhooks. */
export function readWebhooks(
  faults: FaultList,
  option: WebhookOptions | false | undefined,
  given: { switch: Given; allowedNetworks: Given },
): WebhookSettings | null {
  // JavaScript can pass null, which counts as missing.
  const isOn = option == null ? readFlag(faults, given.switch, true) : option !== false;
  const isObject = typeof option === 'object' && option !== null && !Array.isArray(option);
  if (option != null && option !== false && !isObject)
    faults.addText('webhooks', inspect(option).slice(0, 100), 'false or an object');
  const options: WebhookOptions = isObject ? option : {};
  refuseUnknown(faults, 'webhooks', options, ['allowedNetworks']);
  const networks = networksOf(faults, options.allowedNetworks, given.allowedNetworks);
  return isOn ? { allowedNetworks: networks } : null;
}

function networksOf(faults: FaultList, option: unknown, given: Given): Network[] {
  const name = option == null ? given.name : 'webhooks.allowedNetworks';
  const texts: unknown = option == null ? readList(given.text) : option;
  const networks = Array.isArray(texts) ? texts.map(networkOf) : [null];
  if (networks.includes(null))
    faults.addText(name, inspect(texts).slice(0, 100), 'networks such as 10.0.0.0/8, 127.0.0.1 or fd00::/8');
  return networks.filter((network) => network !== null);
}

function networkOf(text: unknown): Network | null {
  const [, address = '', given] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(`${text}`) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const bits = version === 4 ? 32 : 128;
  const prefix = given === undefined ? bits : Number(given);
  return prefix <= bits ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : null;
}
