import type { Page } from './page.ts';
import type { SessionMethod } from './session.ts';
import type { Role, User, UserStatus } from './user.ts';

/** What a list of users can be sorted by. */
export const userSorts = ['username', 'createdAt', 'lastSignIn'] as const;
export type UserSort = (typeof userSorts)[number];

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** What a list of users can contain in addition to the users. */
export const userListParts = ['details', 'total', 'counts'] as const;
export type UserListPart = (typeof userListParts)[number];

/** How a user signs in. An impersonation is not a sign-in of the user. */
export type SignInMethod = Exclude<SessionMethod, 'impersonation'>;

/** The last sign-in of a user. A sign-up and a recovery count as sign-ins. A step-up and an impersonation do not count. */
export interface LastSignIn {
  /** RFC 3339 in UTC. */
  at: string;
  method: SignInMethod;
  /** The `User-Agent` of the browser or the app. */
  userAgent: string | null;
}

/** What a list of users shows with `details`. */
export interface UserListDetails {
  /** Null: no sign-in is known. */
  lastSignIn: LastSignIn | null;
  passkeyCount: number;
  organizationCount: number;
}

/** A user in a list. */
export type ListedUser = User & Partial<UserListDetails>;

/** A number of users. Counting stops at 10,000, so that it takes the same time in a large database. */
export interface CappedCount {
  /** At most 10,000. */
  count: number;
  /** False: there are more than `count` users. */
  exact: boolean;
}

/** The numbers of users with each role and with each status. */
export interface UserCounts {
  role: Record<Role, CappedCount>;
  status: Record<UserStatus, CappedCount>;
}

/** The numbers that a list of users can contain. */
export interface UserListNumbers {
  /** With `total`: the number of users on all pages. */
  total?: CappedCount;
  /** With `counts`: like `total`, for each role and each status, without the filters `role` and `status`. */
  counts?: UserCounts;
}

/** A page of users, with the numbers that `include` names. */
export type UserList = Page<'users', ListedUser> & UserListNumbers;
