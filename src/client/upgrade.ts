import { createPasskeyQuietly } from './ceremonies.ts';
import { addPath, creationOptions } from './options.ts';
import { type Send, unwrap } from './requests.ts';
import { signalAccepted } from './signals.ts';
import type { Passkey } from './types.ts';

/**
 * Adds a passkey that the browser makes by itself. Nobody has asked for it: where nothing comes of it, the browser
 * lacking it, its owner's settings against it or the service unreachable, that is nobody's error.
 */
export async function upgradeToPasskey(send: Send): Promise<Passkey | null> {
  try {
    const credential = await createPasskeyQuietly(() =>
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
