import { expect } from 'vitest';

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A session in a response, just opened with a passkey. */
export const sessionBegunAt = (createdAt: string) => ({
  id: expect.stringMatching(uuid),
  kind: 'full',
  current: true,
  createdAt: expect.stringMatching(time),
  lastSeenAt: createdAt,
  authenticatedAt: createdAt,
  method: 'passkey',
  expiresAt: expect.stringMatching(time),
  ip: '127.0.0.1',
  userAgent: 'node',
  passkeyId: expect.stringMatching(uuid),
  impersonator: null,
});
