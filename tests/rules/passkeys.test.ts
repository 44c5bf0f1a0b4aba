import { describe, expect, test } from 'vitest';
import {
  counterAdvanced,
  labelFor,
  mayRemovePasskey,
  mayRevealUnknown,
  mayUpgrade,
} from '../../src/passkeys/rules.ts';

describe('a signature counter', () => {
  const largest = 2 ** 32 - 1;
  test.each<[stored: number, asserted: number, advanced: boolean, fact: string]>([
    [0, 0, true, 'is always zero, so it is not in use'],
    [0, 1, true, 'starts at one'],
    [0, largest, true, 'starts at any value'],
    [1, 2, true, 'increases'],
    [1, 1000, true, 'skips values, because the passkey was used at other sites'],
    [largest - 1, largest, true, 'reaches its maximum'],
    [1, 1, false, 'does not increase'],
    [2, 1, false, 'decreases'],
    [1, 0, false, 'returns to zero'],
    [largest, 0, false, 'returns from its maximum to zero'],
    [largest, largest, false, 'stays at its maximum'],
  ])('stored as %d and sent as %d is accepted: %s (it %s)', (stored, asserted, advanced) => {
    expect(counterAdvanced(stored, asserted)).toBe(advanced);
  });
});

describe('a passkey', () => {
  test.each<[passkeys: number, hasPassword: boolean, allowed: boolean]>([
    [0, false, false],
    [1, false, false],
    [2, false, true],
    [100, false, true],
    [1, true, true],
    [2, true, true],
  ])(
    'of a user with %d passkeys (the user has a password: %s) can be removed: %s',
    (passkeys, hasPassword, allowed) => {
      expect(mayRemovePasskey({ passkeys, hasPassword })).toBe(allowed);
    },
  );

  test.each<[given: string | undefined, provider: string | null, label: string]>([
    ['My phone', 'iCloud Keychain', 'My phone'],
    ['My phone', null, 'My phone'],
    [undefined, 'iCloud Keychain', 'iCloud Keychain'],
    [undefined, null, 'Passkey'],
  ])('(given label: %j, provider: %j) gets the label %s', (given, provider, label) => {
    expect(labelFor(given, provider)).toBe(label);
  });

  test.each<[holder: string | null, owner: string | null, unknown: boolean]>([
    ['ada', null, true],
    ['ada', 'bob', true],
    ['ada', 'ada', false],
    [null, null, false],
    [null, 'bob', false],
  ])('(user in the user handle: %j, owner: %j) is reported as unknown: %s', (holder, owner, unknown) => {
    expect(mayRevealUnknown(holder, owner, Buffer.alloc(64, 1).toString('base64url'))).toBe(unknown);
  });

  test('is not reported as unknown for a user handle of fewer than 64 bytes, which others could guess', () => {
    const short = Buffer.alloc(63, 1).toString('base64url');
    expect(mayRevealUnknown('ada', null, short)).toBe(false);
    expect(mayRevealUnknown('ada', null, undefined)).toBe(false);
  });

  test.each(['full', 'recovery'] as const)(
    'can be created without a prompt only in a full session after a password sign-in (here: %s session)',
    (kind) => {
      const methods = ['passkey', 'password', 'recovery_code', 'assisted_recovery'] as const;
      const allowed = methods.filter((method) => mayUpgrade({ kind, method }));
      expect(allowed).toEqual(kind === 'full' ? ['password'] : []);
    },
  );
});
