import type { OrganizationInvitation } from 'latchkey/client';
import type { ComponentProps } from 'preact';
import type { Badge } from '../ui/badge.tsx';

/** The status of an admin invitation or of an organization invitation. */
export type InvitationStatus = OrganizationInvitation['status'];

export const statusNames: Record<InvitationStatus, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  declined: 'Declined',
  revoked: 'Revoked',
  expired: 'Expired',
};

export const statusTones: Record<InvitationStatus, ComponentProps<typeof Badge>['tone']> = {
  pending: 'accent',
  accepted: 'quiet',
  declined: 'warning',
  revoked: 'warning',
  expired: 'warning',
};

/** The lifetimes that a new invitation can have, in hours. */
export const lifetimes = [
  ['24', '1 day'],
  ['72', '3 days'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

/** The username of the invited user, or "anyone with the link". */
export const inviteeOf = ({ username }: { username: string | null }): string =>
  username ?? 'anyone with the link';
