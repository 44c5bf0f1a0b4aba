import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSealer, type SealingPurpose } from '../../src/core/sealing.ts';
import { randomBytesOf } from '../support/random.ts';

const randomBytes = randomBytesOf('core/sealing');

const [secret, other, third] = [32, 32, 32].map((length) => randomBytes(length).toString('base64url')) as [
  string,
  string,
  string,
];
const purposes = ['ceremony', 'device', 'password', 'recovery_code'] as const satisfies SealingPurpose[];
const sealer = createSealer([secret]);

describe('a sealed token', () => {
  test.each([
    [{ kind: 'login', username: null }],
    ['a text'],
    [''],
    [null],
    [false],
    [0],
    [[1, [2, { three: 3 }]]],
    [{ text: 'Ünïcödé \u{1f511} and "quotes"' }],
    [{ long: 'x'.repeat(50_000) }],
  ])('returns the sealed value when it is opened (row %#)', (value) => {
    expect(sealer.open('ceremony', sealer.seal('ceremony', value))?.value).toEqual(value);
  });

  test('opens with another sealer that has the same secret', () => {
    expect(createSealer([secret]).open('ceremony', sealer.seal('ceremony', 1))?.value).toBe(1);
  });

  test('is base64url text that contains no part of the value', () => {
    const token = sealer.seal('ceremony', { username: 'trombone' });
    expect(token).toMatch(/^[\w-]+$/);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('trombone');
  });

  test.each(purposes.flatMap((made) => purposes.map((opened) => [made, opened] as const)))(
    'that was sealed for the purpose %s opens for the purpose %s only if both purposes are the same',
    (made, opened) => {
      const token = sealer.seal(made, 'value');
      expect(sealer.open(opened, token) !== null).toBe(made === opened);
    },
  );

  test('does not open with another secret, even if the two secrets differ only in the last character', () => {
    const token = sealer.seal('ceremony', 'value');
    const near = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    for (const wrong of [other, near, `${secret} `, secret.toLowerCase()]) {
      expect(createSealer([wrong]).open('ceremony', token)).toBeNull();
    }
  });

  test('has a 128-bit nonce that is unique among 10,000 tokens', () => {
    const nonces = new Set<string>();
    const tokens = new Set<string>();
    for (let n = 0; n < 10_000; n += 1) {
      const token = sealer.seal('ceremony', 'the same value');
      nonces.add(sealer.open('ceremony', token)?.nonce ?? '');
      tokens.add(token);
    }
    for (const nonce of nonces) {
      if (Buffer.from(nonce, 'base64url').length !== 16) expect.fail(`${nonce} does not have 128 bits`);
    }
    expect(nonces.size).toBe(10_000);
    expect(tokens.size).toBe(10_000);
  });
});

describe('a sealer does not open a token', () => {
  const token = sealer.seal('ceremony', { kind: 'login', username: 'ann' });
  const bytes = Buffer.from(token, 'base64url');

  test('with one flipped bit in any position', () => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (sealer.open('ceremony', changed.toString('base64url'))) expect.fail(`bit ${bit} does not matter`);
    }
  });

  test('with missing or additional characters at either end', () => {
    for (let length = 0; length < token.length; length += 1) {
      expect(sealer.open('ceremony', token.slice(0, length)), `${length} characters`).toBeNull();
      expect(
        sealer.open('ceremony', token.slice(token.length - length)),
        `${length} from the end`,
      ).toBeNull();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(sealer.open('ceremony', bytes.subarray(0, length).toString('base64url'))).toBeNull();
    }
    expect(sealer.open('ceremony', Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'))).toBeNull();
    expect(sealer.open('ceremony', token + token)).toBeNull();
  });

  test('in another base64url encoding of the same bytes', () => {
    // Another encoding exists only if the last character has unused bits.
    const spare = [1, 22, 333].map((n) => sealer.seal('ceremony', n)).filter((text) => text.length % 4 !== 0);
    expect(spare.length).toBeGreaterThan(0);
    for (const text of spare) {
      const opens = (spelling: string) => sealer.open('ceremony', spelling) !== null;
      expect(opens(text)).toBe(true);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet.indexOf(text.at(-1) ?? '');
      const respelled = text.slice(0, -1) + alphabet[last + 1];
      expect(Buffer.from(respelled, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
      expect(opens(respelled)).toBe(false);
      for (const padding of ['=', '==']) expect(opens(text + padding)).toBe(false);
    }
    for (const spelling of [
      ` ${token}`,
      `${token}\n`,
      `${token.slice(0, 9)}\n${token.slice(9)}`,
      `${token}.`,
    ]) {
      expect(sealer.open('ceremony', spelling)).toBeNull();
    }
  });

  test('in base64 instead of base64url', () => {
    // This token is long, so it contains both characters in which the alphabets differ.
    const long = sealer.seal('ceremony', 'x'.repeat(5000));
    const plain = long.replaceAll('-', '+').replaceAll('_', '/');
    expect(plain).not.toBe(long);
    expect(Buffer.from(plain, 'base64url')).toEqual(Buffer.from(long, 'base64url'));
    expect(sealer.open('ceremony', plain)).toBeNull();
    expect(sealer.open('ceremony', long)).not.toBeNull();
  });

  test('that combines parts of two tokens', () => {
    const second = Buffer.from(sealer.seal('ceremony', { kind: 'login', username: 'bob' }), 'base64url');
    expect(second).toHaveLength(bytes.length);
    for (const cut of [16, bytes.length - 16]) {
      const spliced = Buffer.concat([bytes.subarray(0, cut), second.subarray(cut)]);
      expect(sealer.open('ceremony', spliced.toString('base64url')), `cut at ${cut}`).toBeNull();
    }
  });

  test.each([
    '',
    'x',
    'not a token',
    '\0',
    '\u{1f511}'.repeat(20),
    'A'.repeat(43),
    'A'.repeat(200),
    '__proto__',
  ])('that is arbitrary text (%j)', (text) => {
    expect(sealer.open('ceremony', text)).toBeNull();
  });
});

describe('a sealer with several secrets', () => {
  test('opens tokens that were sealed with any of these secrets', () => {
    const rotated = createSealer([third, other, secret]);
    for (const listed of [secret, other, third]) {
      expect(rotated.open('ceremony', createSealer([listed]).seal('ceremony', listed))?.value).toBe(listed);
    }
  });

  test('seals with the first secret', () => {
    const token = createSealer([other, secret]).seal('ceremony', 'value');
    expect(createSealer([other]).open('ceremony', token)?.value).toBe('value');
    expect(createSealer([secret]).open('ceremony', token)).toBeNull();
  });

  test('does not open tokens that were sealed with a secret outside the list', () => {
    expect(createSealer([third, other]).open('ceremony', sealer.seal('ceremony', 'value'))).toBeNull();
  });
});

describe('digests', () => {
  const digests = (
    secrets: [string, ...string[]],
    text = 'code',
    purpose: SealingPurpose = 'recovery_code',
  ) =>
    createSealer(secrets)
      .digests(purpose, text)
      .map((digest) => digest.toString('hex'));

  test('contain one digest of 256 bits for each listed secret, in the order of the list', () => {
    const [first, second, oldest] = digests([third, other, secret]);
    expect(digests([third])).toEqual([first]);
    expect(digests([other])).toEqual([second]);
    expect(digests([secret])).toEqual([oldest]);
    expect(digests([third, other, secret])).toHaveLength(3);
    for (const digest of [first, second, oldest]) expect(digest).toMatch(/^[\da-f]{64}$/);
  });

  test('do not depend on earlier calls of the same sealer', () => {
    const busy = createSealer([other, secret]);
    for (const text of ['ann', 'bob', 'code']) busy.digests('recovery_code', text);
    expect(busy.digests('recovery_code', 'code').map((digest) => digest.toString('hex'))).toEqual(
      digests([other, secret]),
    );
  });

  test('are different for another secret, another text or another purpose, and are not plain hashes', () => {
    const all = [
      ...[secret, other, third].flatMap((listed) => digests([listed])),
      ...purposes
        .filter((purpose) => purpose !== 'recovery_code')
        .flatMap((purpose) => digests([secret], 'code', purpose)),
      ...['', 'Code', 'code ', 'codes'].flatMap((text) => digests([secret], text)),
      createHash('sha256').update('code').digest('hex'),
      createHmac('sha256', secret).update('code').digest('hex'),
    ];
    expect(new Set(all).size).toBe(3 + 3 + 4 + 2);
  });

  test('contain a stored digest only while the list contains the secret of that digest', () => {
    const [stored] = digests([secret]);
    expect(digests([third, other, secret])).toContain(stored);
    expect(digests([third, other])).not.toContain(stored);
  });
});
