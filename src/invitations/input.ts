import * as v from 'valibot';
import { exactly } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';
import { defaultHours, hoursExpected, isLifetime } from './rules.ts';

export const newInvitation = exactly({
  username: v.optional(v.string('expected a text')),
  role: v.optional(v.literal('admin', 'expected "admin"'), 'admin'),
  expiresInHours: v.optional(
    v.pipe(v.number(hoursExpected), v.check(isLifetime, hoursExpected)),
    defaultHours,
  ),
});

export const presentedInvitation = exactly({ token: v.string('expected a text') });

export const invitationsQuery = exactly({
  ...pageQuery,
  status: v.optional(
    v.picklist(
      ['pending', 'accepted', 'revoked', 'expired'],
      'expected "pending", "accepted", "revoked" or "expired"',
    ),
  ),
});
