import * as v from 'valibot';
import { time } from '../http/resource.ts';
import { namedUserResource } from '../users/resource.ts';
import type { PendingRecoveryLink, RecoveryCodes, RecoveryLink } from './recovery.ts';

const count = v.pipe(v.number(), v.integer());

export const recoveryCodesResource = v.object({
  codes: v.pipe(v.array(v.string()), v.description('Shown once.')),
  total: count,
  expiresAt: v.pipe(v.nullable(time), v.description('Null: they do not expire.')),
}) satisfies v.GenericSchema<RecoveryCodes>;

export const recoveryLinkResource = v.object({
  token: v.pipe(v.string(), v.description('Shown once.')),
  url: v.pipe(
    v.string(),
    v.description('The page that recovers the account, with the token in the fragment.'),
  ),
  usableAt: v.pipe(time, v.description('The link does not work before this time.')),
  expiresAt: time,
}) satisfies v.GenericSchema<RecoveryLink>;

export const pendingRecoveryLinkResource = v.object({
  createdBy: v.pipe(v.nullable(namedUserResource), v.description('Null: an operator.')),
  createdAt: time,
  usableAt: time,
  expiresAt: time,
  usedAt: v.pipe(
    v.nullable(time),
    v.description('When the link was used: its recovery is under way. Null: it was not used.'),
  ),
}) satisfies v.GenericSchema<PendingRecoveryLink>;
