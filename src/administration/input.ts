import * as v from 'valibot';
import { exactly } from '../http/input.ts';
import { pageQuery } from '../http/page.ts';

const role = v.picklist(['user', 'admin', 'superadmin'], 'expected "user", "admin" or "superadmin"');

export const roleChange = exactly({ role });

export const usersQuery = exactly({
  ...pageQuery,
  query: v.optional(v.pipe(v.string('expected one text'), v.maxLength(64, 'expected at most 64 characters'))),
  role: v.optional(role),
  status: v.optional(v.picklist(['active', 'disabled'], 'expected "active" or "disabled"')),
});
