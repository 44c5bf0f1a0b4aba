/** The roles of accounts, lowest first. Each role has its own rights and the rights of all lower roles. */
export const roles = ['user', 'admin', 'superadmin'] as const;

export type Role = (typeof roles)[number];

export const lowestRole = 'user' satisfies Role;

/** Only an operator can create the first user with this role. From then on, at least one active user has this role. */
export const highestRole = 'superadmin' satisfies Role;

export const userStatuses = ['active', 'disabled'] as const;

export type UserStatus = (typeof userStatuses)[number];

/** What other users see of a user. */
export interface NamedUser {
  id: string;
  username: string;
}

/** A user. Times are RFC 3339 in UTC. */
export interface User {
  id: string;
  /** The canonical form. */
  username: string;
  displayName: string | null;
  role: Role;
  status: UserStatus;
  createdAt: string;
}
