import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { autofillStarted, takeTurn } from './ceremony-turns.ts';
import { clientError, hasCode } from './errors.ts';
import { publicKeyCredential } from './public-key-credential.ts';

/** Fetches the options of a ceremony from the service. */
export type Start<Options> = (signal: AbortSignal | undefined) => Promise<Options>;

/** The browser's response, which proves that the user has the passkey, and the relying party ID of the passkey. */
export interface Proof {
  credential: AuthenticationResponseJSON;
  rpId: string | undefined;
}

/**
 * Returns why this page cannot use passkeys, or null if the page can use them. A page can call this to explain the
 * problem before the user tries to sign in.
 *
 * @example
 * if (passkeyObstacle() === 'insecure_context') showNotice('Open this page over https to use passkeys.');
 */
export function passkeyObstacle(): 'webauthn_unsupported' | 'insecure_context' | null {
  // In an insecure context, browsers hide the WebAuthn API. So the check below would report `webauthn_unsupported`.
  if ((globalThis as { isSecureContext?: boolean }).isSecureContext === false) return 'insecure_context';
  return browserSupportsWebAuthn() ? null : 'webauthn_unsupported';
}

/** @throws AuthClientError `webauthn_unsupported` | `insecure_context` */
export function assertUsable(): void {
  const obstacle = passkeyObstacle();
  if (obstacle) throw clientError(obstacle);
}

/** Creates a passkey with the options from `start` (WebAuthn 5.1.3). */
export const createPasskey = (
  start: Start<PublicKeyCredentialCreationOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<RegistrationResponseJSON> =>
  runInDialog(start, (optionsJSON) => startRegistration({ optionsJSON }), signal);

/** Asks the user for a passkey in the browser's dialog (WebAuthn 5.1.4). */
export const provePasskey = (
  start: Start<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<Proof> =>
  runInDialog(
    start,
    async (optionsJSON) => ({
      credential: await startAuthentication({ optionsJSON }),
      rpId: optionsJSON.rpId,
    }),
    signal,
  );

/**
 * Creates a passkey without a prompt, right after a sign-in with a password (WebAuthn 5.1.3, conditional mediation).
 * Returns null if the browser does not support this, if `start` returns null, or if another ceremony has started.
 */
export async function createPasskeyConditionally(
  start: Start<PublicKeyCredentialCreationOptionsJSON | null>,
): Promise<RegistrationResponseJSON | null> {
  if (passkeyObstacle()) return null;
  const turn = takeTurn('conditional-create');
  const capabilities = await publicKeyCredential().getClientCapabilities?.();
  if (!capabilities?.conditionalCreate) return null;
  const optionsJSON = await start(undefined);
  if (optionsJSON === null) return null;
  await autofillStarted();
  if (!turn.canContinue()) return null;
  return turn.perform(() => startRegistration({ optionsJSON, useAutoRegister: true }));
}

async function runInDialog<Options, Response>(
  start: Start<Options>,
  run: (options: Options) => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  assertUsable();
  const turn = takeTurn('dialog');
  signal?.addEventListener('abort', turn.end);
  try {
    const options = await start(signal);
    await autofillStarted();
    if (signal?.aborted) throw clientError('ceremony_canceled', { cause: signal.reason });
    return await turn.perform(() => run(options));
  } catch (error) {
    throw asCanceled(error);
  } finally {
    signal?.removeEventListener('abort', turn.end);
    turn.release();
  }
}

/** Gives an abort during the request for the options the same code as an abort during the prompt. */
export const asCanceled = (error: unknown): unknown =>
  hasCode(error, 'aborted') ? clientError('ceremony_canceled', { cause: error }) : error;
