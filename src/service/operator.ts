import type { EndedSessions } from '../accounts/ended-sessions.ts';
import type { Erasure } from '../accounts/erasure.ts';
import type { Overview, UserDetails } from '../accounts/overview.ts';
import type { UserRecord, UserToExport } from '../accounts/user-export.ts';
import type { BootstrapOptions, BootstrapResult } from '../bootstrap/bootstrap.ts';
import type { Page, PageRequest } from '../core/page.ts';
import type { UserWithFields } from '../core/session.ts';
import type { Role, User, UserStatus } from '../core/user.ts';
import type { FieldChanges, NoFields, UserFields } from '../core/user-fields.ts';
import type { SortOrder, UserList, UserListPart, UserSort } from '../core/user-list.ts';
import type { ImpersonationLink } from '../impersonation/impersonation.ts';
import type {
  CreatedInvitation,
  Invitation,
  InvitationStatus,
  InvitedRole,
} from '../invitations/invitation.ts';
import type { SecretUses } from '../overview/secret-uses.ts';
import type { AuthenticatorReport } from '../passkeys/authenticator-report.ts';
import type { ImportedUser, ImportOptions, ImportReport } from '../provisioning/imported-user.ts';
import type { CreatedUser, NewUserRequest } from '../provisioning/new-user.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';
import type { OperatorAudit } from './operator-audit.ts';
import type { OperatorOrganizations } from './operator-organizations.ts';
import type { OperatorWebhooks } from './operator-webhooks.ts';

/** Filters, order and content of a list of users. */
export interface OperatorUserSearch {
  /** The beginning of a username or display name. Works only with `role`, `status`, `limit` and `cursor`. */
  query?: string | undefined;
  /** A part of a username or display name. */
  search?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  /** Only users with a passkey (true) or without a passkey (false). */
  hasPasskey?: boolean | undefined;
  /** Only users who have not signed in since this time, and users who have never signed in. */
  signedInBefore?: Date | undefined;
  /** Only members of the organization with this slug. */
  organization?: string | undefined;
  /** Default: `username`. With `lastSignIn`, users who have never signed in have the earliest time. */
  sort?: UserSort | undefined;
  /** Default: `asc`. */
  order?: SortOrder | undefined;
  /** Adds the details of each user, the number of users, or the numbers for each role and status. */
  include?: readonly UserListPart[] | undefined;
}

/**
 * The actions of an operator. Methods take the username of a user and the slug of an organization. The audit log
 * records each change with the operator's name.
 *
 * Every method throws AuthError `unavailable` if the database is unreachable. Every method that returns a page throws
 * TypeError for an invalid limit and AuthError `invalid_request` for an invalid cursor.
 */
export interface OperatorActions<Fields extends UserFields = NoFields> {
  /** Counts users, organizations and pending invitations to the service. Lists the superadmins. */
  overview(): Promise<Overview>;
  /**
   * Counts the stored values that need each secret of `JWT_SECRET`, so that you know when you can remove an earlier one
   * (docs/guides/key-rotation.md). `latchkey doctor` prints it. Reads all users with a password.
   *
   * @example
   * const { secrets: [, earlier] } = await auth.asOperator('ops').secretUses();
   * console.log(`${earlier?.passwords ?? 0} passwords still need the earlier secret`);
   */
  secretUses(): Promise<SecretUses>;
  /**
   * Creates the first superadmin, with a password or with a link to add a passkey. As long as the account has no
   * password and no passkey, another call resets the account. As soon as the account has a password or a passkey, calls
   * are refused. They are still refused if the superadmin is deleted later. With the option `again`, a call creates
   * another superadmin, but only if no active superadmin is left.
   *
   * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
   * @example const { link } = await auth.asOperator('ops').bootstrap({ username: 'ada' });
   */
  bootstrap(superadmin: BootstrapOptions): Promise<BootstrapResult>;
  /**
   * Invitations to the service. With a user invitation, a new user can sign up. The user who accepts an admin
   * invitation gets the role `admin`.
   */
  readonly invitations: {
    /** Lists invitations, newest first. */
    list(
      search?: Partial<PageRequest> & {
        status?: InvitationStatus | undefined;
        role?: InvitedRole | undefined;
      },
    ): Promise<Page<'invitations', Invitation>>;
    /**
     * Creates an invitation.
     *
     * @throws AuthError `username_unacceptable` | `role_already_held` | `account_disabled` | `sign_up_closed` for a
     *   user invitation in the mode `closed`
     * @throws TypeError for an invalid `role` or `expiresInHours`
     * @example const { url } = await auth.asOperator('ops').invitations.create({ role: 'user' });
     */
    create(request?: {
      /** The only user who can accept. If absent, any user with the link can accept, until one user has accepted. */
      username?: string | undefined;
      /** Default: `admin`. */
      role?: InvitedRole;
      /** A whole number from 1 to 720. Default: 72. */
      expiresInHours?: number;
    }): Promise<CreatedInvitation>;
    /** Revokes an invitation. @throws AuthError `not_found` | `invitation_already_accepted` */
    revoke(id: string): Promise<void>;
  };
  /** Methods that take a username throw AuthError `not_found` if no user has it. */
  readonly users: {
    /**
     * Lists users. Sorted by username, if `sort` is absent. The cursor of a list works only with the same `search`,
     * `sort` and `order`.
     *
     * @throws AuthError `invalid_request` for an invalid cursor, and for `query` together with a parameter other than
     *   `role`, `status`, `limit` and `cursor`
     * @throws AuthError `not_found` if no organization has the slug
     * @throws TypeError for a parameter of the wrong form
     * @example
     * const { users, total } = await auth.asOperator('ops').users.list({
     *   signedInBefore: new Date('2026-01-01'),
     *   sort: 'lastSignIn',
     *   include: ['details', 'total'],
     * });
     */
    list(search?: Partial<PageRequest> & OperatorUserSearch): Promise<UserList>;
    /** Reads a user: a summary of the credentials, the pending recovery link, the live sessions and the memberships. */
    get(username: string): Promise<UserDetails<Fields>>;
    /**
     * Like `get`, by the id of the user.
     *
     * @throws AuthError `not_found` if no user has the id, or if the user is deleted
     * @throws TypeError if `id` is not a UUID
     * @example const { user } = await auth.asOperator('ops').users.byId(userId);
     */
    byId(id: string): Promise<UserDetails<Fields>>;
    /**
     * Like `get`, by the id that the user had in another system (`users.import`).
     *
     * @param options `source`: the `source` of the import (default: `import`)
     * @throws AuthError `not_found` if no user was imported with the id, or if the user is deleted
     * @example const { user } = await auth.asOperator('ops').users.bySourceId('42', { source: 'old-shop' });
     */
    bySourceId(sourceId: string, options?: { source?: string | undefined }): Promise<UserDetails<Fields>>;
    /**
     * Creates a user: with a password, with passkeys of another system, or with a recovery link for adding the first
     * passkey. A user without any of these cannot sign in until you call `createRecoveryLink` and the user opens the
     * link. The statement of `signUp.after` runs, but the service does not call `signUp.before`. The audit log
     * also records refusals, but not a TypeError.
     *
     * @throws AuthError `username_unacceptable` | `username_taken` | `password_unacceptable` |
     *   `passkey_already_registered`
     * @throws AuthError `invalid_request` for fields, hashes and public keys that cannot be used
     * @throws TypeError for a role other than `user` and `admin`, unknown properties and values of the wrong form
     * @example
     * const { user, link } = await auth.asOperator('ops').users.create({ username: 'ada', recoveryLink: true });
     */
    create(request: NewUserRequest<Fields>): Promise<CreatedUser<Fields>>;
    /**
     * Imports users of another system with their password hashes and passkeys. If one record is refused, the import
     * continues with the next. Another call with the same records and the same `source` skips the users that are
     * already imported, so you can repeat an import that stopped half-way. The statement of `signUp.after` runs for
     * each user, but the service does not call `signUp.before`.
     *
     * The in-memory database of `latchkey/testing` does not support imports.
     *
     * @param records users, or lines of NDJSON; an array, a generator or a readline interface
     * @throws AuthError `unavailable` if the database is unreachable. The users that `onProgress` counted are imported.
     * @throws TypeError for invalid options, or if `records` is not iterable
     * @example
     * const lines = createInterface({ input: createReadStream('users.ndjson') });
     * const report = await auth.asOperator('ops').users.import(lines, { source: 'old-shop', onRefused: console.error });
     */
    import(
      records: Iterable<ImportedUser | string> | AsyncIterable<ImportedUser | string>,
      options?: ImportOptions,
    ): Promise<ImportReport>;
    /**
     * Changes the display name and the own fields of a user. Operators can write every field. A change to the same
     * values writes no audit event.
     *
     * @param changes absent values do not change; null removes a value
     * @throws AuthError `invalid_request` for unknown fields and invalid values
     * @example await auth.asOperator('billing').users.update('ada', { fields: { plan: 'pro' } });
     */
    update(
      username: string,
      changes: { displayName?: string | null | undefined; fields?: FieldChanges<Fields> | undefined },
    ): Promise<UserWithFields<Fields>>;
    /**
     * Counts the users whose usernames the option `usernames` does not allow, because they signed up before a change of
     * this option. They can still sign in. Reads all usernames.
     */
    countUnderOtherRules(): Promise<number>;
    /**
     * Lists the users with passkeys that the option `authenticators` excludes. New passkeys must always meet the option.
     * With `checkSignIns`, the listed passkeys cannot sign in. Reads all passkeys of active users.
     *
     * @example const { shutOut } = await auth.asOperator('ops').users.testAuthenticatorPolicy();
     */
    testAuthenticatorPolicy(): Promise<AuthenticatorReport>;
    /**
     * Changes the username of a user, whatever `usernames.change` is. No other user can get the earlier username.
     * Pending invitations that were created for the user change to the new username.
     *
     * @throws AuthError `username_unacceptable` | `username_taken` | `too_many_usernames`
     * @example await auth.asOperator('ops').users.rename('ada', 'lovelace');
     */
    rename(username: string, newUsername: string): Promise<User>;
    /**
     * Changes the role of a user. Cancels the recovery links that the user created. Revokes the invitations that the
     * user created. Also cancels unfinished recoveries of the account.
     *
     * @throws AuthError `last_superadmin`
     */
    changeRole(username: string, role: Role): Promise<User>;
    /**
     * Blocks sign-in and ends all sessions of a user. Cancels the recovery link of the account and the recovery links
     * that the user created. Revokes the invitations that the user created. Keeps all other data. The reason is for
     * superadmins and operators; the user and admins cannot read it.
     *
     * @param options `reason`: 1 to 200 characters without control characters, for superadmins and the audit log
     * @throws AuthError `last_superadmin`
     * @throws TypeError for an invalid reason
     * @example await auth.asOperator('ops').users.disable('ada', { reason: 'Left the company' });
     */
    disable(username: string, options?: { reason?: string | undefined }): Promise<User>;
    /** Allows a disabled user to sign in again. */
    enable(username: string): Promise<User>;
    /** Ends all sessions of a user. @returns the number of ended sessions that had not expired */
    endSessions(username: string): Promise<number>;
    /**
     * Ends one session of a user. `users.get` returns the ids of the sessions.
     *
     * @throws AuthError `not_found` if no user has the username, or the user has no live session with this id
     * @throws TypeError if `sessionId` is not a UUID
     * @example
     * const { sessions } = await auth.asOperator('ops').users.get('ada');
     * await auth.asOperator('ops').users.endSession('ada', sessions[0].id);
     */
    endSession(username: string, sessionId: string): Promise<void>;
    /**
     * Ends all sessions of all users, for example after a restore of the database, which brings back sessions that had
     * ended. Every user must sign in again. Also deletes all impersonation links. The audit log records
     * `user.end_all_sessions` for each statement that ends sessions, at most 10000 at a time.
     *
     * A session that a sign-in opens during the call can remain, so stop the service first if this matters.
     *
     * @param options `recoveryLinks`: also cancels all recovery links, because a restore brings back used links. This
     *   includes the links of new users. Default: `false`.
     * @throws TypeError if `recoveryLinks` is not a boolean
     * @example const { sessions } = await auth.asOperator('ops').users.endAllSessions();
     */
    endAllSessions(options?: { recoveryLinks?: boolean | undefined }): Promise<EndedSessions>;
    /**
     * Creates a recovery link for a user. A new link replaces the earlier link. A link is single-use. It becomes usable
     * after `assistedRecoveryDelaySeconds` and expires one hour later. The user sees the link in every session and can
     * cancel it.
     *
     * @throws AuthError `account_disabled`
     */
    createRecoveryLink(username: string): Promise<RecoveryLink>;
    /**
     * Creates a link with which the operator opens a session as the user, for support. Needs the option
     * `impersonation`. The link is single-use, expires after five minutes, and replaces an earlier link to the account.
     * The session ends after an hour. It cannot change the account, and has no rights of an admin. The user sees the
     * session, and the audit log records the operator and the reason.
     *
     * @param request `reason`: 1 to 200 characters without control characters, for the audit log
     * @throws AuthError `feature_disabled` if the option `impersonation` is off | `forbidden` if the user is a
     *   superadmin | `account_disabled`
     * @throws TypeError for an invalid reason
     * @example
     * const { url } = await auth.asOperator('grace').users.impersonate('ada', { reason: 'Ticket 4711' });
     */
    impersonate(username: string, request: { reason: string }): Promise<ImpersonationLink>;
    /**
     * Cancels the recovery link of a user, and ends the recovery session that the link opened.
     *
     * @throws AuthError `not_found` if the user has no pending link
     */
    cancelRecoveryLink(username: string): Promise<void>;
    /**
     * Deletes the account permanently. The username stays taken, by default permanently (`deletedUsernameReleaseDays`).
     * Also deletes the id of the user from `latchkey.user_ids`, which tables of your application can reference.
     *
     * @throws AuthError `last_superadmin`
     * @throws AuthError `still_referenced` if a foreign key of your application prevents the deletion. The message names
     *   the table.
     */
    delete(username: string): Promise<void>;
    /**
     * Erases a user (GDPR, Article 17). Deletes the account if it still exists. Replaces the username, the IP addresses
     * and the browsers of the user in the audit log with a pseudonym, such as `erased:3f9c0d21a8b46e57`. Keeps the id,
     * and a keyed digest of the username, so that the username stays taken. The audit log records
     * `user.erase` without the username. Another call for the same user returns the same pseudonym, and
     * changes the events that were recorded in the meantime.
     *
     * The database role needs `execute` on `latchkey.erase_user` (docs/guides/privacy.md). Without it, nothing changes.
     *
     * @param id the id of the user, a UUID. A username would not find a deleted user.
     * @throws SchemaError `erasure_not_granted` if the database role cannot erase users
     * @throws AuthError `not_found` if no user ever had the id | `last_superadmin` | `still_referenced`
     * @throws TypeError if `id` is not a UUID
     * @example
     * const { user } = await auth.asOperator('privacy desk').users.get('ada');
     * const { pseudonym } = await auth.asOperator('privacy desk').users.erase(user.id);
     * @see https://gdpr-info.eu/art-17-gdpr/
     */
    erase(id: string): Promise<Erasure>;
    /**
     * Exports everything that the service stores about one user (GDPR, Articles 15 and 20), as records. Reads the
     * records while you iterate, so the export of a user with a million audit events needs little memory. The audit log
     * records `user.export`, and the export ends with the events up to this one.
     *
     * The export never contains password hashes, recovery codes, tokens or private keys. It does not contain data in
     * tables of your application. It leaves out names, IP addresses and browsers of other users.
     *
     * @param user `{ username }`, or `{ id }`, which also finds a deleted user until the user is erased
     * @throws AuthError `not_found`
     * @throws TypeError if `id` is not a UUID
     * @example
     * for await (const record of await auth.asOperator('privacy desk').users.export({ username: 'ada' }))
     *   file.write(`${JSON.stringify(record)}\n`);
     * @see https://gdpr-info.eu/art-15-gdpr/
     */
    export(user: UserToExport): Promise<AsyncIterable<UserRecord<Fields>>>;
  };
  /** Organizations, their members and their invitations. */
  readonly organizations: OperatorOrganizations;
  /** Destinations for audit events. */
  readonly webhooks: OperatorWebhooks;
  /** The audit log. */
  readonly audit: OperatorAudit;
}
