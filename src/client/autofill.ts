import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { asCancelled, assertUsable, type Proof, passkeyObstacle, type Start } from './ceremonies.ts';
import { noteOffer, type Turn, takeTurn } from './ceremony-turns.ts';
import { clientError } from './errors.ts';

/** Milliseconds; for options that do not say. */
const usualLifetime = 300_000;
const shareOfLifetime = 0.8;

/** Whether the browser can offer passkeys in the suggestions of a username field. */
export const supportsPasskeyAutofill = async (): Promise<boolean> =>
  passkeyObstacle() === null && browserSupportsWebAuthnAutofill();

/**
 * Offers passkeys in the suggestions of a field, and waits until one is picked (WebAuthn 5.1.4, conditional).
 *
 * A page may lie open for longer than its challenge lives: the offer is renewed before that.
 */
export async function offerPasskeys(
  start: Start<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<Proof> {
  assertUsable();
  const turn = takeTurn('offer');
  signal?.addEventListener('abort', turn.end);
  try {
    if (!(await browserSupportsWebAuthnAutofill())) throw clientError('webauthn_unsupported');
    for (;;) {
      const optionsJSON = await start(signal);
      if (signal?.aborted || !turn.mayGoOn()) throw clientError('ceremony_cancelled');
      const credential = await offerOnce(optionsJSON, turn, signal);
      if (credential) return { credential, rpId: optionsJSON.rpId };
    }
  } catch (error) {
    throw asCancelled(error);
  } finally {
    signal?.removeEventListener('abort', turn.end);
    turn.leave();
  }
}

/** Gives null once the offer's time is up. */
async function offerOnce(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  turn: Turn,
  signal: AbortSignal | undefined,
): Promise<Proof['credential'] | null> {
  let isStale = false;
  const renewal = setTimeout(
    () => {
      isStale = true;
      turn.end();
    },
    (optionsJSON.timeout ?? usualLifetime) * shareOfLifetime,
  );
  try {
    return await turn.perform(() => {
      const picked = startAuthentication({
        optionsJSON,
        useBrowserAutofill: true,
        verifyBrowserAutofillInput: false,
      });
      // The library asks the browser this same question before it begins; the answers come in order. What has been
      // aborted meanwhile can be ended only now.
      noteOffer(browserSupportsWebAuthnAutofill().then(() => signal?.aborted && turn.end()));
      return picked;
    });
  } catch (error) {
    if (isStale) return null;
    throw error;
  } finally {
    clearTimeout(renewal);
  }
}
