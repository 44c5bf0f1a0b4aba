export type Role = 'user' | 'admin' | 'superadmin';
export type UserStatus = 'active' | 'disabled';

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
