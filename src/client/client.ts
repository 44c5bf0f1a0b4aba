import { type AuditClient, auditClient } from './audit.ts';
import { createPasskey } from './ceremonies.ts';
import { hasCode } from './errors.ts';
import { type InvitationsClient, invitationsClient } from './invitations.ts';
import { creationOptions } from './options.ts';
import { type OrganizationsClient, organizationsClient } from './organizations.ts';
import { type PasskeysClient, passkeysClient } from './passkeys.ts';
import { type PasswordClient, passwordClient } from './password.ts';
import { type RecoveryClient, recoveryClient } from './recovery.ts';
import { createSend, expectParts, type Fetch } from './requests.ts';
import { type SessionsClient, sessionsClient } from './sessions.ts';
import { passkeySignIn } from './sign-in.ts';
import { repeatAfterStepUp, type StepUpAnswer, stepUpWithPasskey, stepUpWithPassword } from './step-up.ts';
import type { CurrentSession, Passkey, Session, SignedIn, SignedUp, UsernameAvailability } from './types.ts';
import { upgradeToPasskey } from './upgrade.ts';
import { type UsersClient, usersClient } from './users.ts';

/** Options of {@link createAuthClient}. All are optional. */
export interface AuthClientOptions {
  /** Where the router is mounted. Default: `/auth`. */
  baseUrl?: string;
  /** Sends the requests. Default: the browser's `fetch`. Useful in tests, or to add headers or logging. */
  fetch?: Fetch;
  /**
   * Called when a call needs fresh authentication. Lets an app explain the prompt, or offer the password instead.
   * Resolve with:
   *
   * - `true`: the client opens the passkey prompt.
   * - `false`: the user declined. The call rejects with `ceremony_canceled`.
   * - `'done'`: the app has already called `stepUp`, in a dialog of its own that also shows errors.
   *
   * Default: the client opens the passkey prompt immediately.
   */
  beforeStepUp?: () => Promise<StepUpAnswer>;
  /**
   * Whether the browser creates a passkey in the background after each sign-in with a password, if it can. There is no
   * prompt and no error. Default: `true`.
   */
  passkeyUpgrade?: boolean;
  /** Called with each passkey that `passkeyUpgrade` added. Use it to tell the user that the passkey exists. */
  onPasskeyAdded?: (passkey: Passkey) => void;
}

/**
 * The browser client: sign-up, sign-in, and management of the user's account.
 *
 * A failed call rejects with an `AuthClientError`. If the service answers `reauthentication_required`, the client runs a
 * step-up and repeats the call once.
 *
 * The `signal` of a ceremony cancels it with `ceremony_canceled` until the user answers the prompt. A canceled or
 * failed ceremony can be started again immediately.
 */
export interface AuthClient {
  /**
   * Checks whether a username is available. An aborted request rejects with `aborted`.
   *
   * @throws AuthClientError `aborted` | `rate_limited` | …
   */
  usernameAvailability(username: string, options?: { signal?: AbortSignal }): Promise<UsernameAvailability>;
  /**
   * Creates an account with its first passkey and signs in.
   *
   * @throws AuthClientError `username_taken` | `username_unacceptable` | `ceremony_canceled` | …
   */
  signUp(person: {
    username: string;
    displayName?: string | undefined;
    label?: string | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<SignedUp>;
  /**
   * Signs in with a passkey in the browser's own dialog. Without a username, the browser offers every passkey it has
   * for this site.
   *
   * Cancels a pending `signInWithAutofill` and an earlier `signIn`. If the earlier call has the same username, it settles
   * with the outcome of the new call, so a double click is not an error.
   *
   * @throws AuthClientError `authentication_failed`, for every cause | `ceremony_canceled` | …
   *   The `reason` `unknown_credential` means that the passkey was removed or its account deleted. Browsers that
   *   support it then stop offering the passkey (WebAuthn 5.1.10).
   */
  signIn(options?: { username?: string | undefined; signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Offers passkeys in the autofill suggestions of an `<input autocomplete="username webauthn">`. Resolves when the
   * user selects one (WebAuthn 5.1.4, conditional mediation).
   *
   * @throws AuthClientError `ceremony_canceled` if it is aborted or another ceremony replaces it |
   *   `webauthn_unsupported` if the browser has no passkey autofill | the errors of `signIn`
   */
  signInWithAutofill(options?: { signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Signs in with a username and a password. Afterwards the browser can create a passkey in the background; see
   * `passkeyUpgrade`.
   *
   * @throws AuthClientError `authentication_failed`, for every cause | `rate_limited`, with `retryAfterSeconds` |
   *   `unavailable`, with `retryAfterSeconds`: too many passwords are being checked at the same time
   */
  signInWithPassword(given: { username: string; password: string }): Promise<SignedIn>;
  /**
   * Authenticates the signed-in user again, with the given password or else with a passkey. Calls that need fresh
   * authentication then succeed for a limited time.
   *
   * @throws AuthClientError `authentication_failed`, for every cause | `ceremony_canceled` | `rate_limited` | …
   */
  stepUp(options?: { password?: string | undefined; signal?: AbortSignal | undefined }): Promise<Session>;
  /** Returns the account and session of this browser, or null if no user is signed in. */
  session(): Promise<CurrentSession | null>;
  /** Ends the session of this browser. Succeeds if there is no session. */
  signOut(): Promise<void>;
  /**
   * Deletes the user's own account permanently and ends its sessions. The username stays taken. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `last_superadmin`: make another user a superadmin first
   */
  deleteAccount(): Promise<void>;
  passkeys: PasskeysClient;
  password: PasswordClient;
  recovery: RecoveryClient;
  sessions: SessionsClient;
  invitations: InvitationsClient;
  users: UsersClient;
  organizations: OrganizationsClient;
  audit: AuditClient;
}

/**
 * Creates a browser client for the Latchkey routes of this origin.
 *
 * @example
 * const auth = createAuthClient();
 * await auth.signUp({ username: 'ada' });
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const { baseUrl = '/auth', fetch = (...request) => globalThis.fetch(...request) } = options;
  const { beforeStepUp, passkeyUpgrade = true, onPasskeyAdded } = options;
  const sendOnce = createSend(baseUrl, fetch);
  const send = repeatAfterStepUp(sendOnce, beforeStepUp, (signal) => stepUpWithPasskey(sendOnce, signal));

  return {
    async usernameAvailability(username, { signal } = {}) {
      const query = new URLSearchParams({ username });
      const answer = await send('GET', `/username/availability?${query}`, { signal });
      return expectParts<UsernameAvailability>(answer, 'username', 'available', 'reason');
    },

    async signUp({ username, displayName, label, signal }) {
      const start = (aborted?: AbortSignal) =>
        creationOptions(send, '/passkey/register/start', { username, displayName }, aborted);
      const credential = await createPasskey(start, signal);
      const answer = await send('POST', '/passkey/register/verify', { body: { credential, label } });
      return expectParts<SignedUp>(answer, 'user', 'passkey', 'session');
    },

    ...passkeySignIn(send),

    async signInWithPassword({ username, password }) {
      const answer = await send('POST', '/password/login', { body: { username, password } });
      const signedIn = expectParts<SignedIn>(answer, 'user', 'session');
      if (passkeyUpgrade) void upgradeToPasskey(sendOnce).then((added) => added && onPasskeyAdded?.(added));
      return signedIn;
    },

    stepUp: ({ password, signal } = {}) =>
      password === undefined
        ? stepUpWithPasskey(sendOnce, signal)
        : stepUpWithPassword(sendOnce, password, signal),

    async session() {
      try {
        return expectParts<CurrentSession>(await send('GET', '/session'), 'user', 'session', 'recoveryLink');
      } catch (error) {
        if (hasCode(error, 'not_authenticated')) return null;
        throw error;
      }
    },

    async signOut() {
      await send('DELETE', '/session');
    },

    async deleteAccount() {
      await send('DELETE', '/account');
    },

    passkeys: passkeysClient(send, sendOnce),
    password: passwordClient(send),
    recovery: recoveryClient(send),
    sessions: sessionsClient(send),
    invitations: invitationsClient(send),
    users: usersClient(send),
    organizations: organizationsClient(send),
    audit: auditClient(send, baseUrl),
  };
}
