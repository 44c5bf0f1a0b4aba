import type { SignedInActor } from '../core/actor.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { SessionMethod } from './session.ts';
import { selectLiveSession } from './store.ts';

/** A short-lived JWT for the caller's other services. */
export interface ServiceToken {
  token: string;
  /** RFC 3339. */
  expiresAt: string;
}

const lifetimeSeconds = 5 * 60;

/** How the person proved who they are, in the words of RFC 8176. A passkey is held and unlocked: two factors. */
const methodReferences: Record<SessionMethod, string[]> = {
  passkey: ['pop', 'user', 'mfa'],
  password: ['pwd'],
  recovery_code: ['otp'],
  assisted_recovery: ['otp'],
};

/**
 * Issues a JWT (RFC 7519) that other services verify by themselves: HS256 over the UTF-8 bytes of the first
 * JWT_SECRET, five minutes. It outlives the end of its session by so much at most; nothing here accepts it.
 *
 * @throws AuthError `not_authenticated` where the session has ended since the request was let in
 */
export async function issueServiceToken(
  { config, clock, db }: Runtime,
  { user, session }: SignedInActor,
): Promise<ServiceToken> {
  const live = await db.query(selectLiveSession(session.id));
  if (live.length === 0) throw new AuthError('not_authenticated');
  const issuedAt = Math.floor(clock().getTime() / second);
  const expiresAt = issuedAt + lifetimeSeconds;
  // Loaded where it is asked for: few services need it, and every start would wait.
  const { SignJWT } = await import('jose');
  const token = await new SignJWT({
    sid: session.id,
    role: user.role,
    amr: methodReferences[session.method],
    auth_time: Math.floor(Date.parse(session.authenticatedAt) / second),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(config.origins[0])
    .setAudience(config.tokenAudience)
    .setSubject(user.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(config.secrets[0]));
  return { token, expiresAt: new Date(expiresAt * second).toISOString() };
}
