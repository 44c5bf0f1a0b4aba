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
    [0, 0, true, 'always zero: not in use, accepted'],
    [0, 1, true, 'starts to count: accepted'],
    [0, largest, true, 'starts at any value: accepted'],
    [1, 2, true, 'increases: accepted'],
    [1, 1000, true, 'skips values, because the passkey was used at other sites: accepted'],
    [largest - 1, largest, true, 'reaches its maximum: accepted'],
    [1, 1, false, 'does not increase: clone'],
    [2, 1, false, 'decreases: clone'],
    [1, 0, false, 'returns to zero: clone'],
    [largest, 0, false, 'wraps around: rejected'],
    [largest, largest, false, 'stays at its maximum: rejected'],
  ])('stored %d, asserted %d: %s (%s)', (stored, asserted, advanced) => {
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
  ])('one of %d, with a password: %s, can be removed: %s', (passkeys, hasPassword, allowed) => {
    expect(mayRemovePasskey({ passkeys, hasPassword })).toBe(allowed);
  });

  test.each<[given: string | undefined, provider: string | null, label: string]>([
    ['My phone', 'iCloud Keychain', 'My phone'],
    ['My phone', null, 'My phone'],
    [undefined, 'iCloud Keychain', 'iCloud Keychain'],
    [undefined, null, 'Passkey'],
  ])('with the given label %j and the provider %j is labeled %s', (given, provider, label) => {
    expect(labelFor(given, provider)).toBe(label);
  });

  test.each<[holder: string | null, owner: string | null, unknown: boolean]>([
    ['ada', null, true],
    ['ada', 'bob', true],
    ['ada', 'ada', false],
    [null, null, false],
    [null, 'bob', false],
  ])('with the user handle of %j, registered to %j, is reported as unknown: %s', (holder, owner, unknown) => {
    expect(mayRevealUnknown(holder, owner)).toBe(unknown);
  });

  test.each(['full', 'recovery'] as const)(
    'can be created without a prompt only after a password sign-in, in a full session (kind: %s)',
    (kind) => {
      const methods = ['passkey', 'password', 'recovery_code', 'assisted_recovery'] as const;
      const allowed = methods.filter((method) => mayUpgrade({ kind, method }));
      expect(allowed).toEqual(kind === 'full' ? ['password'] : []);
    },
  );
});
