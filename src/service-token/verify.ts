import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { claimsFrom, requiredClaims, type ServiceTokenClaims } from './claims.ts';
import { ServiceTokenError } from './error.ts';
import { type JsonWebKeySet, localKeySet, remoteKeySet } from './key-sets.ts';

/** Options of {@link verifyServiceToken}. */
export interface VerifyServiceTokenOptions {
  /** The first of the `origins` of the service that issues the tokens, such as `https://example.com`. */
  issuer: string;
  /** The name of this service in the issuer's `tokenAudiences`. Tokens for other services are rejected. */
  audience: string;
  /**
   * The URL of the issuer's public keys (RFC 7517). In tests, you can pass the keys instead. Redirects are not
   * followed. Default: `<issuer>/.well-known/jwks.json`, which `createWellKnownRouter` serves.
   */
  jwks?: string | URL | JsonWebKeySet;
  /** The largest accepted difference between the clocks of the two services, in seconds, 0 to 60. Default: 5. */
  clockToleranceSeconds?: number;
}

/**
 * Verifies a service token (from `POST /session/token`) in another service. Needs only the issuer's public keys, which
 * cannot sign tokens. Needs no database, no Koa and no secret.
 *
 * Fetches the public keys on first use and caches them for five minutes. Fetches the keys again for a token with an
 * unknown key, at most every ten seconds. A fetch that takes longer than five seconds fails with `keys_unavailable`.
 *
 * A token expires five minutes after it was issued. Until then it stays valid, even if the session ends or the user's
 * role changes.
 *
 * @throws ServiceTokenError `token_invalid` | `token_expired` | `keys_unavailable`
 * @throws TypeError for a missing or invalid option; the message names the option
 * @example
 * // Koa uses the status of the error.
 * app.use(async (ctx, next) => {
 *   const token = ctx.get('Authorization').replace(/^Bearer /i, '');
 *   ctx.state.user = await verifyServiceToken(token, { issuer: 'https://example.com', audience: 'orders' });
 *   await next();
 * });
 * @example
 * // node:http
 * createServer(async (request, response) => {
 *   const token = `${request.headers.authorization}`.replace(/^Bearer /i, '');
 *   try {
 *     const { userId, role } = await verifyServiceToken(token, { issuer: 'https://example.com', audience: 'orders' });
 *     response.end(JSON.stringify(await ordersOf(userId, role)));
 *   } catch (error) {
 *     response.statusCode = error instanceof ServiceTokenError ? error.status : 500;
 *     response.end();
 *   }
 * }).listen(4000);
 */
export async function verifyServiceToken(
  token: string,
  options: VerifyServiceTokenOptions,
): Promise<ServiceTokenClaims> {
  const { issuer, audience, findKey, clockTolerance } = readOptions(options);
  if (!compactForm.test(token))
    throw new ServiceTokenError(
      'token_invalid',
      'The service token is invalid: expected three base64url texts, separated by dots.',
    );
  try {
    const { payload } = await jwtVerify(token, findKey, {
      // Only this list decides which algorithm is allowed, not the token (RFC 8725, 3.1). For example, the algorithm
      // `none` is rejected. So is HS256, with which an attacker could use the public key as the secret.
      algorithms: ['EdDSA'],
      typ: 'JWT',
      issuer,
      audience,
      clockTolerance,
      requiredClaims,
    });
    return claimsFrom(payload);
  } catch (error) {
    throw refusalFor(error);
  }
}

/** RFC 7515, section 7.1. jose also accepts white space in the signature. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function readOptions(options: Partial<VerifyServiceTokenOptions> = {}) {
  const { issuer, audience, jwks, clockToleranceSeconds: clockTolerance = 5 } = options;
  if (!isOrigin(issuer))
    throw new TypeError(`issuer: expected an origin such as https://example.com, not ${shown(issuer)}`);
  if (typeof audience !== 'string' || audience === '')
    throw new TypeError(
      `audience: expected a non-empty service name, such as orders, not ${shown(audience)}`,
    );
  if (!(typeof clockTolerance === 'number' && clockTolerance >= 0 && clockTolerance <= 60))
    throw new TypeError(
      `clockToleranceSeconds: expected a number from 0 to 60, not ${shown(clockTolerance)}`,
    );
  return { issuer, audience, findKey: keyFinder(jwks ?? `${issuer}/.well-known/jwks.json`), clockTolerance };
}

const isOrigin = (issuer: unknown): issuer is string =>
  typeof issuer === 'string' &&
  /^https?:/.test(issuer) &&
  URL.canParse(issuer) &&
  new URL(issuer).origin === issuer;

function keyFinder(jwks: string | URL | JsonWebKeySet): JWTVerifyGetKey {
  const findKey = keySetFor(jwks);
  return async (header, token) => {
    try {
      return await findKey(header, token);
    } catch (error) {
      // These two errors mean one of two things: no key has the token's key id, or the token has no key id and several
      // keys match. All other errors mean that the keys are unavailable.
      const isAboutToken =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isAboutToken) throw error;
      throw new ServiceTokenError(
        'keys_unavailable',
        "The issuer's public keys could not be fetched. Try again later.",
        error,
      );
    }
  };
}

function keySetFor(jwks: string | URL | JsonWebKeySet): JWTVerifyGetKey {
  if (jwks instanceof URL || (typeof jwks === 'string' && /^https?:/i.test(jwks) && URL.canParse(jwks)))
    return remoteKeySet(new URL(jwks));
  try {
    return localKeySet(jwks as JsonWebKeySet);
  } catch {
    throw new TypeError(`jwks: expected an http(s) URL or an object with a list of keys, not ${shown(jwks)}`);
  }
}

/** Does not set `cause`, because errors of jose contain the token's claims, which must not get into a log. */
function refusalFor(error: unknown): ServiceTokenError {
  if (error instanceof ServiceTokenError) return error;
  if (error instanceof errors.JWTExpired)
    return new ServiceTokenError('token_expired', 'The service token has expired. Request a new one.');
  const detail = error instanceof errors.JOSEError ? error.message : 'a claim is missing or malformed';
  return new ServiceTokenError('token_invalid', `The service token is invalid: ${detail}.`);
}

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
