import type { Page, PageRequest, Role, User } from './types.ts';

/** Filters, order and content of the list of users. */
export interface UserFilters extends PageRequest {
  /**
   * Finds the users whose username or display name starts with this text. For suggestions while a user types a
   * username. Works only with `role`, `status`, `limit` and `cursor`.
   */
  query?: string | undefined;
  /** Finds the users whose username or display name contains this text. Ignores case. */
  search?: string | undefined;
  role?: Role | undefined;
  status?: User['status'] | undefined;
  /** Finds the users with a passkey (true) or without a passkey (false). */
  hasPasskey?: boolean | undefined;
  /** RFC 3339. Finds the users who have not signed in since this time, and the users who have never signed in. */
  signedInBefore?: string | undefined;
  /** Finds the members of this organization. An admin gets users only for an organization that the admin manages. */
  organizationId?: string | undefined;
  /** Default: `username`. With `lastSignIn`, users who have never signed in have the earliest time. */
  sort?: UserSort | undefined;
  /** Default: `asc`. */
  order?: 'asc' | 'desc' | undefined;
  /** Adds the details of each user, the number of users, or the numbers of users with each role and status. */
  include?: readonly UserListPart[] | undefined;
}

export type UserSort = 'username' | 'createdAt' | 'lastSignIn';

/** What a list of users can contain in addition to the users. */
export type UserListPart = 'details' | 'total' | 'counts';

/** The last sign-in of a user. A sign-up and a recovery count as sign-ins. A step-up and an impersonation do not count. */
export interface LastSignIn {
  at: string;
  /** `assisted_recovery`: with a recovery link. */
  method: 'passkey' | 'password' | 'recovery_code' | 'assisted_recovery';
  /** The `User-Agent` of the browser or the app. */
  userAgent: string | null;
}

/** A user in a list. The details are present only with `details`, and only if the caller can see all users. */
export interface ListedUser extends User {
  /** Null: no sign-in is known. */
  lastSignIn?: LastSignIn | null;
  passkeyCount?: number;
  organizationCount?: number;
}

/** A number of users. Counting stops at 10,000. */
export interface CappedCount {
  /** At most 10,000. */
  count: number;
  /** False: there are more than `count` users. */
  exact: boolean;
}

/** The numbers of users with each role and with each status. */
export interface UserCounts {
  role: Record<Role, CappedCount>;
  status: Record<User['status'], CappedCount>;
}

/** One page of users. */
export type UserPage = Page<'users', ListedUser> & {
  /** With `total`: the number of users on all pages. */
  total?: CappedCount;
  /** With `counts`: like `total`, for each role and each status, without the filters `role` and `status`. */
  counts?: UserCounts;
};
