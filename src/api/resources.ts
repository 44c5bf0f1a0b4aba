import * as v from 'valibot';
import type { Session } from '../core/session.ts';
import { roles, type User, userStatuses } from '../core/user.ts';
import { id, time } from '../http/resource.ts';

export const userResource = v.object({
  id,
  username: v.pipe(v.string(), v.description('The canonical form.')),
  displayName: v.nullable(v.string()),
  role: v.picklist(roles),
  status: v.picklist(userStatuses),
  createdAt: time,
}) satisfies v.GenericSchema<User>;

/** The id and name of a user, as other users see them. */
export const namedUserResource = v.object({ id, username: v.string() });

export const sessionResource = v.object({
  id,
  kind: v.pipe(
    v.picklist(['full', 'recovery']),
    v.description('A recovery session can only restore access to the account.'),
  ),
  current: v.pipe(v.boolean(), v.description('Whether this is the session of the request.')),
  createdAt: time,
  lastSeenAt: time,
  authenticatedAt: v.pipe(time, v.description('The last sign-in, sign-up or step-up.')),
  method: v.picklist(['passkey', 'password', 'recovery_code', 'assisted_recovery']),
  expiresAt: v.pipe(time, v.description('The earlier of idle and absolute expiry.')),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
}) satisfies v.GenericSchema<Session>;
