import type { AuditClient } from './audit.ts';
import type { ImpersonationClient } from './impersonation.ts';
import type { InvitationsClient } from './invitations.ts';
import type { OrganizationsClient } from './organizations.ts';
import type { OverviewClient } from './overview.ts';
import type {
  NoServiceTypes,
  OwnFieldDefinitions,
  OwnFieldValues,
  WithOwnFields,
  WithSignUpFields,
} from './own-fields.ts';
import type { PasskeysClient } from './passkeys.ts';
import type { PasswordClient } from './password.ts';
import type { RecoveryClient } from './recovery.ts';
import type { Fetch } from './requests.ts';
import type { SessionsClient } from './sessions.ts';
import type { StepUpAnswer, StepUpOptions, StepUpReason } from './step-up.ts';
import type { TokenStore } from './token-store.ts';
import type {
  CurrentSession,
  NewPasskey,
  Session,
  SessionWithOrganizations,
  SignedIn,
  SignedUp,
  SignUpMode,
  User,
  UsernameAvailability,
} from './types.ts';
import type { UserInvitationsClient } from './user-invitations.ts';
import type { UsersClient } from './users.ts';
import type { WebhooksClient } from './webhooks.ts';

/** Options of {@link createAuthClient}. */
export interface AuthClientOptions {
  /**
   * The path or URL of the router, such as `https://api.example.com/auth`. For another origin than the page, the service
   * must list the origin of the page in `origins`, and the router needs `cors: true`. Default: `/auth`.
   */
  baseUrl?: string;
  /**
   * Whether requests carry cookies (`RequestInit.credentials`). Default: `include` if `baseUrl` is a URL, and
   * `same-origin` if it is a path.
   */
  credentials?: 'include' | 'omit' | 'same-origin';
  /**
   * Makes the client use bearer tokens instead of cookies, for native apps and programs. The service needs
   * `bearerTokens: true`. Requests then carry no cookies, and `audit.prepareExport` throws an error, because a
   * download carries no bearer token.
   */
  tokenStore?: TokenStore;
  /** The function that sends requests, for tests, extra headers or logging. Default: the browser's `fetch`. */
  fetch?: Fetch;
  /**
   * Runs when a call needs a passkey or fresh authentication, before the client opens the passkey prompt. The app can
   * explain the prompt, or offer the password as an alternative. A user who has a passkey cannot use the password. The
   * returned promise resolves with one of these values:
   *
   * - `true`: the client opens the passkey prompt.
   * - `false`: the user declined. The call rejects with `ceremony_canceled`.
   * - `'done'`: the app has called `stepUp` itself, and the step-up succeeded.
   *
   * Default: the client opens the passkey prompt immediately.
   */
  beforeStepUp?: (reason: StepUpReason) => Promise<StepUpAnswer>;
  /**
   * Whether the client tries to add a passkey in the background after a sign-in with a password, if the account has no
   * passkey. The user sees no prompt, and a failure causes no error. Default: `true`.
   */
  passkeyUpgrade?: boolean;
  /** Runs after `passkeyUpgrade` has added a passkey. The app can tell the user about the new passkey. */
  onPasskeyAdded?: (passkey: NewPasskey) => void;
}

/**
 * The browser client, for sign-up, sign-in and the management of accounts.
 *
 * A failed call rejects with an `AuthClientError`. Some calls need fresh authentication: a recent sign-in, sign-up,
 * step-up or completed recovery. If the last authentication is too old, the client runs a step-up and repeats the call
 * once. It does the same if the user has a passkey, but authenticated with a password, and the call needs the passkey.
 *
 * A call with a passkey prompt accepts a `signal`. If the signal aborts before the user has answered the prompt, the
 * call rejects with `ceremony_canceled`. After a failure, the app can make the same call again immediately.
 *
 * @typeParam Fields the definitions of the own fields of users (`userFields` of the service)
 */
export interface AuthClient<Fields extends OwnFieldDefinitions = NoServiceTypes['userFields']> {
  /**
   * Returns who can sign up. If the mode is not `open`, a page can hide its sign-up form.
   *
   * @throws AuthClientError `aborted` | `rate_limited` | …
   */
  signUpMode(options?: { signal?: AbortSignal }): Promise<SignUpMode>;
  /**
   * Checks whether a username is available. Does not reserve the username.
   *
   * @param options.invitation the token of an invitation; needed in the sign-up mode `invitation`
   * @throws AuthClientError `sign_up_closed` | `invitation_required` | `aborted` | `rate_limited` | …
   */
  usernameAvailability(
    username: string,
    options?: { invitation?: string | undefined; signal?: AbortSignal },
  ): Promise<UsernameAvailability>;
  /**
   * Creates an account with its first passkey and signs in.
   *
   * @param person.invitation the token of an invitation, from the fragment of its link; the account gets the
   *   role of the invitation
   * @throws AuthClientError `username_taken` | `username_unacceptable` | `ceremony_canceled` | …
   * @throws AuthClientError `sign_up_closed` | `invitation_required` | `sign_up_refused`, with the reason in `detail`
   * @throws AuthClientError `invitation_not_found` | `invitation_unusable` | `invitation_for_another_user`
   */
  signUp(
    person: {
      username: string;
      displayName?: string | undefined;
      invitation?: string | undefined;
      label?: string | undefined;
      signal?: AbortSignal | undefined;
    } & WithSignUpFields<Fields>,
  ): Promise<SignedUp>;
  /**
   * Signs in with a passkey in the browser's dialog. Without a username, the browser offers every passkey of this site.
   *
   * Cancels a pending `signInWithAutofill` and an earlier `signIn`. If the earlier `signIn` has the same username, the
   * earlier call returns the result of the new call. So a double click causes no error.
   *
   * @throws AuthClientError `account_disabled` if the passkey is valid, but the account is disabled
   * @throws AuthClientError `authentication_failed`, for every other cause | `ceremony_canceled` | … If the passkey or its
   *   account was deleted, the error has the `reason` `unknown_credential`. In this case, the client tells the browser
   *   that the passkey is unknown (WebAuthn 5.1.10). A browser that supports this stops offering the passkey.
   */
  signIn(options?: { username?: string | undefined; signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Offers passkeys in the autofill suggestions of an `<input autocomplete="username webauthn">` (WebAuthn 5.1.4,
   * conditional mediation). Waits until the user selects a passkey, then signs in.
   *
   * @throws AuthClientError `ceremony_canceled` if the signal aborts or another passkey prompt replaces the
   *   suggestions | `webauthn_unsupported` if the browser has no passkey autofill | the errors of `signIn`
   */
  signInWithAutofill(options?: { signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Signs in with a username and a password. Afterwards, the client can add a passkey in the background (see
   * `passkeyUpgrade`).
   *
   * @throws AuthClientError `account_disabled` if the password is correct, but the account is disabled
   * @throws AuthClientError `authentication_failed`, for every other cause | `rate_limited`, with `retryAfterSeconds` |
   *   `unavailable`, with `retryAfterSeconds`, if the service is checking too many passwords at the same time
   */
  signInWithPassword(given: { username: string; password: string }): Promise<SignedIn>;
  /**
   * Authenticates the signed-in user again, with a passkey or with the given password. For a limited time afterwards,
   * calls that need fresh authentication run without another prompt.
   *
   * @param options.userId the id of the user whose action waits for the step-up. Another user can sign in in another
   *   tab at any time, and the action must not run as that user.
   * @throws AuthClientError `passkey_required` for a password, if the user has a passkey
   * @throws AuthClientError `not_authenticated` with the reason `another_user` if `userId` is no longer signed in
   * @throws AuthClientError `authentication_failed`, for every cause | `ceremony_canceled` | `rate_limited` | …
   */
  stepUp(options?: StepUpOptions): Promise<Session>;
  /**
   * Returns the account and session of this browser, or null if no user is signed in.
   *
   * @param options.include `['organizations']`: also return the organizations of the user, sorted by name, for an
   *   organization switcher
   * @example
   * const current = await auth.session({ include: ['organizations'] });
   * const names = current?.organizations.map(({ name }) => name);
   */
  session(options: { include: readonly ['organizations'] }): Promise<SessionWithOrganizations<Fields> | null>;
  session(): Promise<CurrentSession<Fields> | null>;
  /**
   * Whether this browser still has the cookie or token of a session that has ended. The session has expired, or the
   * user, an administrator or a change of the account has ended it. A sign-in page can then say why the user has to
   * sign in again. After `signOut`, the result is false.
   *
   * @example
   * if ((await auth.session()) === null && (await auth.sessionHasEnded())) show('Your session has ended. Sign in again.');
   */
  sessionHasEnded(): Promise<boolean>;
  /** Ends the session of this browser. Succeeds even if no user is signed in. */
  signOut(): Promise<void>;
  /**
   * Changes the display name and the own fields of the account. Absent values do not change. Null removes a value.
   * The browser then updates the display name in the authenticators, if it supports this.
   *
   * @throws AuthClientError `invalid_request`, with the invalid values in `errors`
   * @example
   * await auth.updateAccount({ displayName: 'Ada Lovelace' });
   */
  updateAccount(changes: {
    displayName?: string | null | undefined;
    fields?: OwnFieldValues<Fields> | undefined;
  }): Promise<WithOwnFields<User, Fields>>;
  /**
   * Changes the username of the account, if the service allows users to do this. No other user can get the earlier
   * username. Needs fresh authentication.
   *
   * @throws AuthClientError `forbidden` | `username_taken` | `username_unacceptable` | `too_many_usernames` |
   *   `sign_up_refused`
   */
  renameAccount(username: string): Promise<User>;
  /**
   * Permanently deletes the user's own account and ends its sessions. The username stays taken. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `last_superadmin`: give another user the role `superadmin` first
   * @throws AuthClientError `still_referenced`: the application has data that depends on the account
   */
  deleteAccount(): Promise<void>;
  passkeys: PasskeysClient;
  password: PasswordClient;
  recovery: RecoveryClient;
  sessions: SessionsClient;
  invitations: InvitationsClient;
  userInvitations: UserInvitationsClient;
  users: UsersClient<Fields>;
  impersonation: ImpersonationClient;
  organizations: OrganizationsClient;
  audit: AuditClient;
  overview: OverviewClient;
  webhooks: WebhooksClient;
}
