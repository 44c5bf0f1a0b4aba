import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey, type KeyPurpose } from './derive-key.ts';

/** The purposes of symmetric keys. Each has its own key, so a token sealed for one cannot be opened for another. */
export type SealingPurpose = Exclude<KeyPurpose, 'service_token'>;

/** Sealed tokens and keyed digests under JWT_SECRET, one derived key per purpose. */
export interface Sealer {
  /** Encrypts and authenticates a JSON value; the result is base64url. */
  seal(purpose: SealingPurpose, value: unknown): string;
  /** What was sealed and the token's nonce (128 random bits, base64url), or null where it is not ours. */
  open(purpose: SealingPurpose, token: string): { value: unknown; nonce: string } | null;
  /** Keyed digests under every listed secret, the first one's first: to be stored by the first, found by any. */
  digests(purpose: SealingPurpose, text: string): readonly [Buffer, ...Buffer[]];
  /** Names for the keys of those digests, in the same order; they say nothing of the keys. */
  keyIds(purpose: SealingPurpose): readonly [string, ...string[]];
  /** A keyed digest under the oldest listed secret, so that it outlives a rotation. */
  stableDigest(purpose: SealingPurpose, text: string): Buffer;
}

const nonceBytes = 16;
const tagBytes = 16;
// The key is used for one message only, so a constant IV repeats under no key.
const constantIv = Buffer.alloc(12);

/**
 * Builds the sealer. The first secret seals; every listed one opens, which is how JWT_SECRET rotates.
 *
 * A token is nonce | AES-256-GCM ciphertext | tag, under a key that HMAC derives from the purpose's key and
 * the nonce: with a fresh key a message there is no limit on how many tokens one secret may seal.
 */
export function createSealer(secrets: readonly [string, ...string[]]): Sealer {
  const derived = new Map<SealingPurpose, Keys>();

  /** In the order of the secrets. */
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
      // base64url has several spellings of the same bytes; only the one we made is ours.
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

    stableDigest: (purpose, text) => keyed(keysFor(purpose).at(-1) as Buffer, text),
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
