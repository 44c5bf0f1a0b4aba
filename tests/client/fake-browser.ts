import { vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';

export interface Ceremony {
  kind: 'create' | 'get';
  options: {
    mediation?: string;
    signal?: AbortSignal;
    publicKey?: { challenge: ArrayBuffer; allowCredentials?: unknown[] };
  };
  /** Resolves with a credential. */
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
 * Replaces the browser's WebAuthn API. Ceremonies wait until the test or their signal ends them.
 *
 * @param able additional methods of PublicKeyCredential that not every browser has
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

/** Resolves with the ceremony at this index when the client starts it. */
export const ceremonyAt = (ceremonies: Ceremony[], index: number): Promise<Ceremony> =>
  untilPasses(() => {
    const ceremony = ceremonies[index];
    if (!ceremony) throw new Error(`ceremony ${index} has not started`);
    return ceremony;
  });
