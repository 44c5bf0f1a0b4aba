import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { GenericSchema, InferOutput } from 'valibot';
import { confirmRefusal } from '../audit/operations/confirm-refusal.ts';
import type { Actor } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { GuessLimit } from '../core/guess-limit.ts';
import { codeOf } from '../core/outcomes.ts';
import type { Runtime } from '../core/runtime.ts';
import type { OpenedSession, Session } from '../core/session.ts';
import type { User } from '../core/user.ts';
import { bindBrowser, setSessionCookie } from '../http/cookies.ts';
import { rememberBrowser } from '../http/device-cookie.ts';
import { nothing } from '../http/input.ts';
import { hasToken, notSignedIn, usesBearer } from '../http/presented-session.ts';
import { countAddress, limitGuesses } from '../http/rate-limit.ts';
import { readBody, readQuery, readText } from '../http/read-body.ts';
import { factsOf } from '../http/request-source.ts';
import { cookieSeconds, impersonatedSeconds } from '../sessions/lifetimes.ts';
import { canonicalUsername, usernameToFind } from '../users/rules.ts';
import { type AdmittedBy, type AdmittedWith, admit } from './admission.ts';
import { isAvailable } from './availability.ts';
import type { Endpoint } from './endpoint.ts';

/** Adds an endpoint and its handler to the router, or to the router `absent` if the service does not have it. */
export type Serve = <E extends Endpoint & { operation: string }>(endpoint: E, handler: Handler<E>) => void;

type Handler<E extends Endpoint> = (ctx: Context, by: AdmittedBy<E>, request: Request<E>) => Promise<void>;

/**
 * The input of a request. The schemas check the input only when the handler reads it, so a caller who is refused
 * earlier gets no errors about the input.
 */
interface Request<E extends Endpoint> {
  /** @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request` */
  body(): Promise<OutputOf<E['body']>>;
  /** @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request` */
  text(): Promise<string>;
  /** @throws AuthError `invalid_request` */
  query(): OutputOf<E['query']>;
  read: AdmittedWith<E>;
}

type OutputOf<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : object;

/**
 * Returns the function that adds endpoints to a router. A request is checked in this order: first the rate limit of the
 * IP address, then the session and the capability (`admit`), then the input and the state (the handler).
 */
export function serveOn(router: Router, absent: Router, runtime: Runtime): Serve {
  return (endpoint, handler) => {
    const { operation, on, budget, body, query } = endpoint;
    const [method = '', path = ''] = on.split(' ');
    if (!isAvailable(endpoint, runtime.config)) {
      absent.register(path, [method], () => {});
      return;
    }
    const answer = async (ctx: Context) => {
      await countAddress(ctx, runtime, budget);
      const { by, read, counted } = await admit(ctx, runtime, endpoint);
      const request = {
        body: () => readBody(ctx, body ?? nothing),
        text: () => readText(ctx),
        query: () => readQuery(ctx, query ?? nothing),
        read,
      };
      // `by` and `request` have the types that the endpoint declares, but TypeScript cannot derive these types.
      await handler(ctx, by as never, request as never);
      addBearerToken(ctx, endpoint);
      await counted?.giveBack();
    };
    const serveOne = method === 'GET' ? answer : confirming(answer, runtime);
    const { telemetry } = runtime;
    const observed = { operation, route: `${router.opts.prefix ?? ''}${path}` };
    const run = telemetry
      ? (ctx: Context) => telemetry.operation(observed, () => serveOne(ctx), codeOf)
      : serveOne;
    router.register(path, [method], async (ctx: Context) => {
      try {
        await run(ctx);
      } catch (error) {
        runtime.outcomes.count(operation, { error });
        throw isNotSignedIn(error) ? notSignedIn(factsOf(ctx), runtime.config) : error;
      }
      runtime.outcomes.count(operation, ctx.status);
    });
  };
}

/** Makes the refusals of an endpoint that can change data wait for a standby. See `confirmRefusal`. */
const confirming =
  (answer: (ctx: Context) => Promise<void>, runtime: Runtime) =>
  async (ctx: Context): Promise<void> => {
    try {
      await answer(ctx);
    } catch (error) {
      // A request that is refused because it has no session token has read nothing.
      const hasRead = !isNotSignedIn(error) || hasToken(factsOf(ctx), runtime.config);
      if (hasRead) await confirmRefusal(runtime, error);
      throw error;
    }
  };

/** Whether the request has no live session, or its session ended during the request. */
const isNotSignedIn = (error: unknown): boolean =>
  error instanceof AuthError && error.code === 'not_authenticated';

/** Binds a ceremony to the browser with a cookie, so that only the browser that starts the ceremony can finish it. */
export const bound = <A extends Actor>(ctx: Context, runtime: Runtime, actor: A): A => ({
  ...actor,
  browser: actor.browser ?? bindBrowser(ctx, runtime.config),
});

/** The new session tokens of requests that ask for bearer tokens. */
const bearerTokens = new WeakMap<Context, string>();

/**
 * Sets the session cookie and the device cookie. Returns the session without its token, because scripts must not be
 * able to read the token. A client that uses bearer tokens gets the token in the body, as `sessionToken`, and no cookie.
 */
export function signIn(
  ctx: Context,
  runtime: Runtime,
  { id, role }: Pick<User, 'id' | 'role'>,
  { session, token, epoch }: OpenedSession,
): Session {
  if (usesBearer(ctx, runtime.config)) {
    bearerTokens.set(ctx, token);
    return session;
  }
  const longest = session.impersonator ? impersonatedSeconds : Number.POSITIVE_INFINITY;
  const maxAgeSeconds = Math.min(longest, cookieSeconds(session.kind, role, runtime.config));
  setSessionCookie(ctx, runtime.config, { token, maxAgeSeconds });
  // A recovery can be canceled, so its browser is remembered only after the recovery completes. The browser of an
  // impersonator is not a browser of the user.
  if (session.kind === 'full' && !session.impersonator) rememberBrowser(ctx, runtime, id, epoch);
  return session;
}

/** @throws TypeError if the endpoint does not declare that it returns a token, so that the document is complete */
function addBearerToken(ctx: Context, { on, returnsToken }: Endpoint): void {
  const sessionToken = bearerTokens.get(ctx);
  if (sessionToken === undefined) return;
  if (!returnsToken) throw new TypeError(`${on} returns a session token, but does not declare returnsToken`);
  ctx.body = { ...(ctx.body as object), sessionToken };
}

/** Limits the wrong guesses for the username in the request body. All spellings of a username share a budget. */
export function limitGuessesFor(
  ctx: Context,
  runtime: Runtime,
  budget: 'password' | 'recovery',
  username: string,
): GuessLimit {
  const rule = runtime.config.usernames;
  const found = usernameToFind(username, rule) || canonicalUsername(username, rule).username;
  return limitGuesses(ctx, runtime, budget, found);
}

export const idOf = (ctx: Context): string => `${ctx.params.id}`;
