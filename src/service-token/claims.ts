import * as v from 'valibot';
import { type Role, roles } from '../core/user.ts';

/**
 * The claims (members) of a verified service token. Times are RFC 3339. The names in parentheses are the names in the
 * token (RFC 7519).
 */
export interface ServiceTokenClaims {
  /** The user's id (`sub`). A user keeps the same id, and no other user ever gets it. */
  userId: string;
  /** The id of the session that requested the token (`sid`). */
  sessionId: string;
  /** The user's role when the token was issued (`role`). */
  role: Role;
  /** The service that the token is for (`aud`). */
  audience: string;
  /** The origin that issued the token (`iss`). */
  issuer: string;
  /** How the user last authenticated (`amr`), in the values of RFC 8176. With a passkey, the list contains `mfa`. */
  methods: readonly string[];
  /** When the user last authenticated (`auth_time`). */
  authenticatedAt: string;
  /** When the token was issued (`iat`). */
  issuedAt: string;
  /** When the token expires (`exp`): five minutes after it was issued. */
  expiresAt: string;
  /** The id of the token (`jti`). With it, a service can accept each token only once. */
  tokenId: string;
  /**
   * The impersonator who acts as the user (`act.sub`, RFC 8693, section 4.1): the id of a superadmin, or `operator:`
   * and the name of an operator. Null: no impersonation. A service can refuse tokens of impersonators.
   */
  actorId: string | null;
}

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000));

const payloadSchema = v.object({
  iss: v.string(),
  aud: v.string(),
  sub: v.string(),
  sid: v.string(),
  role: v.picklist(roles),
  amr: v.array(v.string()),
  auth_time: seconds,
  iat: seconds,
  exp: seconds,
  jti: v.string(),
  act: v.optional(v.object({ sub: v.string() })),
});

export const requiredClaims = Object.keys(payloadSchema.entries).filter((name) => name !== 'act');

/**
 * Reads the claims of a token whose signature, issuer, audience and expiry are already verified.
 *
 * @throws ValiError if a claim is missing or malformed
 */
export function claimsFrom(payload: unknown): ServiceTokenClaims {
  const claims = v.parse(payloadSchema, payload);
  return {
    userId: claims.sub,
    sessionId: claims.sid,
    role: claims.role,
    audience: claims.aud,
    issuer: claims.iss,
    methods: claims.amr,
    authenticatedAt: rfc3339(claims.auth_time),
    issuedAt: rfc3339(claims.iat),
    expiresAt: rfc3339(claims.exp),
    tokenId: claims.jti,
    actorId: claims.act?.sub ?? null,
  };
}

const rfc3339 = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString();
