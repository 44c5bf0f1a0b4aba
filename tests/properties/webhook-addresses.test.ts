import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { faultOfUrl, isReachable } from '../../src/webhooks/destination.ts';
import { anyText, forAll } from './support/for-all.ts';

const none = { allowedNetworks: [] };
const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 2, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255));
const address4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const group = fc.oneof(
  fc.nat(0xffff),
  fc.constantFrom(0, 1, 0x64, 0xff9b, 0x2001, 0xdb8, 0x2002, 0x3fff, 0xfc00, 0xfe80, 0xfec0, 0xff02, 0xffff),
);
const groups = fc.array(group, { minLength: 8, maxLength: 8 });
const address6 = groups.map((all) => all.map((one) => one.toString(16)).join(':'));

/** Whether an address is public, by the ranges of ipaddr.js. */
const isPublic = (address: string): boolean => ipaddr.parse(address).range() === 'unicast';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The networks that ipaddr.js does not classify as public, such as `10.0.0.0/8`. Its types do not declare them. */
const networksOf = (family: typeof ipaddr.IPv4 | typeof ipaddr.IPv6): string[] => {
  const { SpecialRanges } = family.prototype as unknown as { SpecialRanges: Record<string, Range | Range[]> };
  return Object.values(SpecialRanges)
    .flatMap((ranges) => (ranges[0] instanceof family ? [ranges as Range] : (ranges as Range[])))
    .map(([address, prefix]) => `${address}/${prefix}`);
};

test.each([...networksOf(ipaddr.IPv4), ...networksOf(ipaddr.IPv6)])(
  'a webhook does not reach %s',
  (network) => {
    const family = network.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
    const ends = [family.networkAddressFromCIDR(network), family.broadcastAddressFromCIDR(network)];
    expect(ends.filter((address) => isReachable(`${address}`, none))).toEqual([]);
  },
);

test('a webhook reaches only IPv4 addresses that ipaddr.js classifies as public', () => {
  forAll(
    [address4],
    (address) => {
      if (isReachable(address, none)) expect([address, isPublic(address)]).toEqual([address, true]);
    },
    3000,
  );
});

test('a webhook reaches only IPv6 addresses that ipaddr.js classifies as public', () => {
  forAll(
    [fc.oneof(address6, fc.ipV6())],
    (address) => {
      if (isReachable(address, none)) expect([address, isPublic(address)]).toEqual([address, true]);
    },
    3000,
  );
});

test('a webhook reaches every public IPv4 address', () => {
  forAll(
    [fc.ipV4()],
    (address) => {
      if (isPublic(address)) expect([address, isReachable(address, none)]).toEqual([address, true]);
    },
    1000,
  );
});

test('no spelling of an address that is not public makes a URL acceptable', () => {
  const spellings: ((bytes: number[]) => string)[] = [
    (bytes) => bytes.join('.'),
    (bytes) => `${Buffer.from(bytes).readUInt32BE()}`,
    (bytes) => `0x${Buffer.from(bytes).toString('hex')}`,
    (bytes) => bytes.map((one) => `0${one.toString(8)}`).join('.'),
    (bytes) => bytes.map((one) => `0x${one.toString(16)}`).join('.'),
    ([a, b, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
    (bytes) => `${bytes.join('.')}.`,
    (bytes) => bytes.join('。'),
    (bytes) =>
      bytes
        .map((one) => [...`${one}`].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join(''))
        .join('.'),
    (bytes) => `[::ffff:${bytes.join('.')}]`,
    (bytes) => `[64:ff9b::${bytes.join('.')}]`,
    (bytes) =>
      `[2002:${Buffer.from(bytes)
        .toString('hex')
        .replace(/^(.{4})/, '$1:')}::]`,
    (bytes) => `[::${bytes.join('.')}]`,
  ];
  const bytes = fc.tuple(byte, byte, byte, byte).filter((four) => !isPublic(four.join('.')));
  forAll(
    [bytes, fc.constantFrom(...spellings), fc.constantFrom('', ':8443')],
    (four, spelling, port) => {
      const url = `https://${spelling([...four])}${port}/`;
      expect([url, faultOfUrl(url, none) === null]).toEqual([url, false]);
    },
    1000,
  );
});

test('the check of a webhook URL never throws, for any text', () => {
  forAll([anyText(60)], (text) => {
    faultOfUrl(text, none);
    faultOfUrl(`https://${text}`, none);
    isReachable(text, none);
  });
});
