import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { claimsFrom, requiredClaims, type ServiceTokenClaims } from './claims.ts';
import { ServiceTokenError } from './error.ts';
import { type JsonWebKeySet, localKeySet, remoteKeySet } from './key-sets.ts';

export interface VerifyServiceTokenOptions {
  /** The origin of the service that issues the tokens, such as `https://example.com`: the first of its `origins`. */
  issuer: string;
  /** This service, as the issuer's `tokenAudience` names it. Tokens for other services are refused. */
  audience: string;
  /**
   * Where the issuer's public keys are, or the keys themselves, for tests. Default:
   * `<issuer>/.well-known/jwks.json`, which `createWellKnownRouter` serves. Redirects are not followed.
   */
  jwks?: string | URL | JsonWebKeySet;
  /** How far the clocks of the two services may be apart, in seconds: 0 to 60, default 5. */
  clockToleranceSeconds?: number;
}

/**
 * Verifies a token that `POST /session/token` issued, in a service of its own: without a database, without Koa, and
 * without a secret. It holds only public keys, so it can verify tokens and not make them.
 *
 * The keys are fetched on first use, cached for five minutes, and fetched again when a token names an unknown key, at
 * most every ten seconds. No answer within five seconds is `keys_unavailable`.
 *
 * A token stays valid until it expires, also when its session ends or its user's role changes: at most five minutes.
 *
 * @throws ServiceTokenError with the code `token_invalid` | `token_expired` | `keys_unavailable`
 * @throws TypeError for a missing or unusable option, named in the message
 * @example
 * // Koa: the error carries the status to answer with.
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
  try {
    const { payload } = await jwtVerify(token, findKey, {
      // Never taken from the token: this refuses `none`, and HS256 with the public key as the secret.
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
      // The token names an unknown key. Any other error means that the keys are unavailable.
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

/** The cause of a refused token is left out: errors of jose carry its claims, which do not belong into a log. */
function refusalFor(error: unknown): ServiceTokenError {
  if (error instanceof ServiceTokenError) return error;
  if (error instanceof errors.JWTExpired)
    return new ServiceTokenError('token_expired', 'The service token has expired. Request a new one.');
  const detail = error instanceof errors.JOSEError ? error.message : 'a claim is missing or malformed';
  return new ServiceTokenError('token_invalid', `The service token is invalid: ${detail}.`);
}

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
