import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted, signalDetails } from './signals.ts';
import type { NewPasskey, Passkey } from './types.ts';
import { upgradeToPasskey } from './upgrade.ts';

/**
 * The passkeys of the signed-in user. After each change, the client tells the browser in the background which passkeys
 * and names are current (WebAuthn 5.1.10). A browser that supports this stops offering removed passkeys.
 */
export interface PasskeysClient {
  /** Lists the passkeys of the account, oldest first. Also works in a recovery session. */
  list(): Promise<Passkey[]>;
  /**
   * Adds a passkey to the account. Needs fresh authentication. In a recovery session, use `recovery.complete` instead.
   *
   * @param options.label 1 to 64 characters; default: the name of the passkey provider, of the device or of the kind of
   *   authenticator; `hasDefaultLabel` is then true
   * @param options.signal closes the prompt, and the call rejects with `ceremony_canceled`
   * @throws AuthClientError `passkey_exists` if the authenticator already has a passkey for the account |
   *   `ceremony_canceled` | …
   * @example
   * const passkey = await auth.passkeys.add({ label: 'Security key' });
   */
  add(options?: { label?: string | undefined; signal?: AbortSignal | undefined }): Promise<NewPasskey>;
  /**
   * Adds a passkey without a prompt right after a sign-in with a password, if the browser and its settings allow this
   * (WebAuthn 5.1.3, conditional mediation). Returns null if no passkey was added, and never rejects.
   *
   * By default, `signInWithPassword` adds the passkey itself. If the app navigates immediately after the sign-in, the
   * next page can call `upgrade`.
   */
  upgrade(): Promise<NewPasskey | null>;
  /**
   * Renames a passkey.
   *
   * @param label 1 to 64 characters
   * @throws AuthClientError `not_found` | `invalid_request`
   */
  rename(id: string, label: string): Promise<Passkey>;
  /**
   * Removes a passkey and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `not_found` | `last_credential` if the account has no other passkey and no password
   */
  remove(id: string): Promise<void>;
}

/** @param sendOnce sends a request and never runs a step-up; for `upgrade`, which must not open a prompt */
export const passkeysClient = (send: Send, sendOnce: Send): PasskeysClient => ({
  async list() {
    return unwrap(await send('GET', '/passkey/devices'), 'devices');
  },
  async add({ label, signal } = {}) {
    const start = (aborted: AbortSignal | undefined) => creationOptions(send, addPath, {}, aborted);
    const finish = (credential: object) => send('POST', addPath, { body: { credential, label } });
    const passkey = unwrap<NewPasskey>(await createPasskey(start, finish, signal), 'device');
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
