import type { Context } from 'koa';
import type { Configuration } from '../core/config.ts';
import { AuthError } from '../core/errors.ts';
import type { RequestFacts, SessionTransport } from '../core/request-facts.ts';
import { sessionCookieIn } from './cookie-names.ts';
import { factsOf } from './request-source.ts';

/** The session token in a request. It is not checked yet, so it can be invalid. */
export interface PresentedSession {
  /** How the client carries its session. The response contains a new token in the same way. */
  transport: SessionTransport;
  /** Null: the request has no token. */
  token: string | null;
  /**
   * Whether the request has a session cookie and also asks for bearer tokens. The service refuses such a request,
   * because otherwise a page could exchange its HttpOnly cookie for a token that scripts can read.
   */
  isAmbiguous: boolean;
}

/** A bearer token in the form that `newSessionToken` creates. No other value reaches the database. */
const bearerToken = /^bearer +([\w-]{43})\s*$/i;

/**
 * Returns the session token of a request: from the cookie, or, with `bearerTokens`, from `Authorization: Bearer`.
 * Ignores every other value of `Authorization`, also other bearer tokens, because a gateway in front of the service can
 * add them. Such a request is one with a cookie, so it gets the check of the origin.
 */
export function presentedSession(request: RequestFacts, config: Configuration): PresentedSession {
  const cookie = sessionCookieIn(request, config);
  if (!config.bearerTokens) return { transport: 'cookie', token: cookie, isAmbiguous: false };
  const token = bearerToken.exec(request.header('authorization'))?.[1] ?? null;
  const asksForToken = request.header('latchkey-session').trim().toLowerCase() === 'bearer';
  if (token === null && !asksForToken) return { transport: 'cookie', token: cookie, isAmbiguous: false };
  return { transport: 'bearer', token, isAmbiguous: cookie !== null };
}

/**
 * Returns the session token of a request, or null. Does not check whether the token is valid.
 *
 * @throws AuthError `invalid_request` with the reason `cookie_and_bearer` if the request also has a session cookie
 */
export function presentedToken(request: RequestFacts, config: Configuration): string | null {
  const { token, isAmbiguous } = presentedSession(request, config);
  if (isAmbiguous) throw cookieAndBearer();
  return token;
}

/**
 * The error of a request that needs a live session and has none. If the request has a session token, the error has the
 * reason `session_ended`, so that a page can say that the session has ended. The reason depends only on the
 * request, so it does not reveal whether the service ever issued the token.
 */
export const notSignedIn = (request: RequestFacts, config: Configuration): AuthError =>
  new AuthError('not_authenticated', hasToken(request, config) ? { reason: sessionEnded } : {});

/** Whether the request has a session token, valid or not. */
export const hasToken = (request: RequestFacts, config: Configuration): boolean =>
  presentedSession(request, config).token !== null;

/** The reason of `not_authenticated` if the request has a session token. */
export const sessionEnded = 'session_ended';

/** Whether the client carries its session as a bearer token. The service then sets no cookies. */
export const usesBearer = (ctx: Context, config: Configuration): boolean =>
  config.bearerTokens && presentedSession(factsOf(ctx), config).transport === 'bearer';

const cookieAndBearer = (): AuthError =>
  new AuthError('invalid_request', {
    reason: 'cookie_and_bearer',
    message: 'The request has a session cookie and asks for bearer tokens. Send only one of them.',
  });
