import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import type { Session } from './session.ts';

export const sessionResource = v.object({
  id,
  kind: v.pipe(
    v.picklist(['full', 'recovery']),
    v.description('A recovery session may only restore access to the account.'),
  ),
  current: v.pipe(v.boolean(), v.description('Whether it is the one that the request came with.')),
  createdAt: time,
  lastSeenAt: time,
  authenticatedAt: v.pipe(time, v.description('The last login, signup or step-up.')),
  method: v.picklist(['passkey', 'password', 'recovery_code', 'assisted_recovery']),
  expiresAt: v.pipe(time, v.description('The sooner of idle and absolute expiry.')),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
}) satisfies v.GenericSchema<Session>;
