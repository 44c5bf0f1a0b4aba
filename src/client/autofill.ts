import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { asCanceled, assertUsable, type Proof, passkeyObstacle, type Start } from './ceremonies.ts';
import { noteAutofillStart, type Turn, takeTurn } from './ceremony-turns.ts';
import { clientError } from './errors.ts';

/** How long a challenge counts as valid if the options have no `timeout`. */
const defaultLifetimeMs = 300_000;
/** A challenge is replaced after this share of its lifetime. */
const shareOfLifetime = 0.8;

/**
 * Whether the browser can offer passkeys in the autofill suggestions of a username field (WebAuthn 5.1.4, conditional
 * mediation).
 *
 * @example
 * if (await supportsPasskeyAutofill()) await auth.signInWithAutofill({ signal });
 */
export const supportsPasskeyAutofill = async (): Promise<boolean> =>
  passkeyObstacle() === null && browserSupportsWebAuthnAutofill();

/**
 * Offers passkeys in the autofill suggestions of a field and waits until the user selects one (WebAuthn 5.1.4,
 * conditional mediation). A page can stay open longer than a challenge is valid. So the function fetches a new
 * challenge before the old challenge expires.
 */
export async function offerPasskeys(
  start: Start<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal | undefined,
): Promise<Proof> {
  assertUsable();
  const turn = takeTurn('autofill');
  signal?.addEventListener('abort', turn.end);
  try {
    if (!(await browserSupportsWebAuthnAutofill())) throw clientError('webauthn_unsupported');
    for (;;) {
      const optionsJSON = await start(signal);
      if (signal?.aborted || !turn.canContinue()) throw clientError('ceremony_canceled');
      const credential = await offerUntilStale(optionsJSON, turn, signal);
      if (credential) return { credential, rpId: optionsJSON.rpId };
    }
  } catch (error) {
    throw asCanceled(error);
  } finally {
    signal?.removeEventListener('abort', turn.end);
    turn.release();
  }
}

/** Returns null if the user selects no passkey before the challenge must be replaced. */
async function offerUntilStale(
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
    (optionsJSON.timeout ?? defaultLifetimeMs) * shareOfLifetime,
  );
  try {
    return await turn.perform(() => {
      const picked = startAuthentication({
        optionsJSON,
        useBrowserAutofill: true,
        verifyBrowserAutofillInput: false,
      });
      // `startAuthentication` calls `browserSupportsWebAuthnAutofill` and then starts the ceremony. Before the ceremony
      // starts, `turn.end` has no effect. So if the signal aborts early, `turn.end` must be called again after the
      // start. The callback below runs after the start.
      noteAutofillStart(browserSupportsWebAuthnAutofill().then(() => signal?.aborted && turn.end()));
      return picked;
    });
  } catch (error) {
    if (isStale) return null;
    throw error;
  } finally {
    clearTimeout(renewal);
  }
}
