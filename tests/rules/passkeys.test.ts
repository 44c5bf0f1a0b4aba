import { describe, expect, test } from 'vitest';
import {
  counterAdvanced,
  isKnownNoMore,
  labelFor,
  mayRemovePasskey,
  mayUpgrade,
} from '../../src/passkeys/rules.ts';

describe('a signature counter', () => {
  const largest = 2 ** 32 - 1;
  test.each<[stored: number, asserted: number, advanced: boolean, fact: string]>([
    [0, 0, true, 'that is not kept at all shows nothing'],
    [0, 1, true, 'that begins to count is accepted'],
    [0, largest, true, 'may begin anywhere'],
    [1, 2, true, 'that grows is accepted'],
    [1, 1000, true, 'may jump: the passkey was used elsewhere'],
    [largest - 1, largest, true, 'may reach its end'],
    [1, 1, false, 'that stands still is a copy'],
    [2, 1, false, 'that goes back is a copy'],
    [1, 0, false, 'that is gone although it was kept is a copy'],
    [largest, 0, false, 'that wraps around is refused'],
    [largest, largest, false, 'that stands at its end is refused'],
  ])('stored %d, asserted %d: %s (%s)', (stored, asserted, advanced) => {
    expect(counterAdvanced(stored, asserted)).toBe(advanced);
  });
});

describe('a passkey', () => {
  test.each<[passkeys: number, hasPassword: boolean, may: boolean]>([
    [0, false, false],
    [1, false, false],
    [2, false, true],
    [100, false, true],
    [1, true, true],
    [2, true, true],
  ])('of %d, with a password: %s, may go: %s', (passkeys, hasPassword, may) => {
    expect(mayRemovePasskey({ passkeys, hasPassword })).toBe(may);
  });

  test.each<[given: string | undefined, provider: string | null, label: string]>([
    ['My phone', 'iCloud Keychain', 'My phone'],
    ['My phone', null, 'My phone'],
    [undefined, 'iCloud Keychain', 'iCloud Keychain'],
    [undefined, null, 'Passkey'],
  ])('called %j, of %j, is labelled %s', (given, provider, label) => {
    expect(labelFor(given, provider)).toBe(label);
  });

  test.each<[holder: string | null, owner: string | null, told: boolean]>([
    ['ada', null, true],
    ['ada', 'bob', true],
    ['ada', 'ada', false],
    [null, null, false],
    [null, 'bob', false],
  ])('that comes with the user handle of %j and is %j’s is known no more: %s', (holder, owner, told) => {
    expect(isKnownNoMore(holder, owner)).toBe(told);
  });

  test.each(['full', 'recovery'] as const)(
    'is made quietly after a password alone, in a session: %s',
    (kind) => {
      const methods = ['passkey', 'password', 'recovery_code', 'assisted_recovery'] as const;
      const allowed = methods.filter((method) => mayUpgrade({ kind, method }));
      expect(allowed).toEqual(kind === 'full' ? ['password'] : []);
    },
  );
});
