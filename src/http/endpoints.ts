import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Actor, SignedInActor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import { bindBrowser } from './cookies.ts';
import { callerOf } from './current-actor.ts';
import { admit } from './guards.ts';

/** How a feature declares its endpoints: a path, who may, and a handler of a dozen lines. */
export interface Endpoints {
  /** For anybody. The actor carries the session token that was presented, unread. */
  open(method: Method, path: string, handler: (ctx: Context, actor: Actor) => Promise<void>): void;
  /** For a live, full session. */
  signedIn(method: Method, path: string, handler: SignedInHandler): void;
  /** For a live, full session with fresh authentication. */
  fresh(method: Method, path: string, handler: SignedInHandler): void;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type SignedInHandler = (ctx: Context, actor: SignedInActor) => Promise<void>;

/** Refusals come in one order: session, its kind and freshness here; then body, existence and state in the handler. */
export function endpointsOn(router: Router, runtime: Runtime): Endpoints {
  return {
    open: (method, path, handler) => {
      router[method](path, (ctx) => handler(ctx, callerOf(ctx, runtime)));
    },
    signedIn: (method, path, handler) => {
      router[method](path, async (ctx) => handler(ctx, await admit(ctx, runtime, false)));
    },
    fresh: (method, path, handler) => {
      router[method](path, async (ctx) => handler(ctx, await admit(ctx, runtime, true)));
    },
  };
}

/** The actor of a ceremony's start, which is bound to the browser: it gets its binding cookie here if need be. */
export const bound = <A extends Actor>(ctx: Context, runtime: Runtime, actor: A): A => ({
  ...actor,
  browser: actor.browser ?? bindBrowser(ctx, runtime),
});
