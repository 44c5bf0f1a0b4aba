import { describe, expect, test } from 'vitest';
import { createSealer } from '../../src/core/sealing.ts';
import { codeHashes, newRecoveryCode } from '../../src/recovery/code.ts';
import { randomBytesOf } from '../support/random.ts';

const randomBytes = randomBytesOf('rules/recovery');

describe('the digests of a recovery code', () => {
  const [older, newer] = [32, 32].map((length) => randomBytes(length).toString('base64url')) as [
    string,
    string,
  ];
  const code = newRecoveryCode();

  test('include one digest for each listed secret, in the same order', () => {
    const [underOlder] = codeHashes(createSealer([older]), code);
    const [underNewer] = codeHashes(createSealer([newer]), code);
    expect(underOlder).not.toBe(underNewer);
    expect(codeHashes(createSealer([newer, older]), code)).toEqual([underNewer, underOlder]);
    expect(codeHashes(createSealer([older, newer]), code)).toEqual([underOlder, underNewer]);
  });

  test('do not depend on case, hyphens and spaces, and are different for other codes', () => {
    const sealer = createSealer([newer]);
    const [digest] = codeHashes(sealer, code);
    for (const typed of [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' \u2013 ')}\n`,
    ]) {
      expect(codeHashes(sealer, typed)).toEqual([digest]);
    }
    for (const other of [newRecoveryCode(), '', code.slice(1), `${code}X`]) {
      expect(codeHashes(sealer, other)).not.toEqual([digest]);
    }
  });
});
