/** The roles of the service, lowest first. Each role has the rights of the roles before it. */
export const roles = ['user', 'admin', 'superadmin'] as const;

export type Role = (typeof roles)[number];

/** The role that can never be without an active user; only an operator makes the first one. */
export const highestRole = 'superadmin' satisfies Role;

export const userStatuses = ['active', 'disabled'] as const;

export type UserStatus = (typeof userStatuses)[number];

/** A user as other users see them. */
export interface NamedUser {
  id: string;
  username: string;
}

/** A user's account as clients see it. Times are RFC 3339. */
export interface User {
  id: string;
  username: string;
  displayName: string | null;
  role: Role;
  status: UserStatus;
  createdAt: string;
}
