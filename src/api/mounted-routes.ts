import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { Runtime } from '../core/runtime.ts';
import type { AuthService } from '../service/types.ts';
import { type AuthRouterOptions, createAuthRouter } from './router.ts';
import { createWellKnownRouter, type WellKnownOptions } from './well-known.ts';

/** The options of `createAuthRouter` and of `createWellKnownRouter`. */
export interface HandlerOptions extends AuthRouterOptions, WellKnownOptions {}

/** The endpoints of a service and its well-known paths, for servers other than Koa. */
export interface MountedRoutes {
  /** The path that all endpoints start with. */
  prefix: string;
  /** Whether a path can be one of the routes. For other paths, the application does not need to call `serve`. */
  includes(path: string): boolean;
  /** Calls the next middleware for unknown paths, like the routers. */
  serve: Middleware;
}

const wellKnown = '/.well-known/';

/** @throws TypeError for an invalid option, or if `auth` is not the result of `createAuthService` */
export function mountRoutes(auth: AuthService<string>, options: HandlerOptions): MountedRoutes {
  const router = createAuthRouter(auth, options);
  const prefix = router.opts.prefix ?? '';
  const endpoints = router.routes() as Middleware;
  const standardPaths = createWellKnownRouter(auth, options).routes() as Middleware;
  return {
    prefix,
    includes: (path) => path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(wellKnown),
    serve: (ctx, next) => endpoints(ctx, async () => await standardPaths(ctx, next)),
  };
}

/**
 * Creates the Koa app that serves the routes. Imports Koa only here, so that a program without a server, such as a
 * script of an operator, does not load Koa.
 */
export async function createKoaApp({ log }: Runtime, isOurs: (ctx: Koa.Context) => boolean): Promise<Koa> {
  const { default: Application } = await import('koa');
  const app = new Application();
  app.on('error', (error: Error & { expose?: boolean }, ctx?: Koa.Context) => {
    if (error.expose || (ctx && !isOurs(ctx))) return;
    log.error({ err: error, requestId: ctx?.state.requestId }, `${ctx?.method} ${ctx?.path} failed`);
  });
  return app;
}
