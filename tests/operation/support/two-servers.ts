import { createAgent, type TestAgent } from '../../support/agent.ts';
import { type ExampleServer, startExampleServer } from '../../support/example-server.ts';
import { newAuthenticator } from '../../support/person.ts';
import type { RedisServer } from '../../support/redis-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { fetchOverTls } from './fetch-over-tls.ts';
import type { RunningProxy, StartProxy } from './proxy.ts';

const host = 'example.com';
export const origin = `https://${host}`;

/** Two production processes of the example server behind a proxy. They share a database and a Redis server. */
export interface TwoServers {
  servers: [ExampleServer, ExampleServer];
  database: TestDatabase;
  proxy: RunningProxy;
  /** Returns a browser that sends requests through the proxy, or with the given `fetch`. */
  browser(send?: typeof fetch): TestAgent;
  /** A `fetch` that sends a request to the proxy. */
  throughProxy: typeof fetch;
  /** Returns a browser that sends requests directly to one process, with the headers of a proxy. */
  browserAt(server: 0 | 1, cookies?: ReadonlyMap<string, string>): TestAgent;
  authenticator: () => ReturnType<typeof newAuthenticator>;
  /** Restarts a process that has ended, on the same port. */
  restart(server: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

export async function startTwoServers(
  startProxy: StartProxy,
  redis: RedisServer,
  env: Record<string, string> = {},
): Promise<TwoServers> {
  const database = await createTestDatabase();
  const start = (port?: number) =>
    startExampleServer(
      database.url,
      {
        NODE_ENV: 'production',
        WEBAUTHN_RP_ID: host,
        WEBAUTHN_RP_ORIGIN: origin,
        TRUST_PROXY: '1',
        REDIS_URL: redis.url,
        RATE_LIMIT: 'on',
        ...env,
      },
      port,
    );
  const servers: [ExampleServer, ExampleServer] = [await start(), await start()];
  const endServers = () =>
    Promise.all(
      servers.map((server) => {
        server.process.kill('SIGKILL');
        return server.exit;
      }),
    );
  const portOf = (server: ExampleServer) => Number(new URL(server.origin).port);
  const proxy = await startProxy([portOf(servers[0]), portOf(servers[1])]).catch(async (error) => {
    await endServers();
    throw error;
  });
  const throughProxy = fetchOverTls({ host, port: proxy.port, ca: proxy.certificate.pem });
  return {
    servers,
    database,
    proxy,
    throughProxy,
    browser: (send = throughProxy) => createAgent(origin, origin, new Map(), send),
    browserAt: (server, cookies = new Map()) =>
      createAgent(servers[server].origin, origin, new Map(cookies), (url, init) =>
        fetch(url, { ...init, headers: { ...init?.headers, 'X-Forwarded-For': '127.0.0.1' } }),
      ),
    authenticator: () => newAuthenticator({ origin }),
    restart: async (server) => {
      servers[server] = await start(portOf(servers[server]));
    },
    close: async () => {
      await proxy.stop();
      await endServers();
      await database.drop();
    },
  };
}
