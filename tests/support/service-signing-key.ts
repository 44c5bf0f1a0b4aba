import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';

/** The key pair that signs service tokens. */
export interface ServiceSigningKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  x: string;
  kid: string;
}

/** Derives the key pair from the secret, as the documentation describes. */
export function serviceSigningKeyOf(secret: string): ServiceSigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'latchkey', 'latchkey/service_token/v1', 32));
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const required = `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`;
  return { privateKey, publicKey, x, kid: createHash('sha256').update(required).digest('base64url') };
}

/** Signs a token as the service does. The given claims and header parameters replace the usual values. */
export function signServiceToken(
  secret: string,
  claims: JWTPayload = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey, kid } = serviceSigningKeyOf(secret);
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: 'http://localhost:3000',
    aud: 'orders',
    sub: '0198a0c0-0000-7000-8000-000000000001',
    sid: '0198a0c0-0000-7000-8000-000000000002',
    role: 'user',
    amr: ['pop', 'user', 'mfa'],
    auth_time: now - 10,
    iat: now,
    exp: now + 300,
    jti: '0198a0c0-0000-7000-8000-000000000003',
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid, ...header })
    .sign(privateKey);
}
