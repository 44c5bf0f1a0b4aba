import * as v from 'valibot';
import { id, time } from '../../http/resource.ts';
import { namedUserResource } from '../../users/resource.ts';
import type { OrganizationInvitation, OrganizationInvitationPreview } from './organization-invitation.ts';

const offered = {
  role: v.picklist(['user', 'admin']),
  createdBy: v.pipe(v.nullable(namedUserResource), v.description('Null: an operator, or a deleted account.')),
  expiresAt: time,
};

export const organizationInvitationResource = v.object({
  id,
  organization: v.object({ id, name: v.string(), slug: v.string() }),
  ...offered,
  username: v.pipe(
    v.nullable(v.string()),
    v.description('The only user who can accept. Null: a link, which any one user can accept.'),
  ),
  status: v.picklist(['pending', 'accepted', 'declined', 'revoked', 'expired']),
  createdAt: time,
  acceptedBy: v.nullable(namedUserResource),
  acceptedAt: v.nullable(time),
}) satisfies v.GenericSchema<OrganizationInvitation>;

export const organizationInvitationPreviewResource = v.object({
  organization: v.object({ name: v.string() }),
  ...offered,
}) satisfies v.GenericSchema<OrganizationInvitationPreview>;
