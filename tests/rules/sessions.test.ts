import type { ReadSession, SessionKind } from 'latchkey';
import { describe, expect, test } from 'vitest';
import {
  obstacleToFresh,
  obstacleToFreshOrRecovering,
  obstacleToFull,
  requireNo,
} from '../../src/sessions/rules.ts';

const time = '2026-01-01T00:00:00.000Z';

const sessionOf = (kind: SessionKind, fresh: boolean): ReadSession => ({
  user: { id: 'u', username: 'ann', displayName: null, role: 'user', status: 'active', createdAt: time },
  session: {
    id: 's',
    kind,
    current: true,
    createdAt: time,
    lastSeenAt: time,
    authenticatedAt: time,
    method: kind === 'full' ? 'passkey' : 'recovery_code',
    expiresAt: time,
    ip: null,
    userAgent: null,
  },
  fresh,
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

test('an obstacle becomes an error with the same code', () => {
  expect(() => requireNo(null)).not.toThrow();
  expect(() => requireNo('recovery_session')).toThrow(
    expect.objectContaining({ code: 'recovery_session', status: 403 }),
  );
});
