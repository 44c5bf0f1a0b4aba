import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { createPasskey, offerPasskeys, provePasskey } from './ceremonies.ts';
import { clientError, hasCode } from './errors.ts';
import { createSend, expectParts, type Fetch, type Send, unwrap } from './requests.ts';
import type { CurrentSession, Passkey, Session, SignedIn, SignedUp, UsernameAvailability } from './types.ts';

/** How a client is set up; everything has a default. */
export interface AuthClientOptions {
  /** Where the router is mounted; `/auth` by default. */
  baseUrl?: string;
  /** For tests, or for wrapping every request; the browser's own by default. */
  fetch?: Fetch;
  /**
   * Asked before a call that needs fresh authentication brings up the passkey prompt by itself, so that an app
   * can say why. `false` gives up: the call rejects with `ceremony_cancelled`. Absent: the prompt comes at once.
   */
  beforeStepUp?: () => Promise<boolean>;
}

/** The passkeys of whoever is signed in. */
export interface PasskeysClient {
  list(): Promise<Passkey[]>;
  /**
   * Makes another passkey for the account. Needs fresh authentication.
   *
   * @throws AuthClientError `passkey_exists` where this device or provider holds one for the account already
   */
  add(options?: { label?: string | undefined }): Promise<Passkey>;
  /** Gives a passkey a name of 1 to 64 characters. */
  rename(id: string, label: string): Promise<Passkey>;
  /**
   * Removes a passkey for good. Needs fresh authentication.
   *
   * @throws AuthClientError `last_credential` where it is the last way into the account
   */
  remove(id: string): Promise<void>;
}

/** The places where the account is signed in. */
export interface SessionsClient {
  list(): Promise<Session[]>;
  /** Ends one session; of the current one, the same as signing out. */
  end(id: string): Promise<void>;
  /** Ends all but the current session; gives how many there were. */
  endOthers(): Promise<number>;
}

/**
 * What a page can do with its own account.
 *
 * Every call rejects with an `AuthClientError`. One that the service refuses for want of fresh authentication
 * (`reauthentication_required`) runs a step-up by itself and is repeated, once.
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
  }): Promise<SignedUp>;
  /**
   * Signs in with a passkey, in the browser's own dialog; without a username, with any this site knows.
   * Takes the place of an autofill ceremony under way.
   *
   * @throws AuthClientError `authentication_failed`, whatever the cause | `ceremony_cancelled` | …
   */
  signIn(options?: { username?: string | undefined }): Promise<SignedIn>;
  /**
   * Offers passkeys in the suggestions of an `<input autocomplete="username webauthn">`, and resolves when a
   * person has picked one (conditional UI). Rejects with `ceremony_cancelled` once it is aborted or another
   * ceremony takes its place, with `webauthn_unsupported` where the browser cannot do it.
   */
  signInWithAutofill(options?: { signal?: AbortSignal }): Promise<SignedIn>;
  /** Proves presence again, so that for a while calls which need fresh authentication go through. */
  stepUp(): Promise<Session>;
  /** The account and session of this browser, or null where nobody is signed in. */
  session(): Promise<CurrentSession | null>;
  /** Ends the session of this browser; also where there is none. */
  signOut(): Promise<void>;
  passkeys: PasskeysClient;
  sessions: SessionsClient;
}

/**
 * Makes a client for the Latchkey routes of this origin.
 *
 * @example
 * const auth = createAuthClient();
 * await auth.signUp({ username: 'ada' });
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const { baseUrl = '/auth', fetch = (...request) => globalThis.fetch(...request), beforeStepUp } = options;
  const sendOnce = createSend(baseUrl, fetch);
  const stepUp = () => proveAgain(sendOnce);
  const send = repeatAfterStepUp(sendOnce, async () => {
    if (beforeStepUp && !(await beforeStepUp())) throw clientError('ceremony_cancelled');
    await stepUp();
  });

  return {
    async usernameAvailability(username, { signal } = {}) {
      const query = new URLSearchParams({ username });
      const answer = await send('GET', `/username/availability?${query}`, { signal });
      return expectParts<UsernameAvailability>(answer, 'username', 'available', 'reason');
    },

    async signUp({ username, displayName, label }) {
      const start = { username, displayName };
      const credential = await createPasskey(() => creationOptions(send, '/passkey/register/start', start));
      const answer = await send('POST', '/passkey/register/verify', { body: { credential, label } });
      return expectParts<SignedUp>(answer, 'user', 'passkey', 'session');
    },

    async signIn({ username } = {}) {
      const credential = await provePasskey(() => requestOptions(send, '/passkey/login/start', { username }));
      return finishSignIn(send, credential);
    },

    async signInWithAutofill({ signal } = {}) {
      const start = () => requestOptions(send, '/passkey/login/start', {}, signal);
      try {
        return await finishSignIn(send, await offerPasskeys(start, signal));
      } catch (error) {
        throw hasCode(error, 'aborted') ? clientError('ceremony_cancelled', { cause: error }) : error;
      }
    },

    stepUp,

    async session() {
      try {
        return expectParts<CurrentSession>(await send('GET', '/session'), 'user', 'session');
      } catch (error) {
        if (hasCode(error, 'not_authenticated')) return null;
        throw error;
      }
    },

    async signOut() {
      await send('DELETE', '/session');
    },

    passkeys: passkeysClient(send),
    sessions: sessionsClient(send),
  };
}

const passkeysClient = (send: Send): PasskeysClient => ({
  async list() {
    return unwrap(await send('GET', '/passkey/devices'), 'devices');
  },
  async add({ label } = {}) {
    const credential = await createPasskey(() => creationOptions(send, '/passkey/devices/add', {}));
    return unwrap(await send('POST', '/passkey/devices/add', { body: { credential, label } }), 'device');
  },
  async rename(id, label) {
    return unwrap(
      await send('PATCH', `/passkey/devices/${encodeURIComponent(id)}`, { body: { label } }),
      'device',
    );
  },
  async remove(id) {
    await send('DELETE', `/passkey/devices/${encodeURIComponent(id)}`);
  },
});

const sessionsClient = (send: Send): SessionsClient => ({
  async list() {
    return unwrap(await send('GET', '/sessions'), 'sessions');
  },
  async end(id) {
    await send('DELETE', `/sessions/${encodeURIComponent(id)}`);
  },
  async endOthers() {
    return unwrap(await send('DELETE', '/sessions'), 'ended');
  },
});

/** Wraps sending so that a refusal for want of fresh authentication becomes a step-up and one more try. */
function repeatAfterStepUp(sendOnce: Send, authenticate: () => Promise<void>): Send {
  // Calls refused at the same time share one prompt.
  let underWay: Promise<void> | null = null;
  return async (...request) => {
    try {
      return await sendOnce(...request);
    } catch (error) {
      if (!hasCode(error, 'reauthentication_required')) throw error;
      underWay ??= authenticate().finally(() => {
        underWay = null;
      });
      await underWay;
      return sendOnce(...request);
    }
  };
}

async function proveAgain(send: Send): Promise<Session> {
  const credential = await provePasskey(() => requestOptions(send, '/passkey/stepup/start', {}));
  return unwrap(await send('POST', '/passkey/stepup/verify', { body: { credential } }), 'session');
}

async function finishSignIn(send: Send, credential: AuthenticationResponseJSON): Promise<SignedIn> {
  const answer = await send('POST', '/passkey/login/verify', { body: { credential } });
  return expectParts<SignedIn>(answer, 'user', 'session');
}

const creationOptions = async (send: Send, path: string, body: object) =>
  unwrap<PublicKeyCredentialCreationOptionsJSON>(await send('POST', path, { body }), 'options');

const requestOptions = async (send: Send, path: string, body: object, signal?: AbortSignal) =>
  unwrap<PublicKeyCredentialRequestOptionsJSON>(await send('POST', path, { body, signal }), 'options');
