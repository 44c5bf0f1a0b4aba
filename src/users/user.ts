export type Role = 'user' | 'admin' | 'superadmin';
export type UserStatus = 'active' | 'disabled';

/** A person's account as clients see it. Times are RFC 3339. */
export interface User {
  id: string;
  username: string;
  displayName: string | null;
  role: Role;
  status: UserStatus;
  createdAt: string;
}
