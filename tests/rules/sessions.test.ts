import type { ReadSession, SessionKind } from 'latchkey';
import { describe, expect, test } from 'vitest';
import {
  isPrivileged,
  obstacleToFresh,
  obstacleToFreshOrRecovering,
  obstacleToFull,
  obstacleToPrivileged,
  requireNo,
} from '../../src/sessions/rules.ts';

const time = '2026-01-01T00:00:00.000Z';

const sessionOf = (
  kind: SessionKind,
  fresh: boolean,
  { privileged = kind === 'full', hasUnusedPasskey = false } = {},
): ReadSession => ({
  user: { id: 'u', username: 'ann', displayName: null, role: 'user', status: 'active', createdAt: time },
  session: {
    id: 's',
    kind,
    current: true,
    createdAt: time,
    lastSeenAt: time,
    authenticatedAt: time,
    method: kind === 'full' ? 'passkey' : 'recovery_code',
    passkeyId: null,
    expiresAt: time,
    ip: null,
    userAgent: null,
    impersonator: null,
  },
  fresh,
  privileged,
  hasUnusedPasskey,
});

describe('the obstacle of a session', () => {
  test.each([
    ['full', true, null],
    ['full', false, null],
    ['recovery', true, 'recovery_session'],
    ['recovery', false, 'recovery_session'],
  ] as const)('(kind: %s, fresh: %s) is %j if a full session is required', (kind, fresh, expected) => {
    expect(obstacleToFull(sessionOf(kind, fresh))).toBe(expected);
  });

  test.each([
    ['full', true, null],
    ['full', false, 'reauthentication_required'],
    ['recovery', true, 'recovery_session'],
    ['recovery', false, 'recovery_session'],
  ] as const)('(kind: %s, fresh: %s) is %j if fresh authentication is required', (kind, fresh, expected) => {
    expect(obstacleToFresh(sessionOf(kind, fresh))).toBe(expected);
  });

  test.each([
    ['full', true, null],
    ['full', false, 'reauthentication_required'],
    ['recovery', true, null],
    ['recovery', false, null],
  ] as const)(
    '(kind: %s, fresh: %s) is %j if fresh authentication or a recovery session is required',
    (kind, fresh, expected) => {
      expect(obstacleToFreshOrRecovering(sessionOf(kind, fresh))).toBe(expected);
    },
  );
});

describe('a session that is not privileged', () => {
  test.each([
    // kind, fresh, hasUnusedPasskey, to be privileged, to be fresh, to be fresh or recovering
    ['full', true, true, 'passkey_required', 'passkey_required', 'passkey_required'],
    ['full', false, true, 'passkey_required', 'passkey_required', 'passkey_required'],
    ['full', true, false, 'passkey_required', 'passkey_required', null],
    ['full', false, false, 'passkey_required', 'passkey_required', 'reauthentication_required'],
    ['recovery', true, true, 'recovery_session', 'recovery_session', null],
  ] as const)(
    '(kind: %s, fresh: %s, unused passkey: %s) has the obstacles %j, %j and %j',
    (kind, fresh, hasUnusedPasskey, ...expected) => {
      const read = sessionOf(kind, fresh, { privileged: false, hasUnusedPasskey });
      expect([obstacleToPrivileged(read), obstacleToFresh(read), obstacleToFreshOrRecovering(read)]).toEqual(
        expected,
      );
    },
  );
});

test.each([
  [['passkey', 'password'], 'passkey', false, true],
  [['passkey', 'password'], 'password', false, true],
  [['passkey', 'password'], 'password', true, false],
  [['passkey', 'password'], 'recovery_code', false, false],
  [['passkey'], 'passkey', false, true],
  [['passkey'], 'password', false, false],
] as const)(
  'with the privileged methods %j, a session (method: %s, unused passkey: %s) is privileged: %s',
  (privilegedMethods, method, hasUnusedPasskey, expected) => {
    expect(isPrivileged({ privilegedMethods }, { method, hasUnusedPasskey })).toBe(expected);
  },
);

test('an obstacle becomes an error with the same code', () => {
  expect(() => requireNo(null)).not.toThrow();
  expect(() => requireNo('recovery_session')).toThrow(
    expect.objectContaining({ code: 'recovery_session', status: 403 }),
  );
});
