import Koa from 'koa';
import { type AuthService, createAuthRouter, createWellKnownRouter } from 'latchkey';
import type { Logger } from 'pino';
import { createFilesRouter } from './files/routes.ts';
import type { FileStore } from './files/store.ts';
import { answerHealth } from './health.ts';
import { loadPages, servePages } from './pages.ts';
import { logRequests } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** The whole application: our router, a feature that is guarded by it, and the pages that use both. */
export function createApp(
  auth: AuthService,
  files: FileStore,
  log: Logger,
  state: { stopping: boolean },
): Koa {
  const app = new Koa();
  app.on('error', (error: Error & { expose?: boolean }, ctx?: Koa.Context) => {
    if (!error.expose) log.error({ err: error, requestId: ctx?.state.requestId }, 'a request failed');
  });
  app.use(logRequests(log));
  app.use((ctx, next) => {
    // Whoever keeps a connection open is told to make their next one to another process.
    if (state.stopping) ctx.set('Connection', 'close');
    return next();
  });
  app.use(answerHealth(auth));
  app.use(setSecurityHeaders(auth.config.origins[0]));
  app.use(createAuthRouter(auth).routes());
  app.use(createWellKnownRouter(auth).routes());
  app.use(createFilesRouter(auth, files).routes());
  app.use(servePages(loadPages(), auth.config));
  return app;
}
