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

/** Signing in with a passkey, in a dialog and by a field's suggestions. */
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
    signIn: handingOver(signIn),
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
 * Two quick clicks are two calls. The later takes the dialog over, and the earlier ends as it does, rather than tell
 * a person that a prompt was closed which is open.
 */
function handingOver(run: (given: SignInGiven) => Promise<SignedIn>): PasskeySignIn['signIn'] {
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
        const isReplaced = latest !== mine && latest?.username === username && !signal?.aborted;
        if (isReplaced && latest && hasCode(error, 'ceremony_cancelled')) return latest.outcome;
        throw error;
      });
    const mine = { username, outcome, replace: () => controller.abort() };
    latest = mine;
    return outcome;
  };
}
