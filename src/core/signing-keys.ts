import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** An Ed25519 public key as a JWK (RFC 7517, RFC 8037). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  /** The key's RFC 7638 thumbprint. */
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKey {
  privateKey: KeyObject;
  publicJwk: PublicJwk;
}

/** The Ed25519 key pairs for service tokens: one for each secret in JWT_SECRET. */
export interface SigningKeys {
  /** Returns the key pair of the first secret. This key pair signs service tokens. */
  current(): SigningKey;
  /** Returns the public keys of all secrets, the current key first. */
  published(): readonly PublicJwk[];
}

/**
 * Derives the key pairs from the secrets, once, on first use. A public key reveals neither the secret nor the keys that
 * seal challenges. Other services have only public keys, so they can forge neither service tokens nor challenges.
 */
export function createSigningKeys(secrets: readonly [string, ...string[]]): SigningKeys {
  let derived: readonly [SigningKey, ...SigningKey[]] | undefined;

  function keys(): readonly [SigningKey, ...SigningKey[]] {
    if (derived) return derived;
    // A `Set`, because verifiers reject a key set with two keys of the same `kid`.
    const [first = secrets[0], ...others] = new Set(secrets);
    const derive = (secret: string) => signingKeyFrom(deriveKey(secret, 'service_token'));
    derived = [derive(first), ...others.map(derive)];
    return derived;
  }

  return {
    current: () => keys()[0],
    published: () => keys().map(({ publicJwk }) => publicJwk),
  };
}

// The PKCS#8 structure around a 32-byte Ed25519 seed (RFC 8410, section 7).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed the 32-byte private key of RFC 8032 */
export function signingKeyFrom(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  // RFC 7638, section 3.2: the required members in alphabetical order, without white space.
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { privateKey, publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}
