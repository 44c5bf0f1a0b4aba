import { createAuthService, type UserField } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import * as v from 'valibot';
import { secret } from '../../support/test-service.ts';

export const field = { schema: v.string(), read: 'user', write: 'user' } as const;

export const createWith = async (userFields: unknown) =>
  createAuthService({
    database: createInMemoryDatabase(),
    migrate: true,
    secret,
    env: {},
    rateLimit: false,
    log: { info() {}, warn() {}, error() {} },
    userFields: userFields as Record<string, UserField>,
  });
