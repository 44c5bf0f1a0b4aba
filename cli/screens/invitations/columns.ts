import type { Invitation, InvitationStatus } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { agoWords, dateTime, leftWords } from '../../words/times.ts';

const signs: Record<InvitationStatus, string> = {
  pending: '○ pending',
  accepted: '✓ accepted',
  revoked: '✗ revoked',
  expired: '– expired',
};

const colours: Record<InvitationStatus, string> = {
  pending: 'yellow',
  accepted: 'green',
  revoked: 'red',
  expired: 'gray',
};

export const forWhom = ({ username }: Pick<Invitation, 'username'>): string =>
  username ?? 'whoever has the link';

export const invitationColumns = (now: Date): Column<Invitation>[] => [
  { title: 'For', cell: forWhom },
  {
    title: 'Status',
    width: 10,
    cell: ({ status }) => signs[status],
    colour: ({ status }) => colours[status],
  },
  { title: 'What came of it', width: 26, from: 62, cell: (invitation) => fateOf(invitation, now) },
  { title: 'Made', width: 16, from: 92, cell: ({ createdAt }) => dateTime(createdAt) },
  { title: 'By', width: 16, from: 112, cell: ({ createdBy }) => createdBy?.username ?? 'an operator' },
];

function fateOf({ status, expiresAt, acceptedBy, acceptedAt }: Invitation, now: Date): string {
  if (status === 'pending') return `${leftWords(expiresAt, now)} left`;
  if (status === 'expired') return agoWords(expiresAt, now);
  if (status === 'revoked') return '';
  const when = acceptedAt ? agoWords(acceptedAt, now) : '';
  return `by ${acceptedBy?.username ?? 'somebody since deleted'}, ${when}`;
}
