import * as v from 'valibot';
import { exactly } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';

const hours = 'expected whole hours from 1 to 720';

export const newInvitation = exactly({
  username: v.optional(v.string('expected a text')),
  role: v.optional(v.literal('admin', 'expected "admin"'), 'admin'),
  expiresInHours: v.optional(
    v.pipe(v.number(hours), v.integer(hours), v.minValue(1, hours), v.maxValue(720, hours)),
    72,
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
