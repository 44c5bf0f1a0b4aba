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

/** How a client is set up; everything has a default. */
export interface AuthClientOptions {
  /** Where the router is mounted; `/auth` by default. */
  baseUrl?: string;
  /** For tests, or for wrapping every request; the browser's own by default. */
  fetch?: Fetch;
  /**
   * Asked when a call needs fresh authentication, so that an app can say why and offer what the account has:
   *
   * - `true`: the client brings up the passkey prompt by itself.
   * - `false`: the person does not want to; the call rejects with `ceremony_cancelled`.
   * - `'done'`: the app's own dialog has called `stepUp` already, with a passkey or a password, and has shown there
   *   what went wrong if anything did.
   *
   * Absent: the passkey prompt comes at once.
   */
  beforeStepUp?: () => Promise<StepUpAnswer>;
  /**
   * Whether to have the browser make a passkey by itself after each sign-in with a password, where it can: in the
   * background, without a prompt, and without a word where nothing comes of it. `true` by default.
   */
  passkeyUpgrade?: boolean;
  /** Told of a passkey that came about that way: "Next time, sign in with it." */
  onPasskeyAdded?: (passkey: Passkey) => void;
}

/**
 * What a page can do with its own account.
 *
 * Every call rejects with an `AuthClientError`. One that the service refuses for want of fresh authentication
 * (`reauthentication_required`) runs a step-up by itself and is repeated, once.
 *
 * The `signal` of a ceremony ends it with `ceremony_cancelled` for as long as its prompt has not been answered. What
 * was cancelled, or has failed, can be begun again at once.
 */
export interface AuthClient {
  /** Asks whether a username can be had. An aborted request rejects with `aborted`. */
  usernameAvailability(username: string, options?: { signal?: AbortSignal }): Promise<UsernameAvailability>;
  /**
   * Makes an account with a first passkey, and signs in.
   *
   * @throws AuthClientError `username_taken` | `username_unacceptable` | `ceremony_cancelled` | …
   */
  signUp(person: {
    username: string;
    displayName?: string | undefined;
    label?: string | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<SignedUp>;
  /**
   * Signs in with a passkey, in the browser's own dialog; without a username, with any this site knows.
   * Takes the place of an autofill ceremony under way, and of a call alike, which then ends as this one does: a
   * second click is no error.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `ceremony_cancelled` | …
   *   With the `reason` `unknown_credential` the service knows the passkey no more: it was removed, or its account
   *   deleted. Where the browser can pass that on, it will not be offered again.
   */
  signIn(options?: { username?: string | undefined; signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Offers passkeys in the suggestions of an `<input autocomplete="username webauthn">`, and resolves when a
   * person has picked one (conditional UI). Rejects with `ceremony_cancelled` once it is aborted or another
   * ceremony takes its place, with `webauthn_unsupported` where the browser cannot do it; otherwise as `signIn`.
   */
  signInWithAutofill(options?: { signal?: AbortSignal | undefined }): Promise<SignedIn>;
  /**
   * Signs in with a username and the password of the account. Then, in the background, see `passkeyUpgrade`.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `rate_limited` | `unavailable`, where too
   *   many passwords are being checked; both with `retryAfterSeconds`
   */
  signInWithPassword(given: { username: string; password: string }): Promise<SignedIn>;
  /**
   * Proves presence again, so that for a while calls which need fresh authentication go through: with a passkey,
   * or with the password where one is given.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `ceremony_cancelled` | `rate_limited` | …
   */
  stepUp(options?: { password?: string | undefined; signal?: AbortSignal | undefined }): Promise<Session>;
  /** The account and session of this browser, or null where nobody is signed in. */
  session(): Promise<CurrentSession | null>;
  /** Ends the session of this browser; also where there is none. */
  signOut(): Promise<void>;
  /**
   * Deletes one's own account for ever, and signs out everywhere; the username stays taken. Needs fresh
   * authentication.
   *
   * @throws AuthClientError `last_superadmin`: make somebody else one first
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
 * Makes a client for the Latchkey routes of this origin.
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
