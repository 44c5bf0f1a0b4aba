import { auditClient } from './audit.ts';
import type { AuthClient, AuthClientOptions } from './auth-client.ts';
import { createPasskey } from './ceremonies.ts';
import { hasCode } from './errors.ts';
import { impersonationClient } from './impersonation.ts';
import { invitationsClient } from './invitations.ts';
import { creationOptions } from './options.ts';
import { organizationsClient } from './organizations.ts';
import { overviewClient } from './overview.ts';
import type { NoServiceTypes, ServiceTypes } from './own-fields.ts';
import { passkeysClient } from './passkeys.ts';
import { passwordClient } from './password.ts';
import { recoveryClient } from './recovery.ts';
import { createSend, expectParts, unwrap } from './requests.ts';
import { sessionsClient } from './sessions.ts';
import { passkeySignIn } from './sign-in.ts';
import { signalDetails } from './signals.ts';
import { repeatAfterStepUp, stepUp, stepUpWithPasskey } from './step-up.ts';
import { forgetToken } from './token-store.ts';
import type { SessionWithOrganizations, SignedIn, SignedUp, UsernameAvailability } from './types.ts';
import { upgradeToPasskey } from './upgrade.ts';
import { userInvitationsClient } from './user-invitations.ts';
import { usersClient } from './users.ts';
import { webhooksClient } from './webhooks.ts';

/**
 * Creates a client for a Latchkey service, for pages on its origin or on another origin.
 *
 * @typeParam Auth the type of the service, such as `typeof auth`: gives the own fields of users their types. Import only
 *   the type, so that the page does not contain the code of the service.
 *
 * @throws TypeError if both `credentials` and `tokenStore` are given
 * @example
 * const auth = createAuthClient();
 * await auth.signUp({ username: 'ada' });
 */
export function createAuthClient<Auth extends ServiceTypes = NoServiceTypes>(
  options: AuthClientOptions = {},
): AuthClient<Auth['userFields']> {
  const { baseUrl = '/auth', fetch = (...request) => globalThis.fetch(...request) } = options;
  const { beforeStepUp, passkeyUpgrade = true, onPasskeyAdded } = options;
  const { credentials, tokenStore } = options;
  if (tokenStore && credentials) throw new TypeError('credentials: not allowed together with tokenStore');
  const sendOnce = createSend(baseUrl, fetch, {
    // The service refuses a request with both a cookie and a bearer token.
    credentials: tokenStore ? 'omit' : (credentials ?? (isUrl(baseUrl) ? 'include' : 'same-origin')),
    tokenStore,
  });
  const send = repeatAfterStepUp(sendOnce, beforeStepUp, (signal) => stepUpWithPasskey(sendOnce, signal));

  const client: AuthClient = {
    async signUpMode({ signal } = {}) {
      return unwrap(await send('GET', '/sign-up', { signal }), 'mode');
    },

    async usernameAvailability(username, { invitation, signal } = {}) {
      const path = '/username/availability';
      const query = new URLSearchParams({ username });
      const answer =
        invitation === undefined
          ? await send('GET', `${path}?${query}`, { signal })
          : await send('POST', path, { body: { username, invitation }, signal });
      return expectParts<UsernameAvailability>(answer, 'username', 'available', 'reason');
    },

    async signUp({ username, displayName, fields, invitation, label, signal }) {
      const start = (aborted?: AbortSignal) =>
        creationOptions(
          send,
          '/passkey/register/start',
          { username, displayName, fields, invitation },
          aborted,
        );
      const answer = await createPasskey(
        start,
        (credential) => send('POST', '/passkey/register/verify', { body: { credential, label } }),
        signal,
      );
      return expectParts<SignedUp>(answer, 'user', 'passkey', 'session');
    },

    ...passkeySignIn(send),

    async signInWithPassword({ username, password }) {
      const answer = await send('POST', '/password/login', { body: { username, password } });
      const signedIn = expectParts<SignedIn>(answer, 'user', 'session');
      if (passkeyUpgrade) void upgradeToPasskey(sendOnce).then((added) => added && onPasskeyAdded?.(added));
      return signedIn;
    },

    stepUp: (given = {}) => stepUp(sendOnce, async () => (await client.session())?.user, given),

    async session({ include = [] }: { include?: readonly string[] } = {}) {
      try {
        // Browsers log an error for the status 401, so the client asks for 200 if no user is signed in.
        const sent = (await tokenStore?.read()) ?? null;
        const query = include.length === 0 ? '' : `&include=${encodeURIComponent(include.join())}`;
        const answer = await send('GET', `/session?optional${query}`);
        if (unwrap(answer, 'user') !== null)
          return expectParts<SessionWithOrganizations>(
            answer,
            'user',
            'session',
            'recoveryLink',
            ...(include.length === 0 ? [] : (['organizations'] as const)),
          );
        if (tokenStore) await forgetToken(tokenStore, sent);
        return null;
      } catch (error) {
        if (hasCode(error, 'not_authenticated')) return null;
        throw error;
      }
    },

    async sessionHasEnded() {
      const answer = await send('GET', '/session?optional').catch((error) => {
        if (hasCode(error, 'not_authenticated')) return { user: null, reason: error.reason };
        throw error;
      });
      return unwrap(answer, 'user') === null && (answer as { reason?: unknown }).reason === 'session_ended';
    },

    async signOut() {
      await send('DELETE', '/session');
      await tokenStore?.write(null);
    },

    async updateAccount({ displayName, fields }) {
      const answer = await send('PATCH', '/account', { body: { displayName, fields } });
      signalDetails(send);
      return unwrap(answer, 'user');
    },

    async renameAccount(username) {
      const answer = await send('PUT', '/account/username', { body: { username } });
      signalDetails(send);
      return unwrap(answer, 'user');
    },

    async deleteAccount() {
      await send('DELETE', '/account');
      await tokenStore?.write(null);
    },

    passkeys: passkeysClient(send, sendOnce),
    password: passwordClient(send),
    recovery: recoveryClient(send),
    sessions: sessionsClient(send),
    invitations: invitationsClient(send),
    userInvitations: userInvitationsClient(send),
    users: usersClient(send),
    impersonation: impersonationClient(send),
    organizations: organizationsClient(send),
    audit: auditClient(send, baseUrl, tokenStore !== undefined),
    overview: overviewClient(send),
    webhooks: webhooksClient(send),
  };
  // The own fields have types only at compile time.
  return client as AuthClient<Auth['userFields']>;
}

const isUrl = (baseUrl: string): boolean => /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(baseUrl);
