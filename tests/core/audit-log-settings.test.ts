import { createHash } from 'node:crypto';
import { readConfiguration } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { randomBytesOf } from '../support/random.ts';

const randomBytes = randomBytesOf('core/audit-log-settings');
const required = { database: 'postgresql://localhost/shop', env: {} };
const read = (options: object) => readConfiguration({ ...required, ...options }).auditLog;
const [first, second] = [randomBytes(32), randomBytes(32)];

describe('auditSigningKey', () => {
  test('is one or several keys of 32 bytes in base64 or base64url', () => {
    const keys = [first.toString('base64'), second.toString('base64url')];
    expect(read({ auditSigningKey: keys }).signingKeys).toStrictEqual([first, second]);
    expect(read({ env: { AUDIT_SIGNING_KEY: keys.join(', ') } }).signingKeys).toStrictEqual([first, second]);
    expect(read({}).signingKeys).toStrictEqual([]);
  });

  test.each([
    randomBytes(31).toString('base64url'),
    `${first.toString('base64url')}A`,
    'a'.repeat(43),
    'changeme',
  ])('is rejected if it is not 32 bytes in base64 or base64url, and the error does not contain it', (key) => {
    expect(() => read({ auditSigningKey: key })).toThrow(
      /auditSigningKey: given \(.* characters, not shown\)/,
    );
  });
});

describe('auditVerifierKeys', () => {
  const keyOf = (type: number) => {
    const bytes = Buffer.concat([Buffer.of(type), first]);
    const id = createHash('sha256').update('shop.example/log\n').update(bytes).digest('hex').slice(0, 8);
    return `shop.example/log+${id}+${bytes.toString('base64')}`;
  };
  const auditVerifierKeys = keyOf(1);
  const off = { auditSequencer: false };

  test('are one or several public keys of a log', () => {
    expect(read({ ...off, auditVerifierKeys }).verifierKeys).toEqual([auditVerifierKeys]);
    expect(
      read({ ...off, env: { AUDIT_VERIFIER_KEYS: `${auditVerifierKeys}, ${auditVerifierKeys}` } })
        .verifierKeys,
    ).toEqual([auditVerifierKeys, auditVerifierKeys]);
    expect(read({}).verifierKeys).toEqual([]);
  });

  test('are rejected in a process that would sign without a signing key', () => {
    expect(() => read({ auditVerifierKeys })).toThrow(
      'AUDIT_SEQUENCER: given on, with auditVerifierKeys but without AUDIT_SIGNING_KEY; expected off, or AUDIT_SIGNING_KEY if this process signs',
    );
    expect(() => read({ auditVerifierKeys, auditSequencer: true })).toThrow(
      'auditSequencer: given true, with auditVerifierKeys but without AUDIT_SIGNING_KEY; expected false',
    );
    const auditSigningKey = second.toString('base64url');
    expect(read({ auditVerifierKeys, auditSigningKey }).verifierKeys).toEqual([auditVerifierKeys]);
  });

  test.each([
    ['the key of a witness', keyOf(4)],
    ['a key whose id belongs to another name', auditVerifierKeys.replace('shop', 'bank')],
    ['a key with a missing byte', auditVerifierKeys.replace(/.{4}$/, '')],
    ['a seed', first.toString('base64')],
    ['no key', ','],
  ])('are rejected if they contain %s', (_, key) => {
    expect(() => read({ ...off, auditVerifierKeys: key })).toThrow(
      'expected the public keys of the audit log, as `latchkey audit checkpoint` prints them',
    );
  });
});

describe('auditWitnessUrl and auditWitnessKey', () => {
  const auditWitnessKey = `witness.example+01234567+${Buffer.concat([Buffer.of(4), first]).toString('base64')}`;

  test('are rejected if one of them is missing', () => {
    const auditWitnessUrl = 'https://witness.example/';
    expect(read({ auditWitnessUrl, auditWitnessKey }).witness).toStrictEqual({
      url: 'https://witness.example',
      key: auditWitnessKey,
    });
    expect(() => read({ auditWitnessUrl })).toThrow('AUDIT_WITNESS_KEY: given nothing');
    expect(() => read({ auditWitnessKey })).toThrow('AUDIT_WITNESS_URL: given nothing');
  });

  test.each(['http://witness.example', 'ftp://witness.example', 'witness.example'])(
    'are rejected if the URL is %s, which is not https',
    (auditWitnessUrl) => {
      expect(() => read({ auditWitnessUrl, auditWitnessKey })).toThrow('expected an https URL');
    },
  );

  test.each([
    'https://ada:secret@witness.example',
    'https://ada@witness.example',
    'https://:secret@witness.example',
    'https://witness.example/?key=secret',
    'https://witness.example?',
    'https://witness.example/#secret',
    'https://witness.example /',
  ])('refuse the URL %s without showing it', (auditWitnessUrl) => {
    const readUrl = () => read({ auditWitnessUrl, auditWitnessKey });
    expect(readUrl).toThrow('expected an https URL without username, password, query and fragment');
    expect(readUrl).toThrow(`auditWitnessUrl: given (${auditWitnessUrl.length} characters, not shown)`);
    expect(readUrl).not.toThrow('secret');
  });

  test('refuse the key of a log, because only a key for cosignatures belongs to a witness', () => {
    const key = auditWitnessKey.replace(/[^+]*$/, Buffer.concat([Buffer.of(1), first]).toString('base64'));
    expect(() => read({ auditWitnessUrl: 'https://witness.example', auditWitnessKey: key })).toThrow(
      'expected the public key of the witness',
    );
  });
});

describe('auditLogPublic', () => {
  test('is off, unless the option is `true` or the variable is `on`', () => {
    expect(read({}).isPublic).toBe(false);
    expect(read({ auditLogPublic: true }).isPublic).toBe(true);
    expect(read({ env: { AUDIT_LOG_PUBLIC: 'on' } }).isPublic).toBe(true);
    expect(read({ env: { AUDIT_LOG_PUBLIC: 'on' }, auditLogPublic: false }).isPublic).toBe(false);
  });

  test.each(['off', 'on', 1])('refuses the option %j', (auditLogPublic) => {
    expect(() => read({ auditLogPublic })).toThrow('auditLogPublic: given');
  });

  test('refuses the variable `true`', () => {
    expect(() => read({ env: { AUDIT_LOG_PUBLIC: 'true' } })).toThrow('AUDIT_LOG_PUBLIC: given "true"');
  });
});

describe('auditWitnessFor', () => {
  /** The text form of a public key (C2SP signed-note). */
  function keyOf(name: string, type: number, bytes: Buffer): string {
    const key = Buffer.concat([Buffer.of(type), bytes]);
    const id = createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8);
    return `${name}+${id}+${key.toString('base64')}`;
  }
  const key = keyOf('example.com/auth/audit-log/1a2b3c4d', 1, first);
  const rotated = keyOf('example.com/auth/audit-log/1a2b3c4d', 1, second);

  test('is a list of public keys of logs, in code or separated by commas', () => {
    expect(read({}).witnessFor).toStrictEqual([]);
    expect(read({ auditWitnessFor: key }).witnessFor).toStrictEqual([key]);
    expect(read({ auditWitnessFor: [key, rotated, key] }).witnessFor).toStrictEqual([key, rotated]);
    expect(read({ env: { AUDIT_WITNESS_FOR: `${key}, ${rotated}` } }).witnessFor).toStrictEqual([
      key,
      rotated,
    ]);
  });

  test.each([
    ['a key for cosignatures', keyOf('example.com/log', 4, first)],
    ['a key whose id belongs to another name', key.replace('1a2b3c4d', '1a2b3c4e')],
    ['a key that was cut', key.slice(0, -4)],
    ['a name', 'example.com'],
  ])('refuses %s', (_, wrong) => {
    expect(() => read({ auditWitnessFor: [key, wrong] })).toThrow(
      `auditWitnessFor: given ${JSON.stringify(wrong)}; expected public keys of logs`,
    );
  });
});
