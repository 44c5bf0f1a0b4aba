import { offerPasskeys } from './autofill.ts';
import { type Proof, provePasskey } from './ceremonies.ts';
import { AuthClientError, hasCode } from './errors.ts';
import { requestOptions } from './options.ts';
import { expectParts, type Send } from './requests.ts';
import { signalUnknown } from './signals.ts';
import type { SignedIn } from './types.ts';

interface SignInGiven {
  username?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface PasskeySignIn {
  signIn(given?: SignInGiven): Promise<SignedIn>;
  signInWithAutofill(given?: { signal?: AbortSignal | undefined }): Promise<SignedIn>;
}

export function passkeySignIn(send: Send): PasskeySignIn {
  const start = (given: { username?: string | undefined }) => (signal: AbortSignal | undefined) =>
    requestOptions(send, '/passkey/login/start', given, signal);
  const signIn = async ({ username, signal }: SignInGiven) =>
    finish(send, await provePasskey(start({ username }), signal));
  return {
    signIn: latestCallWins(signIn),
    async signInWithAutofill({ signal } = {}) {
      return finish(send, await offerPasskeys(start({}), signal));
    },
  };
}

async function finish(send: Send, { credential, rpId }: Proof): Promise<SignedIn> {
  try {
    const answer = await send('POST', '/passkey/login/verify', { body: { credential } });
    return expectParts<SignedIn>(answer, 'user', 'session');
  } catch (error) {
    if (error instanceof AuthClientError && error.reason === 'unknown_credential')
      signalUnknown(rpId, credential.id);
    throw error;
  }
}

/**
 * Handles a double click. The dialog of the second call replaces the dialog of the first call. Both calls then have the
 * outcome of the second call. Without this function, the page would report a closed prompt while the new prompt is
 * open.
 */
function latestCallWins(run: (given: SignInGiven) => Promise<SignedIn>): PasskeySignIn['signIn'] {
  let latest: { username: string | undefined; outcome: Promise<SignedIn>; replace(): void } | null = null;
  return ({ username, signal } = {}) => {
    latest?.replace();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    const outcome = run({ username, signal: controller.signal })
      .finally(() => signal?.removeEventListener('abort', abort))
      .catch((error: unknown) => {
        const isReplaced = latest !== current && latest?.username === username && !signal?.aborted;
        if (isReplaced && latest && hasCode(error, 'ceremony_canceled')) return latest.outcome;
        throw error;
      });
    const current = { username, outcome, replace: () => controller.abort() };
    latest = current;
    return outcome;
  };
}
