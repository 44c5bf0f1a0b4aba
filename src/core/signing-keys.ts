import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** An Ed25519 public key as other services get it: RFC 7517 and RFC 8037. */
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

/** The Ed25519 key pairs that sign service tokens, one for each listed JWT_SECRET. */
export interface SigningKeys {
  /** The key of the first secret. */
  current(): SigningKey;
  /** The public keys of all listed secrets, the current one first. */
  published(): readonly PublicJwk[];
}

/**
 * Derives the key pairs on first use, once. Public keys are safe to publish: nothing leads from them to the secret or
 * to the keys that seal challenges, so a service that verifies tokens can forge neither.
 */
export function createSigningKeys(secrets: readonly [string, ...string[]]): SigningKeys {
  let derived: readonly [SigningKey, ...SigningKey[]] | undefined;

  function keys(): readonly [SigningKey, ...SigningKey[]] {
    if (derived) return derived;
    // A secret that is listed twice must not publish its key twice: verifiers refuse an ambiguous kid.
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

/** @param seed the 32 bytes that RFC 8032 calls the private key */
export function signingKeyFrom(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  // RFC 7638: the required members in alphabetical order, without white space.
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { privateKey, publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}
