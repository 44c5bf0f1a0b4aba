import { AuthError, type ReadSession, type SessionKind } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { requireFreshFull, requireFreshOrRecovering, requireFull } from '../../src/sessions/rules.ts';

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

/** The code and status of the error that the rule throws, or null if it accepts the session. */
function refusal(rule: (session: ReadSession) => void, session: ReadSession) {
  try {
    rule(session);
    return null;
  } catch (error) {
    if (error instanceof AuthError) return [error.code, error.status];
    throw error;
  }
}

describe('the rules for sessions', () => {
  test.each([
    ['full', true, null],
    ['full', false, null],
    ['recovery', true, ['recovery_session', 403]],
    ['recovery', false, ['recovery_session', 403]],
  ] as const)('requireFull, kind %s, fresh %s: %j', (kind, fresh, expected) => {
    expect(refusal(requireFull, sessionOf(kind, fresh))).toEqual(expected);
  });

  test.each([
    ['full', true, null],
    ['full', false, ['reauthentication_required', 403]],
    ['recovery', true, ['recovery_session', 403]],
    ['recovery', false, ['recovery_session', 403]],
  ] as const)('requireFreshFull, kind %s, fresh %s: %j', (kind, fresh, expected) => {
    expect(refusal(requireFreshFull, sessionOf(kind, fresh))).toEqual(expected);
  });

  test.each([
    ['full', true, null],
    ['full', false, ['reauthentication_required', 403]],
    ['recovery', true, null],
    ['recovery', false, null],
  ] as const)('requireFreshOrRecovering, kind %s, fresh %s: %j', (kind, fresh, expected) => {
    expect(refusal(requireFreshOrRecovering, sessionOf(kind, fresh))).toEqual(expected);
  });
});
