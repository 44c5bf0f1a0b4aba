import { describe, expect, test } from 'vitest';
import { FaultList } from '../../src/core/config-fault.ts';
import { readWebhooks } from '../../src/core/config-webhooks.ts';
import { faultOfUrl, isReachable } from '../../src/webhooks/destination.ts';

const none = { allowedNetworks: [] };

/** The settings for a list of allowed networks. */
function allowing(...allowedNetworks: string[]) {
  const faults = new FaultList();
  const given = { name: 'WEBHOOKS', text: undefined };
  const settings = readWebhooks(faults, { allowedNetworks }, { switch: given, allowedNetworks: given });
  faults.throwIfAny();
  return settings ?? none;
}

describe('webhooks do not reach', () => {
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.31.196.0',
    '192.52.193.255',
    '192.88.99.1',
    '192.168.1.1',
    '192.175.48.6',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:4:112::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2620:4f:8000::6',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
    '0x7f.1',
  ])('%s', (address) => {
    expect(isReachable(address, none)).toBe(false);
  });
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '2606:4700:4700::1111',
  '2a00::1',
])('webhooks reach %s', (address) => {
  expect(isReachable(address, none)).toBe(true);
});

test('an allowed network makes only its own addresses reachable', () => {
  const settings = allowing('10.1.0.0/16', 'fd00:1::/32', '127.0.0.1');
  const reached = ['10.1.2.3', '10.2.0.1', 'fd00:1::5', 'fd00:2::5', '127.0.0.1', '127.0.0.2'];
  expect(reached.filter((address) => isReachable(address, settings))).toEqual([
    '10.1.2.3',
    'fd00:1::5',
    '127.0.0.1',
  ]);
});

test.each([['10.0.0.0/33'], ['10.0.0'], ['localhost'], ['fd00::/129'], [''], ['10.0.0.0/8/8'], [undefined]])(
  'an invalid network is refused: %s',
  (network) => {
    expect(() => allowing(network as string)).toThrow('webhooks.allowedNetworks');
  },
);

describe('the URL of a webhook', () => {
  test.each([
    ['https://example.com/hooks?key=1', null],
    ['https://example.com:8443', null],
    ['https://8.8.8.8/', null],
    ['https://[2606:4700::1111]/', null],
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['file:///etc/passwd', 'https'],
    ['example.com', 'expected a URL'],
    ['https://ada@example.com/', 'username'],
    ['https://:secret@example.com/', 'password'],
    ['https://example.com/#', 'fragment'],
    ['https://127.0.0.1/', 'public'],
    ['https://2130706433/', 'public'],
    ['https://0x7f.1/', 'public'],
    ['https://0177.0.0.1/', 'public'],
    ['https://127.1/', 'public'],
    ['https://[::1]/', 'public'],
    ['https://[::ffff:127.0.0.1]/', 'public'],
    ['https://[64:ff9b::7f00:1]/', 'public'],
    ['https://169.254.169.254/latest/meta-data/', 'public'],
    ['https://localhost/', 'public'],
    ['https://LOCALHOST./', 'public'],
    ['https://hooks.localhost/', 'public'],
    ['http://localhost/', 'public'],
    [`https://example.com/${'a'.repeat(2048)}`, '2048'],
  ])('%s has the fault: %s', (url, fault) => {
    if (fault === null) expect(faultOfUrl(url, none)).toBeNull();
    else expect(faultOfUrl(url, none)).toContain(fault);
  });

  test.each([
    ['NUL', '\0'],
    ['TAB', '\t'],
    ['LF', '\n'],
    ['CR', '\r'],
    ['ESC', '\u001b'],
    ['DEL', '\u007f'],
    ['U+0085', '\u0085'],
    ['U+009B', '\u009b'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
  ])('does not contain %s', (_, character) => {
    const url = 'https://example.com/';
    for (const text of [`${url}a${character}b`, `${url}${character}`, `${character}${url}`])
      expect(faultOfUrl(text, none)).toBe('expected a URL without control characters and line breaks');
  });

  test('can have the scheme http only for an allowed loopback address', () => {
    const local = allowing('127.0.0.0/8', '10.0.0.0/8');
    expect(faultOfUrl('http://127.0.0.1:3000/', local)).toBeNull();
    expect(faultOfUrl('http://localhost:3000/', local)).toBeNull();
    expect(faultOfUrl('https://10.0.0.5/', local)).toBeNull();
    expect(faultOfUrl('http://10.0.0.5/', local)).toContain('https');
    expect(faultOfUrl('http://[::1]/', local)).toContain('public');
  });
});
