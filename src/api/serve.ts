import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Actor } from '../core/actor.ts';
import type { BudgetName } from '../core/budgets.ts';
import type { Runtime } from '../core/runtime.ts';
import type { OpenedSession, Session } from '../core/session.ts';
import { bindBrowser, setSessionCookie } from '../http/cookies.ts';
import { nothing } from '../http/input.ts';
import { countAddress, countName } from '../http/rate-limit.ts';
import { readBody, readQuery } from '../http/read-body.ts';
import { lifetimesOf } from '../sessions/lifetimes.ts';
import { canonicalUsername } from '../users/rules.ts';
import { type AdmittedBy, type AdmittedWith, admit } from './admission.ts';
import type { Endpoint } from './endpoint.ts';

/** Registers the handler of an endpoint. */
export type Serve = <E extends Endpoint & { operation: string }>(endpoint: E, handler: Handler<E>) => void;

/** `by` is who acts: see `AdmittedBy`. */
type Handler<E extends Endpoint> = (ctx: Context, by: AdmittedBy<E>, request: Request<E>) => Promise<void>;

/** What came with a request. It is checked when the handler reads it, so a refused caller learns nothing of its faults. */
interface Request<E extends Endpoint> {
  /** @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request` */
  body(): Promise<OutputOf<E['body']>>;
  /** @throws AuthError `invalid_request` */
  query(): OutputOf<E['query']>;
  /** The session as it was read. */
  read: AdmittedWith<E>;
}

type OutputOf<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : object;

/**
 * Serves endpoints on a router. Refusals come in one order: the address's rate limit, then what `admit` checks, then
 * the body, existence and state, in the handler.
 */
export function serveOn(router: Router, runtime: Runtime): Serve {
  return (endpoint, handler) => {
    const { operation, on, budget, body, query } = endpoint;
    const [method = '', path = ''] = on.split(' ');
    const answer = async (ctx: Context) => {
      await countAddress(ctx, runtime, budget);
      const { by, read } = await admit(ctx, runtime, endpoint);
      const request = {
        body: () => readBody(ctx, body ?? nothing),
        query: () => readQuery(ctx, query ?? nothing),
        read,
      };
      // `admit` returns what the endpoint's declaration says; TypeScript cannot follow it from value to type.
      await handler(ctx, by as never, request as never);
    };
    router.register(path, [method], async (ctx: Context) => {
      try {
        await answer(ctx);
      } catch (error) {
        runtime.outcomes.count(operation, { error });
        throw error;
      }
      runtime.outcomes.count(operation, ctx.status);
    });
  };
}

/** The actor that starts a ceremony. Only the same browser can finish it, so the browser gets its binding cookie here. */
export const bound = <A extends Actor>(ctx: Context, runtime: Runtime, actor: A): A => ({
  ...actor,
  browser: actor.browser ?? bindBrowser(ctx, runtime.config),
});

/** Sets the cookie of a new session. Its token appears nowhere else. */
export function signIn(ctx: Context, runtime: Runtime, opened: OpenedSession): Session {
  const { session, token } = opened;
  const { ttlSeconds } = lifetimesOf(session.kind, runtime.config);
  setSessionCookie(ctx, runtime.config, { token, maxAgeSeconds: ttlSeconds });
  return session;
}

/** Counts a request against the budget of the username it names. @throws AuthError `rate_limited` */
export const countUsername = (ctx: Context, runtime: Runtime, budget: BudgetName, username: string) =>
  countName(ctx, runtime, budget, canonicalUsername(username).username);

/** The `:id` of the path. */
export const idOf = (ctx: Context): string => `${ctx.params.id}`;
