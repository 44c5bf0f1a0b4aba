import type { User } from 'latchkey';
import type { Column } from '../../components/table.tsx';
import { dateTime } from '../../words/times.ts';

const roleColours = { superadmin: 'magenta', admin: 'cyan', user: undefined } as const;

export const userColumns: Column<User>[] = [
  { title: 'Username', cell: ({ username }) => username },
  { title: 'Name', from: 72, cell: ({ displayName }) => displayName ?? '' },
  { title: 'Role', width: 10, cell: ({ role }) => role, colour: ({ role }) => roleColours[role] },
  {
    title: 'Status',
    width: 10,
    cell: ({ status }) => (status === 'active' ? '✓ active' : '✗ disabled'),
    colour: ({ status }) => (status === 'active' ? undefined : 'red'),
  },
  { title: 'Since', width: 16, from: 60, cell: ({ createdAt }) => dateTime(createdAt) },
];
