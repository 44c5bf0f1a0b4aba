import * as v from 'valibot';
import { exactly, shortText } from '../http/input.ts';
import { isSlug } from './rules.ts';

const slug = v.pipe(
  v.string('expected a text'),
  v.check(isSlug, 'expected 2 to 48 lower case letters, digits and hyphens'),
);

const membershipRole = v.picklist(['user', 'admin'], 'expected "user" or "admin"');

export const newOrganization = exactly({ name: shortText, slug: v.optional(slug) });

export const organizationUpdate = exactly({ name: v.optional(shortText), slug: v.optional(slug) });

export const newMember = exactly({
  username: v.string('expected a text'),
  role: v.optional(membershipRole, 'user'),
});

export const memberUpdate = exactly({ role: membershipRole });
