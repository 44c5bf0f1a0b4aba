import Koa from 'koa';
import {
  type AuthService,
  type AuthServiceOptions,
  createAuthRouter,
  createAuthService,
  type Statement,
} from 'latchkey';
import postgres from 'postgres';
import { createAgent, type TestAgent } from './agent.ts';
import { serve } from './serve.ts';
import { origin, secret, type TestService } from './test-service.ts';

/** The service once more on the same database, as another process or another configuration of it. */
export interface SecondInstance {
  auth: AuthService;
  app: Koa;
  url: string;
  /** A browser with these cookies, or with none. */
  browser(cookies?: ReadonlyMap<string, string>): TestAgent;
  close(): Promise<void>;
}

/** @param before called ahead of every statement, to let something happen just then, or to fail in its place */
export async function startSecondInstance(
  service: TestService,
  options: AuthServiceOptions = {},
  before: (statement: string) => unknown = () => {},
): Promise<SecondInstance> {
  const client = postgres(service.database.url, { onnotice: () => {} });
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const auth = await createAuthService({
    database: {
      query: async <Row extends object>({ text, values }: Statement) => {
        await before(text);
        return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
      },
    },
    secret,
    env: {},
    log: silent,
    ...options,
  });
  const app = new Koa();
  app.silent = true;
  app.use(createAuthRouter(auth).routes());
  const served = await serve(app);
  return {
    auth,
    app,
    url: served.url,
    browser: (cookies = new Map()) => createAgent(served.url, origin, new Map(cookies)),
    close: async () => {
      await served.close();
      await auth.close();
      await client.end({ timeout: 1 });
    },
  };
}
