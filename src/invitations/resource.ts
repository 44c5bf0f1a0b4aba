import * as v from 'valibot';
import { id, time } from '../http/resource.ts';
import { namedUserResource } from '../users/resource.ts';
import type { Invitation, InvitationPreview } from './invitation.ts';

const offered = {
  role: v.literal('admin'),
  username: v.pipe(v.nullable(v.string()), v.description('Null: for whoever has the link.')),
  createdBy: v.pipe(
    v.nullable(namedUserResource),
    v.description('Null: an operator, or somebody whose account is deleted.'),
  ),
  expiresAt: time,
};

export const invitationResource = v.object({
  id,
  ...offered,
  status: v.picklist(['pending', 'accepted', 'revoked', 'expired']),
  createdAt: time,
  acceptedBy: v.nullable(namedUserResource),
  acceptedAt: v.nullable(time),
}) satisfies v.GenericSchema<Invitation>;

export const invitationPreviewResource = v.object(offered) satisfies v.GenericSchema<InvitationPreview>;
