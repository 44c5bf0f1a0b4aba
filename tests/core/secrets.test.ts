import { ConfigurationError, readConfiguration } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { randomBytesOf } from '../support/random.ts';

const randomBytes = randomBytesOf('core/secrets');

const inProduction = (secret: string) =>
  readConfiguration({
    secret,
    database: 'postgresql://db/shop',
    rpId: 'example.com',
    origins: 'https://example.com',
    env: { NODE_ENV: 'production' },
  });
const inDevelopment = (secret: string) =>
  readConfiguration({ secret, database: 'postgresql://db/shop', env: {} });

function faultsOf(secret: string) {
  try {
    inProduction(secret);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('at least 32 random bytes', () => {
  test.each(['hex', 'base64', 'base64url'] as const)(
    'encoded as %s are accepted as a secret in 1,000 of 1,000 cases',
    (encoding) => {
      const secrets = Array.from({ length: 1000 }, () => randomBytes(32).toString(encoding));
      expect(secrets.filter((secret) => faultsOf(secret).length > 0)).toEqual([]);
    },
  );

  test.each([
    ['upper-case hex', () => randomBytes(32).toString('hex').toUpperCase()],
    ['base64 of 48 bytes', () => randomBytes(48).toString('base64')],
    ['hex of 64 bytes', () => randomBytes(64).toString('hex')],
  ])('given as %s are accepted as a secret', (_, make) => {
    const secrets = Array.from({ length: 100 }, make);
    expect(secrets.filter((secret) => faultsOf(secret).length > 0)).toEqual([]);
  });

  test.each([
    // A random secret in base64 can contain “xxxx” by chance.
    'kJ9v2Qx7mN4pR8tW1yB5cxXxXF0hL3sD6gZaXeUoIuTq',
    'ABCD9v2Qx7mN4pR8tW1y1234cF0hL3sD6gZaaaaUoIuT',
    'kJ9v2Qx7mN4pR8tW1yB5TestTestcF0hL3sD6gZaXeUo',
  ])('are accepted even if some characters are repeated or consecutive by chance: %s', (secret) => {
    expect(inProduction(secret).secrets).toEqual([secret]);
  });
});

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const counting = Buffer.from(Array.from({ length: 32 }, (_, n) => n));
const countingDown = Buffer.from(counting).reverse();
const bytes16 = Buffer.from('9f3c1b7ae04d58266bd1f0c75e8a3942', 'hex');
const bytes24 = Buffer.from('9f3c1b7ae04d58266bd1f0c75e8a3942d70b6615c8e2fa93', 'hex');

describe('production rejects a weak secret', () => {
  test.each([
    ['one character', 'x'],
    ['a short word', 'hunter2'],
    ['31 characters', 'Zp3Xc8Vb1Nm6Qw4Er9Ty2Ui7Op5As0D'],
    ['32 random letters and digits, 190 bits', 'Zp3Xc8Vb1Nm6Qw4Er9Ty2Ui7Op5As0Df'],
    ['16 random bytes as hex', bytes16.toString('hex')],
    ['16 random bytes as base64', bytes16.toString('base64')],
    ['16 random bytes as base64url', bytes16.toString('base64url')],
    ['24 random bytes as hex', bytes24.toString('hex')],
    ['24 random bytes as base64', bytes24.toString('base64')],
    ['31 random bytes as hex', `${bytes24.toString('hex')}5f20c48e9b71a3`],
    ['a UUID', '3f2b8c1e-9d47-4a60-b5e3-7c81f0d2a694'],
    ['70 digits, 232 bits', '9183746502837465019283746501928374650192837465091827364509182736450918'],
  ])('that is too short: %s', (_, secret) => {
    expect(faultsOf(secret)).toHaveLength(1);
  });

  test.each([
    ['one repeated character', 'a'.repeat(64)],
    ['zeros', '0'.repeat(128)],
    ['80 spaces between two characters', `7${' '.repeat(80)}b`],
    ['two characters', 'ab'.repeat(40)],
    ['a word', 'trombone'.repeat(8)],
    ['16 random bytes twice', bytes16.toString('hex').repeat(2)],
    ['16 random bytes twice, as base64', bytes16.toString('base64url').repeat(2)],
    ['16 random bytes four times', bytes16.toString('base64url').repeat(4)],
    ['a repeated short secret', 'Zp3Xc8Vb1N'.repeat(10)],
    ['32 zero bytes', Buffer.alloc(32).toString('base64')],
    ['32 equal bytes', Buffer.alloc(32, 0xa7).toString('hex')],
  ])('that repeats characters, bytes or words: %s', (_, secret) => {
    expect(faultsOf(secret)).toMatchObject([
      { expected: expect.stringContaining('repeated or consecutive') },
    ]);
  });

  test.each([
    ['digits', '0123456789'.repeat(8)],
    ['the alphabet', alphabet],
    ['the alphabet backwards', [...alphabet].reverse().join('')],
    ['hex digits', '0123456789abcdef'.repeat(4)],
    ['bytes from 0 to 31 as hex', counting.toString('hex')],
    ['bytes from 0 to 31 as base64', counting.toString('base64')],
    ['bytes from 0 to 31 as base64url', counting.toString('base64url')],
    ['bytes from 31 to 0 as hex', countingDown.toString('hex')],
  ])('that consists of consecutive characters or bytes: %s', (_, secret) => {
    expect(faultsOf(secret)).toMatchObject([
      { expected: expect.stringContaining('repeated or consecutive') },
    ]);
  });

  test.each([
    'change-me-change-this-to-32-random-bytes-0123456789',
    'your-secret-key-goes-here-and-should-be-very-long-1234567890',
    'YOUR_JWT_SECRET_AT_LEAST_32_CHARACTERS_LONG_PLEASE',
    'super-secret-signing-token-for-the-development-server-42',
    'insert here the output of openssl rand -base64 32 (please)',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'please-replace-this-value-before-you-go-live-7b1f4e9c2d',
    'this-is-a-very-long-sentence-that-nobody-should-use-to-sign',
    'please change this before going to production; thank you very much',
    'ThisSentenceIsLongEnoughToLookLikeSomethingGoodButItIsNot',
    'THE_QUICK_BROWN_FOX_JUMPS_OVER_THE_LAZY_DOG_AND_RUNS_2024',
  ])('that is a placeholder or a sentence: %s', (secret) => {
    expect(faultsOf(secret)).toHaveLength(1);
  });

  test('with an error that names the option and the length of the secret, but not the secret', () => {
    const secret = 'Zp3Xc8Vb1Nm6Qw4Er9Ty';
    expect(faultsOf(secret)).toEqual([
      {
        setting: 'secret',
        given: '(20 characters, not shown)',
        expected: expect.stringContaining('32 random bytes'),
      },
    ]);
  });
});

test('development accepts a weak secret with a warning that does not contain the secret', () => {
  const { secrets, warnings } = inDevelopment('Zp3Xc8Vb1Nm6Qw4Er9Ty');
  expect(secrets).toEqual(['Zp3Xc8Vb1Nm6Qw4Er9Ty']);
  expect(warnings).toEqual([
    expect.stringMatching(/^secret is too weak: about \d+ bits; production rejects it/),
  ]);
  expect(warnings.join()).not.toContain('Zp3Xc8Vb1Nm6Qw4Er9Ty');
});

test('a passphrase of twenty random words is accepted', () => {
  const words =
    'cobalt-thimble-orchard-vexing-plywood-juniper-mascot-rivulet-sandbar-quaint-' +
    'tundra-oblique-parsnip-zephyr-kiosk-warble-dynamo-fathom-glacier-hexagon';
  expect(inProduction(words).secrets).toEqual([words]);
});

describe('a list of secrets', () => {
  const [newest, older, oldest] = [32, 40, 48].map((length) => randomBytes(length).toString('base64url')) as [
    string,
    string,
    string,
  ];

  test('keeps its order', () => {
    expect(inProduction(`${newest}, ${older},,${oldest} `).secrets).toEqual([newest, older, oldest]);
  });

  test('is rejected if one secret is weak', () => {
    expect(faultsOf(`${newest},short,${older},${'b'.repeat(64)}`)).toMatchObject([
      { setting: 'secret', given: '(5 characters, not shown)' },
      { setting: 'secret', given: '(64 characters, not shown)' },
    ]);
  });
});
