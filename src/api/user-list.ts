import * as v from 'valibot';
import { roles, userStatuses } from '../core/user.ts';
import {
  type CappedCount,
  type LastSignIn,
  type ListedUser,
  sortOrders,
  type UserCounts,
  userListParts,
  userSorts,
} from '../core/user-list.ts';
import { longestUsername } from '../core/username-rule.ts';
import { exactly, idText, listed, oneOf } from '../http/input.ts';
import { pageOf, pageQuery } from '../http/page.ts';
import { time } from '../http/resource.ts';
import { timeText } from '../http/time-text.ts';
import { userQuery, userResource } from './resources.ts';

const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

const partsExpected = `expected a comma-separated list of ${listed(userListParts)}`;

export const usersQuery = exactly({
  ...pageQuery,
  query: userQuery,
  search: v.optional(
    v.pipe(
      v.string('expected a single text'),
      v.maxLength(longestUsername, `expected at most ${longestUsername} characters`),
      v.description('Finds the users whose username or display name contains this text. Ignores case.'),
    ),
  ),
  role: v.optional(oneOf(roles)),
  status: v.optional(oneOf(userStatuses)),
  hasPasskey: v.optional(
    v.pipe(
      oneOf(['true', 'false']),
      v.description('Finds the users with a passkey (`true`) or without a passkey (`false`).'),
      v.transform((given) => given === 'true'),
    ),
  ),
  signedInBefore: v.optional(
    timeText(
      'Finds the users who have not signed in since this time, and the users who have never signed in.',
    ),
  ),
  organizationId: v.optional(
    idText(
      'Finds the members of this organization. An admin gets users only for an organization that the admin manages.',
    ),
  ),
  sort: v.optional(
    described(
      oneOf(userSorts),
      'Default: `username`. With `lastSignIn`, users who have never signed in have the earliest time.',
    ),
  ),
  order: v.optional(described(oneOf(sortOrders), 'Default: `asc`.')),
  include: v.optional(
    v.pipe(
      v.string('expected a single text'),
      v.metadata({
        description:
          'A comma-separated list. `details`: adds the last sign-in and the numbers of passkeys and organizations of each user, if the caller can see all users. `total`: adds the number of users. `counts`: adds the numbers of users with each role and each status.',
      }),
      v.transform((given) => given.split(',')),
      v.array(v.picklist(userListParts, partsExpected)),
      v.maxLength(userListParts.length, partsExpected),
    ),
  ),
});

export const listDescription =
  'Sorted by username, if `sort` is absent. An admin sees the members of the organizations that the admin manages. The admin cannot see sign-ins and passkeys. If an admin sorts or filters by them, the response is 403. `query` is for suggestions while a user types a username. It works only with `role`, `status`, `limit` and `cursor`. The cursor of a page works only with the same `search`, `sort` and `order`.';

export const lastSignInResource = v.object({
  at: time,
  method: v.picklist(['passkey', 'password', 'recovery_code', 'assisted_recovery']),
  userAgent: v.nullable(v.string()),
}) satisfies v.GenericSchema<LastSignIn>;

const wholeNumber = v.pipe(v.number(), v.integer());

const listedUserResource = v.object({
  ...userResource.entries,
  lastSignIn: v.optional(
    described(
      v.nullable(lastSignInResource),
      'With `include=details`. A sign-up and a recovery count as sign-ins. Null: no sign-in is known.',
    ),
  ),
  passkeyCount: v.optional(described(wholeNumber, 'With `include=details`.')),
  organizationCount: v.optional(described(wholeNumber, 'With `include=details`.')),
}) satisfies v.GenericSchema<ListedUser>;

const cappedCount = v.object({
  count: described(wholeNumber, 'At most 10,000.'),
  exact: described(v.boolean(), 'False: there are more than `count` users.'),
}) satisfies v.GenericSchema<CappedCount>;

const countsResource = v.object({
  role: v.object({ user: cappedCount, admin: cappedCount, superadmin: cappedCount }),
  status: v.object({ active: cappedCount, disabled: cappedCount }),
}) satisfies v.GenericSchema<UserCounts>;

export const userListResource = v.object({
  ...pageOf('users', listedUserResource).entries,
  total: v.optional(described(cappedCount, 'With `include=total`: the number of users on all pages.')),
  counts: v.optional(
    described(
      countsResource,
      'With `include=counts`: the numbers of users with each role and each status, without the filters `role` and `status`.',
    ),
  ),
});
