import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey, type KeyPurpose } from './derive-key.ts';

/**
 * What a symmetric key is for. A token that is sealed for one purpose cannot be opened with the key of another purpose.
 */
export type SealingPurpose = Exclude<KeyPurpose, 'service_token'>;

/** Seals tokens and computes keyed digests, with keys derived from JWT_SECRET. */
export interface Sealer {
  /** Encrypts and authenticates a JSON value. Returns base64url. */
  seal(purpose: SealingPurpose, value: unknown): string;
  /** Decrypts a token. Returns the value and the nonce (128 random bits, base64url), or null for an invalid token. */
  open(purpose: SealingPurpose, token: string): { value: unknown; nonce: string } | null;
  /**
   * Returns HMAC-SHA-256 of the text under each secret, in the order of the secrets. Store the first digest. Search for
   * all digests, so that the search also finds a text that was stored before a rotation of JWT_SECRET.
   */
  digests(purpose: SealingPurpose, text: string): readonly [Buffer, ...Buffer[]];
  /** Returns an id for each key that `digests` uses, in the same order. The ids reveal nothing about the keys. */
  keyIds(purpose: SealingPurpose): readonly [string, ...string[]];
}

const nonceBytes = 16;
const tagBytes = 16;
// A constant IV is safe because each key encrypts only one message.
const constantIv = Buffer.alloc(12);

/**
 * Creates the sealer. The first secret seals tokens. Every secret opens tokens, so that JWT_SECRET can be rotated.
 *
 * A token is nonce | AES-256-GCM ciphertext | tag. The key of a token is the HMAC of the nonce under the purpose's key.
 * Each token has its own key, so the number of tokens under one secret is not limited.
 */
export function createSealer(secrets: readonly [string, ...string[]]): Sealer {
  const derived = new Map<SealingPurpose, Keys>();

  /** Returns the keys of a purpose, in the order of the secrets. */
  function keysFor(purpose: SealingPurpose): Keys {
    const known = derived.get(purpose);
    if (known) return known;
    const derive = (secret: string) => deriveKey(secret, purpose);
    const [first, ...others] = secrets;
    const keys: Keys = [derive(first), ...others.map(derive)];
    derived.set(purpose, keys);
    return keys;
  }

  return {
    seal(purpose, value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyed(keysFor(purpose)[0], nonce), constantIv);
      const sealed = cipher.update(JSON.stringify(value), 'utf8');
      return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },

    open(purpose, token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= nonceBytes + tagBytes) return null;
      // The decoder ignores spare bits and invalid characters, so different texts can decode to the same bytes. This
      // check accepts only the canonical text.
      if (bytes.toString('base64url') !== token) return null;
      const nonce = bytes.subarray(0, nonceBytes);
      for (const key of keysFor(purpose)) {
        const value = decrypt(keyed(key, nonce), bytes);
        if (value !== undefined) return { value, nonce: nonce.toString('base64url') };
      }
      return null;
    },

    digests(purpose, text) {
      const [first, ...others] = keysFor(purpose);
      return [keyed(first, text), ...others.map((key) => keyed(key, text))];
    },

    keyIds(purpose) {
      const [first, ...others] = keysFor(purpose);
      return [keyIdOf(first), ...others.map(keyIdOf)];
    },
  };
}

type Keys = readonly [Buffer, ...Buffer[]];

const keyed = (key: Buffer, of: string | Buffer) => createHmac('sha256', key).update(of).digest();

const keyIdOf = (key: Buffer) => keyed(key, 'key id').toString('base64url').slice(0, 8);

function decrypt(key: Buffer, token: Buffer): unknown {
  const decipher = createDecipheriv('aes-256-gcm', key, constantIv);
  decipher.setAuthTag(token.subarray(-tagBytes));
  try {
    const sealed = token.subarray(nonceBytes, -tagBytes);
    return JSON.parse(decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8'));
  } catch {
    return undefined;
  }
}
