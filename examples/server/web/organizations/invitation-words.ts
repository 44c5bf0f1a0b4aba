import type { OrganizationInvitation } from 'latchkey/client';
import type { ComponentProps } from 'preact';
import { t } from '../messages/t.tsx';
import type { Badge } from '../ui/badge.tsx';

/** The status of an invitation to an organization. */
export type InvitationStatus = OrganizationInvitation['status'];

export const statuses: readonly InvitationStatus[] = [
  'pending',
  'accepted',
  'declined',
  'revoked',
  'expired',
];

export const isStatus = (text: string | undefined): text is InvitationStatus =>
  statuses.some((status) => status === text);

export const statusName = (status: InvitationStatus): string => t('organizations.status', { status });

export const statusTones: Record<InvitationStatus, ComponentProps<typeof Badge>['tone']> = {
  pending: 'accent',
  accepted: 'quiet',
  declined: 'warning',
  revoked: 'warning',
  expired: 'warning',
};

/** The lifetimes that a new invitation can have, in hours and as a text. */
export const lifetimes = (): [hours: string, text: string][] =>
  [1, 3, 7, 30].map((days) => [String(24 * days), t('organizations.days', { count: days })]);

/** The username of the invited user, or "anyone with the link". */
export const inviteeOf = ({ username }: Pick<OrganizationInvitation, 'username'>): string =>
  username ?? t('organizations.anyone');

const dayMs = 86_400_000;

/** The number of midnights until a time. 0: today. */
export function daysUntil(time: string, now = Date.now()): number {
  const midnight = (moment: Date | number) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.max(0, Math.round((midnight(Date.parse(time)) - midnight(now)) / dayMs));
}
