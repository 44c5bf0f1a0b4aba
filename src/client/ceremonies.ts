import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { offerPlaced, takeTurn } from './ceremony-turns.ts';
import { clientError, hasCode } from './errors.ts';
import { publicKeyCredential } from './public-key-credential.ts';

/** Brings the options of a ceremony from the service. */
export type Start<Options> = (signal: AbortSignal | undefined) => Promise<Options>;

/** An assertion, and the site that it was made for. */
export interface Proof {
  credential: AuthenticationResponseJSON;
  rpId: string | undefined;
}

/** Why this page cannot use passkeys, or null where it can: for showing it before a person tries. */
export function passkeyObstacle(): 'webauthn_unsupported' | 'insecure_context' | null {
  // Outside of a secure context browsers hide the whole API: the address is to blame, not the browser.
  if ((globalThis as { isSecureContext?: boolean }).isSecureContext === false) return 'insecure_context';
  return browserSupportsWebAuthn() ? null : 'webauthn_unsupported';
}

/** @throws AuthClientError `webauthn_unsupported` | `insecure_context` */
export function assertUsable(): void {
  const obstacle = passkeyObstacle();
  if (obstacle) throw clientError(obstacle);
}

/** Makes a passkey with the options that `start` brings. */
export const createPasskey = (
  start: Start<PublicKeyCredentialCreationOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<RegistrationResponseJSON> =>
  inDialog(start, (optionsJSON) => startRegistration({ optionsJSON }), signal);

/** Has a person prove that they hold a passkey, in the browser's own dialog. */
export const provePasskey = (
  start: Start<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<Proof> =>
  inDialog(
    start,
    async (optionsJSON) => ({
      credential: await startAuthentication({ optionsJSON }),
      rpId: optionsJSON.rpId,
    }),
    signal,
  );

/**
 * Makes a passkey that no person has to answer for, beside the password that has just been used (WebAuthn 5.1.3,
 * conditional mediation). Gives null where the browser cannot, or a person has asked for something meanwhile.
 */
export async function createPasskeyQuietly(
  start: Start<PublicKeyCredentialCreationOptionsJSON>,
): Promise<RegistrationResponseJSON | null> {
  if (passkeyObstacle()) return null;
  const turn = takeTurn('quiet');
  const capabilities = await publicKeyCredential().getClientCapabilities?.();
  if (!capabilities?.conditionalCreate) return null;
  const optionsJSON = await start(undefined);
  await offerPlaced();
  if (!turn.mayGoOn()) return null;
  return turn.perform(() => startRegistration({ optionsJSON, useAutoRegister: true }));
}

async function inDialog<Options, Response>(
  start: Start<Options>,
  run: (options: Options) => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  assertUsable();
  const turn = takeTurn('dialog');
  signal?.addEventListener('abort', turn.end);
  try {
    const options = await start(signal);
    await offerPlaced();
    if (signal?.aborted) throw clientError('ceremony_cancelled', { cause: signal.reason });
    return await turn.perform(() => run(options));
  } catch (error) {
    throw asCancelled(error);
  } finally {
    signal?.removeEventListener('abort', turn.end);
    turn.leave();
  }
}

/** Whether it was aborted before the browser had anything to do, or after, is all one to who has aborted it. */
export const asCancelled = (error: unknown): unknown =>
  hasCode(error, 'aborted') ? clientError('ceremony_cancelled', { cause: error }) : error;
