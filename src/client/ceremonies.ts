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
import { signalUnknown } from './signals.ts';

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

/** Sends a new passkey to the service. */
export type Finish<Answer> = (credential: RegistrationResponseJSON) => Promise<Answer>;

/** Creates a passkey with the options from `start` (WebAuthn 5.1.3), and sends it to the service. */
export const createPasskey = async <Answer>(
  start: Start<PublicKeyCredentialCreationOptionsJSON>,
  finish: Finish<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> => finishOrSignal(await runInDialog(start, (options) => create(options), signal), finish);

interface NewCredential {
  credential: RegistrationResponseJSON;
  rpId: string | undefined;
}

const create = async (
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
  useAutoRegister = false,
): Promise<NewCredential> => ({
  credential: await startRegistration({ optionsJSON, useAutoRegister }),
  rpId: optionsJSON.rp.id,
});

/**
 * If the service does not allow the authenticator, tells the browser, so that the browser does not keep offering the
 * passkey. After other errors, the service can have stored the passkey, for example if a response was lost.
 */
async function finishOrSignal<Answer>(
  { credential, rpId }: NewCredential,
  finish: Finish<Answer>,
): Promise<Answer> {
  try {
    return await finish(credential);
  } catch (error) {
    if (hasCode(error, 'authenticator_not_allowed')) signalUnknown(rpId, credential.id);
    throw error;
  }
}

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
 * Creates a passkey without a prompt, right after a sign-in with a password (WebAuthn 5.1.3, conditional mediation), and
 * sends it to the service. Returns null if the browser does not support this, if `start` returns null, or if another
 * ceremony has started.
 */
export async function createPasskeyConditionally<Answer>(
  start: Start<PublicKeyCredentialCreationOptionsJSON | null>,
  finish: Finish<Answer>,
): Promise<Answer | null> {
  if (passkeyObstacle()) return null;
  const turn = takeTurn('conditional-create');
  const capabilities = await publicKeyCredential().getClientCapabilities?.();
  if (!capabilities?.conditionalCreate) return null;
  const optionsJSON = await start(undefined);
  if (optionsJSON === null) return null;
  await autofillStarted();
  if (!turn.canContinue()) return null;
  return finishOrSignal(await turn.perform(() => create(optionsJSON, true)), finish);
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
