import { randomUUID } from 'node:crypto';
import type { SignedInActor } from '../core/actor.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Impersonator, SessionMethod } from '../core/session.ts';
import { lowestRole } from '../core/user.ts';
import { type UserRow, userFromRow } from '../users/store.ts';
import { isPrivileged } from './rules.ts';
import { type SessionRow, sessionFromRow } from './store/session-row.ts';
import { selectLiveSessionAndUser } from './store.ts';

/** A short-lived JWT with which the user can call another service. */
export interface ServiceToken {
  token: string;
  /** RFC 3339. */
  expiresAt: string;
}

export interface ServiceTokenRequest {
  /** One of the configured audiences. Default: the first. */
  audience?: string | undefined;
}

const lifetimeSeconds = 5 * 60;

/**
 * The values of RFC 8176 for each method. A passkey proves two factors: possession (`pop`) and verification of the
 * user.
 */
const methodReferences: Record<SessionMethod, string[]> = {
  passkey: ['pop', 'user', 'mfa'],
  password: ['pwd'],
  recovery_code: ['otp'],
  assisted_recovery: ['otp'],
  // The user did not authenticate. The claim `act` names the impersonator.
  impersonation: [],
};

/**
 * Issues a JWT (RFC 7519) for another service. The other service verifies the JWT with the published public keys. This
 * service does not accept the JWT as a session.
 *
 * The header contains `alg: EdDSA`, `typ: JWT` and the `kid` of the key. The payload contains:
 *
 * - `iss`: the first configured origin
 * - `aud`: the service that the token is for
 * - `sub`, `sid`: the user's id and the session's id
 * - `role`: the user's role; always `user` if the session is not privileged. So a password gives no higher
 *   rights in other services.
 * - `amr`: how the user last authenticated (RFC 8176); empty in an impersonated session
 * - `auth_time`: when the user last authenticated, in seconds since 1970; in an impersonated session: when the session
 *   was opened
 * - `act`: only in an impersonated session: the impersonator (RFC 8693, section 4.1). Its `sub` is the id of the
 *   superadmin, or `operator:` and the name of the operator
 * - `iat`: when the token was issued, in seconds since 1970
 * - `exp`: when the token expires (five minutes after `iat`), in seconds since 1970
 * - `jti`: a unique id of the token
 *
 * Reads the session and the user from the database again, because time has passed since the request was admitted. The
 * token stays valid until it expires, even if the session ends or the user's role changes.
 *
 * @throws AuthError `invalid_request` if the audience is not configured
 * @throws AuthError `not_authenticated` if the session has ended or the account is disabled
 */
export async function issueServiceToken(
  { config, clock, db, signingKeys }: Runtime,
  actor: SignedInActor,
  { audience = config.tokenAudiences[0] }: ServiceTokenRequest = {},
): Promise<ServiceToken> {
  if (!config.tokenAudiences.includes(audience)) throw unknownAudience(config.tokenAudiences);
  const [row] = await db.query<SessionRow & UserRow & { has_unused_passkey: boolean }>(
    selectLiveSessionAndUser(actor.session.id),
  );
  if (!row) throw new AuthError('not_authenticated');
  const user = userFromRow(row);
  const session = sessionFromRow(row, row.session_id);
  const { method } = session;
  const privileged = isPrivileged(config, { method, hasUnusedPasskey: row.has_unused_passkey });
  const { privateKey, publicJwk } = signingKeys.current();
  const issuedAt = Math.floor(clock().getTime() / second);
  const expiresAt = issuedAt + lifetimeSeconds;
  // Loads jose on first use, because few services issue tokens, and loading jose takes time.
  const { SignJWT } = await import('jose');
  const token = await new SignJWT({
    sid: session.id,
    role: privileged ? user.role : lowestRole,
    amr: methodReferences[method],
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / second),
    ...(session.impersonator && { act: { sub: subjectOf(session.impersonator) } }),
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

/** The id of a user is a UUID, so no user has the subject of an operator. */
const subjectOf = ({ id, name }: Impersonator): string => id ?? `operator:${name}`;

function unknownAudience(allowed: readonly string[]): AuthError {
  const message = `expected one of ${allowed.map((name) => JSON.stringify(name)).join(', ')}`;
  return new AuthError('invalid_request', { errors: [{ path: 'audience', message }] });
}
