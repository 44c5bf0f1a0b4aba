import { vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';

export interface Ceremony {
  kind: 'create' | 'get';
  options: {
    mediation?: string;
    signal?: AbortSignal;
    publicKey?: { challenge: ArrayBuffer; allowCredentials?: unknown[] };
  };
  /** Ends the ceremony with a credential. */
  succeed: () => void;
  fail: (name: string) => void;
}

const bytes = (...values: number[]) => Uint8Array.from(values).buffer;

const credentialOf = (kind: Ceremony['kind']) => ({
  id: 'AQID',
  rawId: bytes(1, 2, 3),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response:
    kind === 'create'
      ? { clientDataJSON: bytes(1), attestationObject: bytes(2), getTransports: () => ['internal'] }
      : { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle: bytes(4) },
});

/**
 * Replaces the browser's WebAuthn API.
 *
 * @param answering whether dialogs succeed immediately. If not, each ceremony waits until the test ends the ceremony or
 *   aborts the signal of the ceremony.
 * @param able optional methods of PublicKeyCredential
 */
export function fakeBrowser({ autofill = true, secure = true, answering = true, able = {} } = {}) {
  const ceremonies: Ceremony[] = [];

  const begin = (kind: Ceremony['kind']) => (options: Ceremony['options']) =>
    new Promise((resolve, reject) => {
      const fail = (name: string) => reject(Object.assign(new Error(name), { name }));
      const succeed = () => resolve(credentialOf(kind));
      options.signal?.addEventListener('abort', () => fail('AbortError'));
      ceremonies.push({ kind, options, succeed, fail });
      if (answering && options.mediation !== 'conditional') succeed();
    });

  vi.stubGlobal('isSecureContext', secure);
  const isConditionalMediationAvailable = () => Promise.resolve(autofill);
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable }, able),
  );
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  vi.stubGlobal('navigator', { credentials: { create: begin('create'), get: begin('get') } });
  return ceremonies;
}

/** Waits until the client starts the ceremony at this index, and returns the ceremony. */
export const ceremonyAt = (ceremonies: Ceremony[], index: number): Promise<Ceremony> =>
  untilPasses(() => {
    const ceremony = ceremonies[index];
    if (!ceremony) throw new Error(`ceremony ${index} has not started`);
    return ceremony;
  });
