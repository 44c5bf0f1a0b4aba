import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { createPasskey } from './ceremonies.ts';
import { type Send, unwrap } from './requests.ts';
import type { Passkey } from './types.ts';

/** The passkeys of whoever is signed in. */
export interface PasskeysClient {
  list(): Promise<Passkey[]>;
  /**
   * Makes another passkey for the account. Needs fresh authentication. In a recovery session it completes the
   * recovery: the session is a full one from then on, and every other session of the account has ended.
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

export const passkeysClient = (send: Send): PasskeysClient => ({
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

export const creationOptions = async (send: Send, path: string, body: object) =>
  unwrap<PublicKeyCredentialCreationOptionsJSON>(await send('POST', path, { body }), 'options');

export const requestOptions = async (send: Send, path: string, body: object, signal?: AbortSignal) =>
  unwrap<PublicKeyCredentialRequestOptionsJSON>(await send('POST', path, { body, signal }), 'options');
