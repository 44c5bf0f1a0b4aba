import type { Account, Role, UserDetails, UserStatus } from 'latchkey';

export type FakeUser = UserDetails;

export const userOf = (username: string, given: Partial<Account> = {}): FakeUser => ({
  user: {
    id: `u-${username}`,
    username,
    displayName: null,
    role: 'user',
    status: 'active',
    createdAt: '2026-01-01T00:00:00Z',
    hasPassword: false,
    passkeyCount: 2,
    recoveryCodesRemaining: 10,
    ...given,
  },
  disabledReason: null,
  lastSignIn: null,
  recoveryLink: null,
  passkeys: [],
  sessions: [],
  memberships: [],
});

export const filterUsers = (
  users: FakeUser[],
  {
    query = '',
    role,
    status,
  }: { query?: string | undefined; role?: Role | undefined; status?: UserStatus | undefined },
) =>
  users
    .map(({ user }) => user)
    .filter(
      (user) =>
        user.username.startsWith(query) &&
        (!role || user.role === role) &&
        (!status || user.status === status),
    );
