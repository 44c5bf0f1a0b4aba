import { Router } from '@koa/router';
import Koa from 'koa';
import { AuthError, type GuardedState } from 'latchkey';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { serve } from '../../support/serve.ts';
import { origin } from '../../support/test-service.ts';

/** An application with guarded routes. If a guard rejects a request, the response body is the error code. */
export interface GuardedApp {
  /** Each request that passed a guard, as `METHOD /path username`. */
  reached: string[];
  /** Returns an agent for this application that starts with the cookies of `browser`. */
  as(browser: Pick<TestAgent, 'cookies'>): TestAgent;
  close(): Promise<void>;
}

type GuardedRouter = Router<GuardedState>;

/** @param mount declares routes that consist only of guards. A request that passes is recorded and gets 200. */
export async function startGuarded(mount: (router: GuardedRouter) => void): Promise<GuardedApp> {
  const reached: string[] = [];
  const router: GuardedRouter = new Router<GuardedState>();
  mount(router);
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      ctx.status = error.status;
      ctx.body = error.code;
    }
  });
  app.use(router.routes());
  app.use((ctx) => {
    if (!ctx.state.auth) return;
    reached.push(`${ctx.method} ${ctx.path} ${ctx.state.auth.user.username}`);
    ctx.body = 'done';
  });
  const { url, close } = await serve(app);
  return {
    reached,
    as: ({ cookies }) => createAgent(url, origin, new Map(cookies)),
    close,
  };
}

/** The response body: `done` or the error code. */
export const outcome = async (answer: Promise<{ body: unknown }>): Promise<unknown> => (await answer).body;
