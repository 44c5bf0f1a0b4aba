import { createPasskeyConditionally } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { Account, NewPasskey } from './types.ts';

/**
 * Adds the first passkey of the account without a prompt. The user did not ask for the passkey, so the function returns
 * null after every failure and never rejects. If the account has a passkey, a session that was opened with the password
 * cannot add another one.
 */
export async function upgradeToPasskey(send: Send): Promise<NewPasskey | null> {
  try {
    const answer = await createPasskeyConditionally(
      async () => {
        const { passkeyCount } = unwrap<Account>(await send('GET', '/session'), 'user');
        return passkeyCount > 0 ? null : creationOptions(send, addPath, { conditional: true });
      },
      (credential) => send('POST', addPath, { body: { credential } }),
    );
    if (answer === null) return null;
    const passkey = unwrap<NewPasskey>(answer, 'device');
    signalAccepted(send);
    return passkey;
  } catch {
    return null;
  }
}
