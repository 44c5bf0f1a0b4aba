import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import {
  type AuthRouterOptions,
  type AuthService,
  type AuthServiceOptions,
  createAuthRouter,
  createAuthService,
  type Database,
  type Logger,
  type Statement,
} from 'latchkey';
import postgres from 'postgres';
import { createAgent, type TestAgent } from './agent.ts';
import { heldTo } from './documented-answers.ts';
import { assertInvalidating } from './missing-invalidation.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const origin = 'http://localhost:3000';
export const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr';

/** A service on a real HTTP server, with its own database. */
export interface TestService {
  auth: AuthService;
  app: Koa;
  /** The server's URL, without a path. */
  url: string;
  database: TestDatabase;
  /** The statements that the service has sent, in order. A test can empty the list with `statements.length = 0`. */
  statements: string[];
  /** The service's log entries. */
  logged: { level: string; fields: object; message: string }[];
  /** Moves the clocks of the service and the database forward. */
  turnClock(by: { minutes?: number; seconds?: number }): Promise<void>;
  /** Returns a new browser without cookies. */
  browser(): TestAgent;
  /** Reads the events of the audit log, oldest first. */
  auditRows(): Promise<AuditRow[]>;
  close(): Promise<void>;
}

export interface AuditRow {
  event: string;
  outcome: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  impersonator_type: string | null;
  impersonator_id: string | null;
  impersonator_name: string | null;
  details: Record<string, unknown>;
  /** The number of refusals that the event represents. Null: one refusal, or not a refusal. */
  count: number | null;
}

export async function startTestService(
  options: AuthServiceOptions = {},
  prepare?: (app: Koa) => void,
  routerOptions: AuthRouterOptions = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  // Like Latchkey's own clients, this client does not query the array types on each new connection.
  const client = postgres(database.url, { fetch_types: false, onnotice: () => {}, backoff: () => 0.05 });
  const statements: string[] = [];
  const logged: TestService['logged'] = [];
  let ahead = 0;
  const auth = await createAuthService({
    database: recording(client, statements),
    secret,
    env: {},
    // Only tests of rate limits enable rate limits.
    rateLimit: false,
    // Many tests read the event of each refusal. Only tests of bursts use the default.
    auditBurstThreshold: 1000,
    // Only tests of webhooks send events.
    webhookSender: false,
    // Only tests of the order of events need positions.
    auditSequencer: false,
    log: recordingLogger(logged),
    clock: () => new Date(Date.now() + ahead),
    ...options,
  });
  const app = new Koa();
  app.silent = true;
  prepare?.(app);
  app.use(heldTo(options.bearerTokens, auth));
  app.use(createAuthRouter(auth, routerOptions).routes());
  const server = await listen(app);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    auth,
    app,
    url,
    database,
    statements,
    logged,
    turnClock: async ({ minutes = 0, seconds = 0 }) => {
      const by = minutes * 60 + seconds;
      ahead += by * 1000;
      await database.sql`update public.test_clock set ahead = ahead + ${`${by} seconds`}::interval`;
    },
    browser: () => createAgent(url, origin),
    auditRows: async () =>
      (await database.sql`select * from latchkey.audit_events order by at, id`).map(
        ({ xid: _xid, salt: _salt, kept: _kept, ...row }) => row as AuditRow,
      ),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await auth.close();
      await client.end({ timeout: 1 });
      await database.drop();
    },
  };
}

export async function listen(app: Koa): Promise<Server> {
  const server = createServer(app.callback());
  // With a keep-alive timeout, the server could close an idle connection at the moment when an agent reuses it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/**
 * A database adapter for a postgres.js client, as an application would write it. The adapter records every statement
 * and checks that each statement declares which cached data it changes.
 */
function recording(client: postgres.Sql, statements: string[]): Database {
  return {
    query: async <Row extends object>(statement: Statement) => {
      const { text, values } = statement;
      assertInvalidating(statement);
      statements.push(text);
      return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
    },
  };
}

const recordingLogger = (logged: TestService['logged']): Logger => ({
  info: (fields, message) => logged.push({ level: 'info', fields, message }),
  warn: (fields, message) => logged.push({ level: 'warn', fields, message }),
  error: (fields, message) => logged.push({ level: 'error', fields, message }),
});
