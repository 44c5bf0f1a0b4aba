import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import type { User } from './user.ts';

const role = v.picklist(['user', 'admin', 'superadmin']);

export const userResource = v.object({
  id,
  username: v.pipe(v.string(), v.description('The canonical form.')),
  displayName: v.nullable(v.string()),
  role,
  status: v.picklist(['active', 'disabled']),
  createdAt: time,
}) satisfies v.GenericSchema<User>;

/** Somebody as others see them. */
export const namedUserResource = v.object({ id, username: v.string() });
