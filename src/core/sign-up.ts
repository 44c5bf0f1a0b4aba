import type { NamedUser, Role, User } from './user.ts';

/**
 * Who can sign up:
 *
 * - `open`: everyone
 * - `invitation`: only users with an invitation from a superadmin, an admin or an operator, and, with the option
 *   `organizationInvitations`, users with the link of an organization invitation
 * - `closed`: no user; an operator creates the first superadmin with `bootstrap`
 */
export type SignUpMode = 'open' | 'invitation' | 'closed';

/** All modes. The first is the default. */
export const signUpModes = ['open', 'invitation', 'closed'] as const satisfies readonly SignUpMode[];

/** The invitation that a user signs up with. */
export interface SignUpInvitation {
  id: string;
  /** The role that the new account gets. */
  role: Exclude<Role, 'superadmin'>;
  /** The only username that can sign up with the invitation. Null: every username. */
  username: string | null;
  /** Null: an operator, or a user who was deleted. */
  createdBy: NamedUser | null;
  /**
   * The organization that the new user joins, and the user's role in it. Null: the invitation is to the service.
   */
  organization: { id: string; name: string; slug: string; role: string } | null;
}

/** Where a request comes from. */
interface RequestOrigin {
  /** The IP address of the client. Behind a proxy, `trustedProxies` must be set. */
  ipAddress: string | null;
  userAgent: string | null;
  /** The id of the request in audit events and log lines. */
  requestId: string | null;
}

/** A request to sign up, for `signUp.before`. */
export interface SignUpRequest extends RequestOrigin {
  kind: 'sign_up';
  /** The canonical form of the requested username. */
  username: string;
  displayName: string | null;
  /** The values of own fields that the user gave, as the schemas return them. */
  fields: Readonly<Record<string, unknown>>;
  /** Null: the request contains no invitation. */
  invitation: SignUpInvitation | null;
}

/** A request to change the username of an account, for `signUp.before`. */
export interface RenameRequest extends RequestOrigin {
  kind: 'rename';
  /** The canonical form of the requested username. */
  username: string;
  displayName: string | null;
  /** The account with its current username. */
  user: User;
}

/** A request that gives a username to an account. */
export type UsernameRequest = SignUpRequest | RenameRequest;

/** Refuses a request. */
export interface SignUpRefusal {
  /** The reason, which the user sees: 1 to 200 characters without control characters. */
  refuse: string;
}

/** Adds values to a sign-up. */
export interface SignUpAddition {
  /**
   * Values for own fields, by name. Fields that users cannot write are allowed. The values replace those of the user.
   * The service stores them when the sign-up finishes.
   */
  fields: Readonly<Record<string, unknown>>;
}

/** What `signUp.before` returns. Nothing: the request is allowed. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` allows the request
export type SignUpAnswer = SignUpRefusal | SignUpAddition | void;

/** SQL text with placeholders, and their values. The tag `sql` creates it. */
export interface SqlFragment {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/** An account that the statement of `signUp.after` belongs to. */
export interface CreatedAccount {
  user: Pick<User, 'id' | 'username' | 'displayName' | 'role'>;
  /** The own fields of the account. */
  fields: Readonly<Record<string, unknown>>;
  /** Null: the user signed up without an invitation, or an operator created the account. */
  invitation: SignUpInvitation | null;
}

/**
 * The option `signUp`.
 *
 * @example
 * const signUp: SignUpOptions = {
 *   mode: 'invitation',
 *   before: async ({ username }) => {
 *     if (await isBlocked(username)) return { refuse: 'Choose another username.' };
 *   },
 *   after: ({ user }) => sql`insert into profiles (user_id) values (${user.id})`,
 * };
 */
export interface SignUpOptions {
  /** SIGN_UP: who can sign up. Default: `open`. */
  readonly mode?: SignUpMode;
  /**
   * SIGN_UP_ORGANIZATION_INVITATIONS: whether users can sign up with the link of an organization invitation. The account
   * gets the role `user`, and the sign-up accepts the invitation. Every user who can invite users to an organization
   * can then let others sign up. Default: false.
   */
  readonly organizationInvitations?: boolean;
  /**
   * Checks each request for a username. The service calls it when a sign-up starts, when it finishes, and when a user or
   * an admin changes a username. To refuse a request, return `{ refuse: 'reason' }`. To allow it, return nothing. To
   * allow a sign-up and add own fields to the account, return `{ fields }`. The request waits for the promise. If the
   * function throws, the response is `internal_error`, and no account changes. If an operator changes a username, the
   * service does not call it.
   */
  before?(request: UsernameRequest): SignUpAnswer | Promise<SignUpAnswer>;
  /**
   * Returns an `insert`, `update` or `delete` that runs in the statement that creates the account. PostgreSQL stores
   * both or neither. The SQL text must be the same in each call, because the service prepares it. Values can differ.
   * The service can call the function several times for one sign-up. Not called for accounts that already exist.
   */
  after?(created: CreatedAccount): SqlFragment;
}

/** The hooks of the application, with checked return values. */
export interface SignUpHooks {
  /** Whether `signUp.after` exists. */
  readonly hasStatement: boolean;
  /**
   * Calls `signUp.before`. Returns the reason of a refusal, or the fields to add, which are not checked yet.
   *
   * @throws TypeError for an invalid return value
   */
  ask(request: UsernameRequest): Promise<SignUpRefusal | SignUpAddition>;
  /**
   * Calls `signUp.after`. Null: the application has no statement.
   *
   * @throws TypeError for an invalid return value
   */
  statementFor(created: CreatedAccount): SqlFragment | null;
}
