/** The roles of the service, lowest first. Each role has the rights of the roles before it. */
export const roles = ['user', 'admin', 'superadmin'] as const;

export type Role = (typeof roles)[number];

/** At least one active user keeps this role. Only an operator creates the first one. */
export const highestRole = 'superadmin' satisfies Role;

export const userStatuses = ['active', 'disabled'] as const;

export type UserStatus = (typeof userStatuses)[number];

/** The id and name of a user, as other users see them. */
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
