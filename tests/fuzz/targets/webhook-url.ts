import ipaddr from 'ipaddr.js';
import { faultOfUrl } from '../../../src/webhooks/destination.ts';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';

/** The URL of a webhook. The check must refuse every URL with a host that only the service can reach. */
export const webhookUrl: FuzzTarget = {
  name: 'webhook-url',
  maxBytes: 2100,
  dictionary: [
    'https://',
    'http://',
    'localhost',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1%25eth0]',
    '169.254.169.254',
    '10.0.0.1',
    '%6c',
    '。',
    '①',
    '\u00ad',
    '@',
    '\\',
    '#',
    '?',
    ':443',
    '.',
    '/',
  ],
  seeds: () =>
    [
      'https://example.com/hooks?key=1',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]:8443/a',
      'https://xn--bcher-kva.example',
    ].map((text) => Buffer.from(text)),
  run: (input) => {
    const text = Buffer.from(input).toString();
    if (faultOfUrl(text, { allowedNetworks: [] }) !== null) return;
    const { protocol, hostname, username, password } = new URL(text);
    assertHolds(protocol === 'https:', `accepted ${protocol}`);
    assertHolds(username === '' && password === '', 'accepted a password');
    assertHolds(!/(?:^|\.)localhost\.?$/.test(hostname), 'accepted localhost');
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!ipaddr.isValid(host)) return;
    const range = ipaddr.parse(host).range();
    assertHolds(range === 'unicast', `accepted ${host}, which is ${range}`);
  },
};
