import { createPasskey } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted, signalDetails } from './signals.ts';
import type { Passkey } from './types.ts';
import { upgradeToPasskey } from './upgrade.ts';

/**
 * The passkeys of whoever is signed in. Where the browser can pass it on, the authenticators are told of every change
 * in the background, so that they offer none that is gone (WebAuthn 5.1.10).
 */
export interface PasskeysClient {
  list(): Promise<Passkey[]>;
  /**
   * Makes another passkey for the account. Needs fresh authentication. In a recovery session use `recovery.complete`.
   *
   * @param options.signal ends it until the prompt has been answered, with `ceremony_cancelled`
   * @throws AuthClientError `passkey_exists` where this device or provider holds one for the account already
   */
  add(options?: { label?: string | undefined; signal?: AbortSignal | undefined }): Promise<Passkey>;
  /**
   * Has the browser make a passkey by itself beside the password that was just used to sign in, if it can and its
   * owner allows it in general (WebAuthn 5.1.3, conditional mediation). Gives null where nothing came of it, whatever
   * the reason. `signInWithPassword` does so too; this is for a page that comes after it.
   */
  upgrade(): Promise<Passkey | null>;
  /** Gives a passkey a name of 1 to 64 characters. */
  rename(id: string, label: string): Promise<Passkey>;
  /**
   * Removes a passkey for good and ends all other sessions. Needs fresh authentication.
   *
   * @throws AuthClientError `last_credential` where it is the last way into the account
   */
  remove(id: string): Promise<void>;
}

/** @param sendOnce as `send`, but asks for no step-up: what was not asked for must not ask */
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
