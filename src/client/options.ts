import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type Send, unwrap } from './requests.ts';

/**
 * The path for adding a passkey. A request without `credential` starts the ceremony. A request with `credential`
 * finishes the ceremony.
 */
export const addPath = '/passkey/devices/add';

export const creationOptions = async (send: Send, path: string, body: object, signal?: AbortSignal) =>
  unwrap<PublicKeyCredentialCreationOptionsJSON>(await send('POST', path, { body, signal }), 'options');

export const requestOptions = async (send: Send, path: string, body: object, signal?: AbortSignal) =>
  unwrap<PublicKeyCredentialRequestOptionsJSON>(await send('POST', path, { body, signal }), 'options');
