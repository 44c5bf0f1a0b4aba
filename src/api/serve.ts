import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Actor, SignedInActor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { OpenedSession, ReadSession, Session } from '../core/session.ts';
import { bindBrowser, setSessionCookie } from '../http/cookies.ts';
import { callerOf, signedInActor } from '../http/current-actor.ts';
import type { Access, Endpoint } from '../http/endpoint.ts';
import { nothing } from '../http/input.ts';
import { countAccount, countAddress } from '../http/rate-limit.ts';
import { readBody, readQuery } from '../http/read-body.ts';
import { checkSession, readSession } from '../sessions/operations.ts';
import { requireFreshFull, requireFreshOrRecovering, requireFull } from '../sessions/rules.ts';

/** Puts a handler of a dozen lines behind an endpoint of the feature's table. */
export type Serve = <E extends Endpoint & { operation: string }>(endpoint: E, handler: Handler<E>) => void;

/**
 * `actor` is whoever asks: an endpoint for anybody is given the caller, with the session token that was presented, unread.
 */
type Handler<E extends Endpoint> = (ctx: Context, actor: ActorOf<E>, asked: Asked<E>) => Promise<void>;

type ActorOf<E extends Endpoint> = E['access'] extends 'anybody' ? Actor : SignedInActor;

/** What came with a request. A handler reads it once it is sure that the caller may be told what is wrong with it. */
interface Asked<E extends Endpoint> {
  /** @throws AuthError `unsupported_media_type` | `body_too_large` | `request_timeout` | `invalid_request` */
  body(): Promise<OutputOf<E['body']>>;
  /** @throws AuthError `invalid_request` */
  query(): OutputOf<E['query']>;
  /** The session as it was read. */
  read: E['access'] extends 'anybody' ? null : ReadSession;
}

type OutputOf<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : object;

/**
 * Refusals come in one order: the address's budget, session, its kind and freshness, the account's budget here; then
 * body, existence and state in the handler.
 */
export function serveOn(router: Router, runtime: Runtime): Serve {
  return ({ operation, on, access, fromMemory, budget, body, query }, handler) => {
    const [method = '', path = ''] = on.split(' ');
    const admit = admission[access];
    const readFor = fromMemory ? checkSession : readSession;
    const answer = async (ctx: Context) => {
      await countAddress(ctx, runtime, budget);
      const known = admit === null ? null : await signedInActor(ctx, runtime, readFor);
      if (known) {
        admit?.(known.read);
        await countAccount(ctx, runtime, budget, known.actor.user.id);
      }
      const actor = known ? known.actor : callerOf(ctx, runtime);
      const asked = {
        body: () => readBody(ctx, body ?? nothing),
        query: () => readQuery(ctx, query ?? nothing),
        read: known ? known.read : null,
      };
      // The endpoint's own type says which of these a handler is given; here any may come.
      await handler(ctx, actor as never, asked as never);
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

/** What each access asks of a session. Null: there need not be one. */
const admission: Record<Access, ((read: ReadSession) => void) | null> = {
  anybody: null,
  any_session: () => {},
  signed_in: requireFull,
  fresh: requireFreshFull,
  fresh_or_recovering: requireFreshOrRecovering,
};

/** The actor of a ceremony's start, which is bound to the browser: it gets its binding cookie here if need be. */
export const bound = <A extends Actor>(ctx: Context, runtime: Runtime, actor: A): A => ({
  ...actor,
  browser: actor.browser ?? bindBrowser(ctx, runtime.config),
});

/** Puts a new session's token into its cookie, and nowhere else. */
export function signIn(ctx: Context, runtime: Runtime, opened: OpenedSession): Session {
  setSessionCookie(ctx, runtime.config, opened);
  return opened.session;
}
