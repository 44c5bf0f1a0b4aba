import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted, signalDetails } from './signals.ts';
import type { Passkey } from './types.ts';
import { upgradeToPasskey } from './upgrade.ts';

/**
 * The passkeys of the signed-in user. Browsers that support it report each change to the authenticators in the
 * background, so that they no longer offer removed passkeys (WebAuthn 5.1.10).
 */
export interface PasskeysClient {
  /** Lists the passkeys of the account. Works in a recovery session. */
  list(): Promise<Passkey[]>;
  /**
   * Adds a passkey to the account. Needs fresh authentication. In a recovery session, use `recovery.complete`.
   *
   * @param options.label 1 to 64 characters; default: the provider's name
   * @param options.signal cancels the prompt: the call rejects with `ceremony_canceled`
   * @throws AuthClientError `passkey_exists` if this device or provider already has one for the account |
   *   `ceremony_canceled` | …
   * @example
   * const passkey = await auth.passkeys.add({ label: 'Security key' });
   */
  add(options?: { label?: string | undefined; signal?: AbortSignal | undefined }): Promise<Passkey>;
  /**
   * Adds a passkey without a prompt right after a sign-in with a password, if the browser and its settings allow it
   * (WebAuthn 5.1.3, conditional mediation). Returns null if no passkey was added, for every cause.
   *
   * `signInWithPassword` does this by default. Call it from the next page if the app
   * navigates immediately after the sign-in.
   */
  upgrade(): Promise<Passkey | null>;
  /**
   * Renames a passkey.
   *
   * @param label 1 to 64 characters
   * @throws AuthClientError `not_found` | `invalid_request`
   */
  rename(id: string, label: string): Promise<Passkey>;
  /**
   * Removes a passkey permanently and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` | `last_credential` if it is the only credential of the account
   */
  remove(id: string): Promise<void>;
}

/** @param sendOnce `send` without a step-up: a background upgrade must not open a prompt */
export const passkeysClient = (send: Send, sendOnce: Send): PasskeysClient => ({
  async list() {
    return unwrap(await send('GET', '/passkey/devices'), 'devices');
  },
  async add({ label, signal } = {}) {
    const start = (aborted: AbortSignal | undefined) => creationOptions(send, addPath, {}, aborted);
    const credential = await createPasskey(start, signal);
    const passkey = unwrap<Passkey>(await send('POST', addPath, { body: { credential, label } }), 'device');
    signalAccepted(send);
    return passkey;
  },
  upgrade: () => upgradeToPasskey(sendOnce),
  async rename(id, label) {
    const answer = await send('PATCH', of(id), { body: { label } });
    signalDetails(send);
    return unwrap(answer, 'device');
  },
  async remove(id) {
    await send('DELETE', of(id));
    signalAccepted(send);
  },
});

const of = (id: string) => `/passkey/devices/${encodeURIComponent(id)}`;
