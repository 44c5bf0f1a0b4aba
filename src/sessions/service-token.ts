import { randomUUID } from 'node:crypto';
import type { SignedInActor } from '../core/actor.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { SessionMethod } from '../core/session.ts';
import { type UserRow, userFromRow } from '../users/store.ts';
import { type SessionRow, selectLiveSessionAndUser, sessionFromRow } from './store.ts';

/** A short-lived JWT for one of the user's other services. */
export interface ServiceToken {
  token: string;
  /** RFC 3339. */
  expiresAt: string;
}

export interface ServiceTokenRequest {
  /** One of the configured audiences; absent: the first of them. */
  audience?: string | undefined;
}

const lifetimeSeconds = 5 * 60;

/** How the user signed in, as RFC 8176 calls it. A passkey is possession plus user verification: two factors. */
const methodReferences: Record<SessionMethod, string[]> = {
  passkey: ['pop', 'user', 'mfa'],
  password: ['pwd'],
  recovery_code: ['otp'],
  assisted_recovery: ['otp'],
};

/**
 * Issues a JWT (RFC 7519) that one other service verifies with the published public keys, without asking this one.
 *
 * The header is `alg: EdDSA`, `typ: JWT` and the `kid` of the key. The claims:
 *
 * - `iss`: the first configured origin; `aud`: the one service the token is for
 * - `sub`: the user's id; `sid`: the session's id; `role`: the user's role
 * - `amr`: how the user last authenticated (RFC 8176); `auth_time`: when, in seconds since the epoch
 * - `iat`, `exp`: issued at, and five minutes later; `jti`: a unique id of the token
 *
 * Session, role and status are read now, from their rows, and not taken from the actor: the actor was read before the
 * request's body arrived. A token outlives its session or role by five minutes at most. This service accepts none.
 *
 * @throws AuthError `invalid_request` for another audience
 * @throws AuthError `not_authenticated` where the session has ended or the account is disabled
 */
export async function issueServiceToken(
  { config, clock, db, signingKeys }: Runtime,
  actor: SignedInActor,
  { audience = config.tokenAudiences[0] }: ServiceTokenRequest = {},
): Promise<ServiceToken> {
  if (!config.tokenAudiences.includes(audience)) throw unknownAudience(config.tokenAudiences);
  const [row] = await db.query<SessionRow & UserRow>(selectLiveSessionAndUser(actor.session.id));
  if (!row) throw new AuthError('not_authenticated');
  const user = userFromRow(row);
  const session = sessionFromRow(row, row.session_id);
  const { privateKey, publicJwk } = signingKeys.current();
  const issuedAt = Math.floor(clock().getTime() / second);
  const expiresAt = issuedAt + lifetimeSeconds;
  // Loaded on first use: few services need it, and it would slow down every start.
  const { SignJWT } = await import('jose');
  const token = await new SignJWT({
    sid: session.id,
    role: user.role,
    amr: methodReferences[session.method],
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / second),
  })
    .setProtectedHeader({ alg: publicJwk.alg, typ: 'JWT', kid: publicJwk.kid })
    .setIssuer(config.origins[0])
    .setAudience(audience)
    .setSubject(user.id)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresAt: new Date(expiresAt * second).toISOString() };
}

function unknownAudience(allowed: readonly string[]): AuthError {
  const message = `expected one of ${allowed.map((name) => JSON.stringify(name)).join(', ')}`;
  return new AuthError('invalid_request', { errors: [{ path: 'audience', message }] });
}
