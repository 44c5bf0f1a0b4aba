import type { Invitation } from 'latchkey/client';
import { t } from '../messages/t.tsx';

export type InvitationStatus = Invitation['status'];

export const invitationStatuses: readonly InvitationStatus[] = ['pending', 'accepted', 'revoked', 'expired'];

export const statusName = (status: InvitationStatus): string =>
  ({
    pending: t('invitations.pending'),
    accepted: t('invitations.accepted'),
    revoked: t('invitations.revoked'),
    expired: t('invitations.expired'),
  })[status];

/** What an invitation is for, by the role that it grants. */
export const purposeName = (role: Invitation['role']): string =>
  t(role === 'admin' ? 'invitations.purposeAdmin' : 'invitations.purposeUser');

const soonMs = 24 * 3_600_000;

/** Whether a pending invitation expires within a day. */
export const expiresSoon = (
  { status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>,
  now = Date.now(),
): boolean => status === 'pending' && Date.parse(expiresAt) - now < soonMs;

const lifetimeDays = [1, 3, 7, 30];

/** The lifetimes that a new invitation can have: hours, and their names. */
export const lifetimes = (): [hours: string, name: string][] =>
  lifetimeDays.map((days) => [`${24 * days}`, t('invitations.lifetimeDays', { days })]);
