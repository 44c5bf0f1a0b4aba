import type { User } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { dateTime } from '../../words/times.ts';

const roleColors = { superadmin: 'magenta', admin: 'cyan', user: undefined } as const;

export const userColumns: Column<User>[] = [
  { title: 'Username', cell: ({ username }) => username },
  { title: 'Display name', from: 72, cell: ({ displayName }) => displayName ?? '' },
  { title: 'Role', width: 10, cell: ({ role }) => role, color: ({ role }) => roleColors[role] },
  {
    title: 'Status',
    width: 10,
    cell: ({ status }) => (status === 'active' ? '✓ active' : '✗ disabled'),
    color: ({ status }) => (status === 'active' ? undefined : 'red'),
  },
  { title: 'Created', width: 16, from: 60, cell: ({ createdAt }) => dateTime(createdAt) },
];
