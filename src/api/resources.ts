import * as v from 'valibot';
import type { Impersonator, ListedSession, Session } from '../core/session.ts';
import { roles, type User, userStatuses } from '../core/user.ts';
import { longestUsername } from '../core/username-rule.ts';
import { id, time } from '../http/resource.ts';

export const userResource = v.object({
  id,
  username: v.pipe(v.string(), v.description('The username in canonical form, which is lowercase.')),
  displayName: v.nullable(v.string()),
  role: v.picklist(roles),
  status: v.picklist(userStatuses),
  createdAt: time,
}) satisfies v.GenericSchema<User>;

/** The query parameter of a search for users. */
export const userQuery = v.optional(
  v.pipe(
    v.string('expected a single text'),
    v.maxLength(longestUsername, `expected at most ${longestUsername} characters`),
    v.description('Finds the users whose username or display name starts with this text.'),
  ),
);

export const namedUserResource = v.object({ id, username: v.string() });

/** The superadmin or the operator who uses an impersonated session. */
export const impersonatorResource = v.object({
  type: v.picklist(['user', 'operator']),
  id: v.pipe(v.nullable(id), v.description('The id of the superadmin. Null: an operator.')),
  name: v.string(),
}) satisfies v.GenericSchema<Impersonator>;

export const sessionResource = v.object({
  id,
  kind: v.pipe(
    v.picklist(['full', 'recovery']),
    v.description(
      'The kind of the session. In a `recovery` session, the user can only restore access to the account.',
    ),
  ),
  current: v.pipe(v.boolean(), v.description('Whether this is the session of the request.')),
  createdAt: time,
  lastSeenAt: time,
  authenticatedAt: v.pipe(time, v.description('The time of the last authentication.')),
  method: v.pipe(
    v.picklist(['passkey', 'password', 'recovery_code', 'assisted_recovery', 'impersonation']),
    v.description(
      'How the user last authenticated. `assisted_recovery`: with a recovery link. `impersonation`: a superadmin or an operator opened the session as the user.',
    ),
  ),
  passkeyId: v.pipe(
    v.nullable(id),
    v.description(
      'The passkey with which the user last authenticated. Null: another method, or the passkey is unknown.',
    ),
  ),
  expiresAt: v.pipe(
    time,
    v.description('When the idle timeout or the absolute lifetime ends the session, whichever is earlier.'),
  ),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
  impersonator: v.pipe(
    v.nullable(impersonatorResource),
    v.description('The superadmin or the operator who uses the session as the user. Null: the user does.'),
  ),
}) satisfies v.GenericSchema<Session>;

export const listedSessionResource = v.object({
  ...sessionResource.entries,
  passkeyLabel: v.pipe(
    v.nullable(v.string()),
    v.description('The label of the passkey. Null: `passkeyId` is null, or the passkey was removed.'),
  ),
  place: v.pipe(
    v.nullable(v.string()),
    v.description('The approximate place of the IP address (option `placeOf`). Null: unknown.'),
  ),
}) satisfies v.GenericSchema<ListedSession>;
