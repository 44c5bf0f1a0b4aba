import Koa from 'koa';
import { type AuthService, type AuthServiceOptions, createAuthRouter, createAuthService } from 'latchkey';
import { createAgent, type TestAgent } from './agent.ts';
import { heldTo } from './documented-answers.ts';
import { serve } from './serve.ts';
import { origin, secret } from './test-service.ts';

/** A service on a real HTTP server, with a given database. */
export interface ServiceOn {
  auth: AuthService;
  app: Koa;
  url: string;
  /** The service's log entries. */
  logged: { level: string; fields: { err?: unknown }; message: string }[];
  /** Returns a new browser, which can start with a copy of these cookies. */
  browser(cookies?: ReadonlyMap<string, string>): TestAgent;
  close(): Promise<void>;
}

export async function startServiceOn(
  database: AuthServiceOptions['database'],
  options: AuthServiceOptions = {},
  prepare?: (app: Koa, auth: AuthService) => void,
): Promise<ServiceOn> {
  const logged: ServiceOn['logged'] = [];
  const logAs = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, fields, message });
  const log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') };
  const auth = await createAuthService({
    ...(database && { database }),
    secret,
    env: {},
    rateLimit: false,
    auditBurstThreshold: 1000,
    auditSequencer: false,
    log,
    ...options,
  });
  const app = new Koa();
  app.silent = true;
  prepare?.(app, auth);
  app.use(heldTo(options.bearerTokens, auth));
  app.use(createAuthRouter(auth).routes());
  const served = await serve(app);
  return {
    auth,
    app,
    url: served.url,
    logged,
    browser: (cookies = new Map()) => createAgent(served.url, origin, new Map(cookies)),
    close: async () => {
      await served.close();
      await auth.close();
    },
  };
}
