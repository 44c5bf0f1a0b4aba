import * as v from 'valibot';
import { userResource } from '../users/resource.ts';
import type { Account } from './account.ts';

const count = v.pipe(v.number(), v.integer());

export const accountResource = v.object({
  ...userResource.entries,
  hasPassword: v.boolean(),
  passkeyCount: count,
  recoveryCodesRemaining: count,
}) satisfies v.GenericSchema<Account>;
