import type { Invitation, InvitationStatus } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { dateTime, timeAgo, timeLeft } from '../../words/times.ts';

const signs: Record<InvitationStatus, string> = {
  pending: '○ pending',
  accepted: '✓ accepted',
  revoked: '✗ revoked',
  expired: '– expired',
};

const colors: Record<InvitationStatus, string> = {
  pending: 'yellow',
  accepted: 'green',
  revoked: 'red',
  expired: 'gray',
};

export const recipientOf = ({ username }: Pick<Invitation, 'username'>): string =>
  username ?? 'anyone with the link';

export const invitationColumns = (now: Date): Column<Invitation>[] => [
  { title: 'For', cell: recipientOf },
  {
    title: 'Status',
    width: 10,
    cell: ({ status }) => signs[status],
    color: ({ status }) => colors[status],
  },
  { title: 'Details', width: 26, from: 62, cell: (invitation) => outcomeOf(invitation, now) },
  { title: 'Role', width: 5, from: 100, cell: ({ role }) => role },
  { title: 'Created', width: 16, from: 92, cell: ({ createdAt }) => dateTime(createdAt) },
  {
    title: 'Invited by',
    width: 16,
    from: 112,
    cell: ({ createdBy }) => createdBy?.username ?? 'an operator',
  },
];

function outcomeOf({ status, expiresAt, acceptedBy, acceptedAt }: Invitation, now: Date): string {
  if (status === 'pending') return `expires in ${timeLeft(expiresAt, now)}`;
  if (status === 'expired') return timeAgo(expiresAt, now);
  if (status === 'revoked') return '';
  const when = acceptedAt ? timeAgo(acceptedAt, now) : '';
  return `by ${acceptedBy?.username ?? 'a deleted user'}, ${when}`;
}
