import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import { namedUserResource } from '../users/resource.ts';
import type { Member, Organization } from './organization.ts';

const membershipRole = v.picklist(['user', 'admin']);

export const organizationResource = v.object({
  id,
  name: v.string(),
  slug: v.pipe(v.string(), v.description('Its short name, which no other organization has.')),
  createdAt: time,
  myRole: v.pipe(
    v.nullable(membershipRole),
    v.description('The caller’s role in it; null for a superadmin who is no member.'),
  ),
}) satisfies v.GenericSchema<Organization>;

export const memberResource = v.object({
  user: namedUserResource,
  role: membershipRole,
  joinedAt: time,
}) satisfies v.GenericSchema<Member>;
