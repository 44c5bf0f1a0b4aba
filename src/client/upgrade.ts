import { createPasskeyConditionally } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { Passkey } from './types.ts';

/**
 * Adds a passkey without a prompt. The user did not ask for the passkey, so the function returns null after every
 * failure and never rejects.
 */
export async function upgradeToPasskey(send: Send): Promise<Passkey | null> {
  try {
    const credential = await createPasskeyConditionally(() =>
      creationOptions(send, addPath, { conditional: true }),
    );
    if (!credential) return null;
    const passkey = unwrap<Passkey>(await send('POST', addPath, { body: { credential } }), 'device');
    signalAccepted(send);
    return passkey;
  } catch {
    return null;
  }
}
