import { Router } from '@koa/router';
import {
  type AuthService,
  type AuthServiceOptions,
  type Database,
  type GuardedState,
  requireSession,
  type Statement,
} from 'latchkey';
import postgres, { type Sql } from 'postgres';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';

/** An application that uses the service and has a route that checks the session. */
export interface CheckingService extends ServiceOn {
  /**
   * Sends a request to a route behind `requireSession`. The response contains `ctx.state.auth`, or the error if the
   * session is rejected.
   */
  check(browser: Pick<TestAgent, 'cookies'>): Promise<Answer>;
  /** The number of checks that have started. */
  begun(): number;
}

/** A `CheckingService` that counts the statements that read a session. */
export interface RememberingService extends CheckingService {
  reads(): number;
  /** Checks the session until a check uses only the cache. */
  untilRemembered(browser: Pick<TestAgent, 'cookies'>): Promise<void>;
}

/** How long a service waits for the test notification that it sends to itself, in milliseconds. */
export const probeMs = 2000;

type GuardedRouter = Router<GuardedState>;
type Mount = (router: GuardedRouter, auth: AuthService) => void;
type Given = AuthServiceOptions['database'];

export async function startChecking(
  database: Given,
  options: AuthServiceOptions = {},
  mount: Mount = () => {},
): Promise<CheckingService> {
  let begun = 0;
  const service = await startServiceOn(database, options, (app, auth) => {
    const router: GuardedRouter = new Router<GuardedState>();
    const count = (_: unknown, next: () => Promise<unknown>) => {
      begun += 1;
      return next();
    };
    router.get('/app/check', count, requireSession(auth), (ctx) => {
      ctx.body = ctx.state.auth;
    });
    mount(router, auth);
    app.use(router.routes());
  });
  return {
    ...service,
    begun: () => begun,
    check: ({ cookies }) => service.browser(cookies).get('/app/check'),
  };
}

/** @param given a database, or a URL for which a client is created */
export async function startRemembering(
  given: NonNullable<Given>,
  options: AuthServiceOptions = {},
  mount: Mount = () => {},
): Promise<RememberingService> {
  const own = typeof given === 'string' ? postgres(given, clientOptions) : null;
  let reads = 0;
  const counted = counting(own ?? given, (text) => {
    if (readsSession.test(text)) reads += 1;
  });
  const service = await startChecking(counted, options, mount);
  return {
    ...service,
    reads: () => reads,
    untilRemembered: (browser) =>
      eventually(async () => {
        const before = reads;
        const { status } = await service.check(browser);
        if (status !== 200) throw new Error(`checking the session returned ${status}`);
        return reads === before;
      }),
    close: async () => {
      await service.close();
      await own?.end({ timeout: 1 });
    },
  };
}

const clientOptions = { fetch_types: false, onnotice: () => {}, backoff: () => 0.05 };

/** Matches the statement that reads a session by its token. */
export const readsSession = /where sessions\.token_hash = /;

/** Returns the database or a copy of it. The result calls `tell` with the text of each statement. */
function counting(given: NonNullable<Given>, tell: (text: string) => void): Given {
  if (typeof given === 'function') {
    const { debug } = given.options;
    given.options.debug = (connection, text, ...rest) => {
      tell(text);
      if (typeof debug === 'function') debug(connection, text, ...rest);
    };
    return given;
  }
  if (typeof given === 'object' && 'connect' in given) {
    const query = given.query.bind(given) as (asked: unknown) => Promise<never>;
    given.query = (asked: string | { text: string }) => {
      tell(typeof asked === 'string' ? asked : asked.text);
      return query(asked);
    };
    return given;
  }
  const database = given as Database;
  return {
    ...database,
    query: <Row extends object>(statement: Statement) => {
      tell(statement.text);
      return database.query<Row>(statement);
    },
  };
}

/** A `database` option with `listen`, as an application can pass it. */
export function databaseOn(client: Sql): Required<Pick<Database, 'query' | 'listen'>> {
  return {
    query: async <Row extends object>({ text, values }: Statement) => [
      ...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 })),
    ],
    listen: async (channel, { onNotification }) => {
      const { unlisten } = await client.listen(channel, onNotification);
      return { close: unlisten };
    },
  };
}

/** Drops the triggers that notify other processes. Each process then invalidates only its own cache. */
export const dropTriggers = (sql: Sql) =>
  sql.unsafe(`
    drop trigger sessions_ended on latchkey.sessions;
    drop trigger sessions_changed on latchkey.sessions;
    drop trigger users_changed on latchkey.users;`);

/** The process ids of the backends that listen for ended sessions in this test's database. */
export async function listeningBackends(sql: Sql): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database()
      and query in ('listen latchkey_sessions', 'select latchkey.require_primary()')`;
  return rows.map(({ pid }) => pid);
}
