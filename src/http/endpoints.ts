import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Actor, SignedInActor } from '../core/actor.ts';
import type { BudgetName } from '../core/budgets.ts';
import type { Runtime } from '../core/runtime.ts';
import { requireFreshFull, requireFreshOrRecovering, requireFull } from '../sessions/rules.ts';
import type { OpenedSession, ReadSession, Session } from '../sessions/session.ts';
import { bindBrowser, setSessionCookie } from './cookies.ts';
import { callerOf, signedInActor } from './current-actor.ts';
import { countAccount, countAddress } from './rate-limit.ts';

/**
 * How a feature declares its endpoints: a path, the budget it is counted against, who may, and a handler of a dozen
 * lines.
 */
export interface Endpoints {
  /** For anybody. The actor carries the session token that was presented, unread. */
  open: Declare<[Actor]>;
  /** For a live session of either kind. */
  anySession: Declare<SignedIn>;
  /** For a live, full session. */
  signedIn: Declare<SignedIn>;
  /** For a live, full session with fresh authentication. */
  fresh: Declare<SignedIn>;
  /** As `fresh`, and for a recovery session, which counts as fresh for what it may do. */
  freshOrRecovering: Declare<SignedIn>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Handler<Known extends [Actor, ReadSession?]> = (ctx: Context, ...known: Known) => Promise<void>;
type Declare<Known extends [Actor, ReadSession?]> = (
  method: Method,
  path: string,
  budget: BudgetName,
  handler: Handler<Known>,
) => void;
/** What a handler is given of somebody who is signed in: the actor, and the session as it was read. */
type SignedIn = [SignedInActor, ReadSession];

/**
 * Refusals come in one order: the address's budget, session, its kind and freshness, the account's budget here; then
 * body, existence and state in the handler.
 */
export function endpointsOn(router: Router, runtime: Runtime): Endpoints {
  const admitting =
    (may: (read: ReadSession) => void): Declare<SignedIn> =>
    (method, path, budget, handler) => {
      router[method](path, async (ctx) => {
        await countAddress(ctx, runtime, budget);
        const { read, actor } = await signedInActor(ctx, runtime);
        may(read);
        await countAccount(ctx, runtime, budget, actor.user.id);
        await handler(ctx, actor, read);
      });
    };
  return {
    open: (method, path, budget, handler) => {
      router[method](path, async (ctx) => {
        await countAddress(ctx, runtime, budget);
        await handler(ctx, callerOf(ctx, runtime));
      });
    },
    anySession: admitting(() => {}),
    signedIn: admitting(requireFull),
    fresh: admitting(requireFreshFull),
    freshOrRecovering: admitting(requireFreshOrRecovering),
  };
}

/** The actor of a ceremony's start, which is bound to the browser: it gets its binding cookie here if need be. */
export const bound = <A extends Actor>(ctx: Context, runtime: Runtime, actor: A): A => ({
  ...actor,
  browser: actor.browser ?? bindBrowser(ctx, runtime),
});

/** Puts a new session's token into its cookie, and nowhere else. */
export function signIn(ctx: Context, runtime: Runtime, opened: OpenedSession): Session {
  setSessionCookie(ctx, runtime.config, opened);
  return opened.session;
}
