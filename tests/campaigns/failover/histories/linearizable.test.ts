import { describe, expect, test } from 'vitest';
import { checkHistory } from './linearizable.ts';
import { models } from './models.ts';
import type { Model, Operation } from './operation.ts';

/** An operation from one time to another. `?` stands for an unknown result. */
const operation = (
  sentAt: number,
  answeredAt: number | '?',
  request: string,
  answer?: string,
): Operation => ({
  sentAt,
  answeredAt: answeredAt === '?' ? Number.POSITIVE_INFINITY : answeredAt,
  request,
  answer: answer ?? null,
});

type Case = [title: string, model: Model, ...operations: Operation[]];

const allowed: Case[] = [
  ['no operation', models.role],
  [
    'the later of two sign-ups gets the username, because they overlap',
    models.username,
    operation(0, 10, 'sign-up by 1', 'taken'),
    operation(5, 9, 'sign-up by 2', 'created'),
  ],
  [
    'a sign-up with an unknown result took effect',
    models.username,
    operation(0, '?', 'sign-up by 1'),
    operation(5, 6, 'sign-in by 1', 'signed in'),
  ],
  [
    'a sign-up with an unknown result took no effect',
    models.username,
    operation(0, '?', 'sign-up by 1'),
    operation(5, 6, 'sign-up by 2', 'created'),
  ],
  [
    'a sign-up with an unknown result takes effect after a later sign-in',
    models.username,
    operation(0, '?', 'sign-up by 1'),
    operation(5, 6, 'sign-in by 1', 'rejected'),
    operation(7, 8, 'sign-in by 1', 'signed in'),
  ],
  [
    'a check overlaps the end of the session',
    models.session,
    operation(0, 10, 'end', 'ended'),
    operation(8, 20, 'check', 'accepted'),
  ],
  [
    'reads see two concurrent changes in one order',
    models.role,
    operation(0, 10, 'set admin', 'done'),
    operation(0, 10, 'set user', 'done'),
    operation(2, 4, 'read', 'admin'),
    operation(12, 13, 'read', 'user'),
  ],
  [
    'a use with an unknown result used the code',
    models.singleUse,
    operation(0, '?', 'use'),
    operation(5, 6, 'use', 'rejected'),
  ],
];

const forbidden: Case[] = [
  [
    'two users get one username',
    models.username,
    operation(0, 10, 'sign-up by 1', 'created'),
    operation(5, 15, 'sign-up by 2', 'created'),
  ],
  [
    'an acknowledged sign-up is lost',
    models.username,
    operation(0, 10, 'sign-up by 1', 'created'),
    operation(20, 25, 'sign-in by 1', 'rejected'),
  ],
  [
    'a free username is taken',
    models.username,
    operation(0, 10, 'sign-up by 1', 'taken'),
    operation(20, 25, 'sign-up by 2', 'created'),
  ],
  [
    'a sign-up with an unknown result is lost after a sign-in',
    models.username,
    operation(0, '?', 'sign-up by 1'),
    operation(5, 6, 'sign-in by 1', 'signed in'),
    operation(7, 8, 'sign-in by 1', 'rejected'),
  ],
  [
    'an ended session is accepted',
    models.session,
    operation(0, 10, 'end', 'ended'),
    operation(11, 12, 'check', 'accepted'),
  ],
  [
    'a rejected session is accepted again',
    models.session,
    operation(0, '?', 'end'),
    operation(5, 6, 'check', 'rejected'),
    operation(7, 8, 'check', 'accepted'),
  ],
  ['a session ends without a request', models.session, operation(0, 5, 'check', 'rejected')],
  [
    'a read returns the earlier role',
    models.role,
    operation(0, 10, 'set admin', 'done'),
    operation(11, 12, 'read', 'user'),
  ],
  [
    'reads see two concurrent changes in two orders',
    models.role,
    operation(0, '?', 'set admin'),
    operation(1, 2, 'read', 'admin'),
    operation(3, 4, 'read', 'user'),
  ],
  [
    'a code opens two sessions',
    models.singleUse,
    operation(0, 10, 'use', 'opened'),
    operation(0, 10, 'use', 'opened'),
  ],
  ['an unused code is rejected', models.singleUse, operation(0, 10, 'use', 'rejected')],
];

describe('the checker of histories accepts:', () => {
  test.each(allowed)('%s', (_, model, ...operations) => {
    expect(checkHistory(model, operations)).toBe('linearizable');
  });
});

describe('the checker of histories finds:', () => {
  test.each(forbidden)('%s', (_, model, ...operations) => {
    expect(checkHistory(model, operations)).toBe('not linearizable');
  });
});
