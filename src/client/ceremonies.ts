import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { type ClientErrorCode, clientError } from './errors.ts';

/**
 * A browser runs one WebAuthn ceremony at a time, and a new one ends the one under way. Counting them lets an
 * autofill ceremony whose options arrive late see that a person has begun another meanwhile, and stand back.
 */
let ceremoniesBegun = 0;
/** Settles once the autofill ceremony under way has taken its place in the browser. */
let autofillBegun: Promise<unknown> = Promise.resolve();

/** Milliseconds; for options that do not say. */
const usualLifetime = 300_000;
const shareOfLifetime = 0.8;

/** Why this page cannot use passkeys, or null where it can: for showing it before a person tries. */
export function passkeyObstacle(): 'webauthn_unsupported' | 'insecure_context' | null {
  // Outside of a secure context browsers hide the whole API: the address is to blame, not the browser.
  if ((globalThis as { isSecureContext?: boolean }).isSecureContext === false) return 'insecure_context';
  return browserSupportsWebAuthn() ? null : 'webauthn_unsupported';
}

/** Whether the browser can offer passkeys in the suggestions of a username field. */
export const supportsPasskeyAutofill = async (): Promise<boolean> =>
  passkeyObstacle() === null && browserSupportsWebAuthnAutofill();

/** Makes a passkey with the options that `start` brings. */
export async function createPasskey(
  start: () => Promise<PublicKeyCredentialCreationOptionsJSON>,
): Promise<RegistrationResponseJSON> {
  beginCeremony();
  const optionsJSON = await start();
  await autofillBegun;
  return perform(() => startRegistration({ optionsJSON }));
}

/** Has a person prove that they hold a passkey, in the browser's own dialog. */
export async function provePasskey(
  start: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
): Promise<AuthenticationResponseJSON> {
  beginCeremony();
  const optionsJSON = await start();
  await autofillBegun;
  return perform(() => startAuthentication({ optionsJSON }));
}

/**
 * Offers passkeys in the suggestions of a field, and waits until one is picked (WebAuthn 5.1.4, conditional).
 *
 * A page may lie open for longer than its challenge lives: the offer is renewed before that.
 */
export async function offerPasskeys(
  start: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<AuthenticationResponseJSON> {
  const isLatest = beginCeremony();
  if (!(await browserSupportsWebAuthnAutofill())) throw clientError('webauthn_unsupported');
  const isWanted = () => !signal?.aborted && isLatest();
  const cancel = () => isLatest() && WebAuthnAbortService.cancelCeremony();
  signal?.addEventListener('abort', cancel);
  try {
    for (;;) {
      const optionsJSON = await start();
      if (!isWanted()) throw clientError('ceremony_cancelled');
      const picked = await offerOnce(optionsJSON, cancel);
      if (picked) return picked;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Gives null once the offer's time is up. */
async function offerOnce(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  cancel: () => void,
): Promise<AuthenticationResponseJSON | null> {
  let isStale = false;
  const renewal = setTimeout(
    () => {
      isStale = true;
      cancel();
    },
    (optionsJSON.timeout ?? usualLifetime) * shareOfLifetime,
  );
  try {
    return await perform(() => {
      const picked = startAuthentication({
        optionsJSON,
        useBrowserAutofill: true,
        verifyBrowserAutofillInput: false,
      });
      // The library asks the browser this same question before it begins; the answers come in order.
      autofillBegun = browserSupportsWebAuthnAutofill();
      return picked;
    });
  } catch (error) {
    if (isStale) return null;
    throw error;
  } finally {
    clearTimeout(renewal);
  }
}

/** @throws AuthClientError `webauthn_unsupported` | `insecure_context` */
function beginCeremony(): () => boolean {
  const obstacle = passkeyObstacle();
  if (obstacle) throw clientError(obstacle);
  ceremoniesBegun += 1;
  const mine = ceremoniesBegun;
  return () => mine === ceremoniesBegun;
}

async function perform<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (cause) {
    throw clientError(codeOf(cause), { cause });
  }
}

/** The library keeps the name of the browser's own exception (WebAuthn 5.1.3 and 5.1.4 list them). */
function codeOf(error: unknown): ClientErrorCode {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'ceremony_cancelled';
    case 'InvalidStateError':
      return 'passkey_exists';
    case 'SecurityError':
      return 'insecure_context';
    default:
      return 'ceremony_failed';
  }
}
