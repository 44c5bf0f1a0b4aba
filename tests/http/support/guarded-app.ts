import { Router } from '@koa/router';
import Koa from 'koa';
import { AuthError, type GuardedState } from 'latchkey';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { serve } from '../../support/serve.ts';
import { origin } from '../../support/test-service.ts';

/** An application with routes of its own behind the guards. It answers their refusals with the bare code. */
export interface GuardedApp {
  /** What has got past a guard: `METHOD /path username`. */
  reached: string[];
  /** Somebody's browser, on a page of the application. */
  as(browser: Pick<TestAgent, 'cookies'>): TestAgent;
  close(): Promise<void>;
}

type GuardedRouter = Router<GuardedState>;

/** @param mount declares routes with guards and nothing behind them: what gets past is noted, and answered with 200 */
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

/** `done`, or the code of the refusal. */
export const outcome = async (answer: Promise<{ body: unknown }>): Promise<unknown> => (await answer).body;
