import Koa from 'koa';
import { createAuthRouter, createWellKnownRouter } from 'latchkey';
import type { Logger } from 'pino';
import type { Brand } from './brand/setting.ts';
import type { FilesAuthService } from './files/capabilities.ts';
import { createFilesRouter } from './files/routes.ts';
import type { FileStore } from './files/store.ts';
import { answerHealth } from './health.ts';
import { measureRequests } from './metrics/measure-requests.ts';
import type { Metrics } from './metrics/registry.ts';
import { loadPages, servePages } from './pages.ts';
import type { Readiness } from './readiness.ts';
import { identifyRequests } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { answerSetup } from './setup.ts';

/** What the application needs to know about the server that runs it. */
export interface ServerState {
  readonly trustedProxies: number;
  readonly rateLimit: boolean;
  readonly readiness: Readiness;
  readonly brand: Brand;
  /** Null if metrics are off. */
  readonly metrics: Metrics | null;
  /** True while the server is stopping and accepts no new connections. */
  stopping: boolean;
}

/** The whole application: Latchkey's routers, the example's own routes for files, and the pages. */
export function createApp(
  auth: FilesAuthService,
  files: FileStore,
  log: Logger,
  state: ServerState,
  pages = loadPages(auth, state.brand),
): Koa {
  const app = new Koa();
  app.on('error', (error: Error & { expose?: boolean }, ctx?: Koa.Context) => {
    if (!error.expose) log.error({ err: error, requestId: ctx?.state.requestId }, 'a request failed');
  });
  if (state.metrics) app.use(measureRequests(state.metrics));
  app.use(identifyRequests(state.trustedProxies));
  app.use(logRequests(log));
  app.use((ctx, next) => {
    // Ends open connections, so that clients connect to another process.
    if (state.stopping) ctx.set('Connection', 'close');
    return next();
  });
  app.use(answerHealth(auth, state.readiness));
  app.use(setSecurityHeaders(auth.config.origins[0]));
  app.use(createAuthRouter(auth).routes());
  app.use(createWellKnownRouter(auth).routes());
  app.use(createFilesRouter(auth, files, state).routes());
  app.use(answerSetup(auth));
  app.use(servePages(pages, auth.config));
  return app;
}
