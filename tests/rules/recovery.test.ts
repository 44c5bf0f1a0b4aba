import { randomBytes } from 'node:crypto';
import type { Role } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { createSealer } from '../../src/core/sealing.ts';
import { codeHashes, newRecoveryCode } from '../../src/recovery/code.ts';
import { mayHelp, mayKnowOf } from '../../src/recovery/rules.ts';

describe('back into an account', () => {
  test.each<[helper: Role, person: Role, may: boolean]>([
    ['user', 'user', false],
    ['user', 'admin', false],
    ['user', 'superadmin', false],
    ['admin', 'user', true],
    ['admin', 'admin', false],
    ['admin', 'superadmin', false],
    ['superadmin', 'user', true],
    ['superadmin', 'admin', true],
    ['superadmin', 'superadmin', true],
  ])('a %s helps a %s: %s', (helper, person, may) => {
    expect(mayHelp({ id: 'a', role: helper }, { id: 'b', role: person })).toBe(may);
  });

  const roles = ['user', 'admin', 'superadmin'] as const;
  test.each(roles.flatMap((before) => roles.map((now) => [before, now] as const)))(
    'nobody helps themself: a %s who is a %s now',
    (before, now) => {
      expect(mayHelp({ id: 'a', role: before }, { id: 'a', role: now })).toBe(false);
    },
  );

  test.each<[role: Role, knows: boolean]>([
    ['user', false],
    ['admin', false],
    ['superadmin', true],
  ])('a %s knows of everybody: %s', (role, knows) => {
    expect(mayKnowOf({ id: 'a', role })).toBe(knows);
  });
});

describe('the digests of a code', () => {
  const [older, newer] = [32, 32].map((length) => randomBytes(length).toString('base64url')) as [
    string,
    string,
  ];
  const code = newRecoveryCode();

  test('are one for each listed secret, the first one’s first', () => {
    const [underOlder] = codeHashes(createSealer([older]), code);
    const [underNewer] = codeHashes(createSealer([newer]), code);
    expect(underOlder).not.toBe(underNewer);
    expect(codeHashes(createSealer([newer, older]), code)).toEqual([underNewer, underOlder]);
    expect(codeHashes(createSealer([older, newer]), code)).toEqual([underOlder, underNewer]);
  });

  test('are those of whatever is typed for it, and of nothing else', () => {
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
