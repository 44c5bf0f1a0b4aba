import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { type AuthServiceOptions, createAuthRouter, createAuthService } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';

/** Serves the service over HTTP in a process that an uncaught error ends. */
const [adapter = '', databaseUrl = '', secret = '', databaseOptions = '{}'] = process.argv.slice(2);

const adapters: Record<string, () => AuthServiceOptions['database']> = {
  url: () => databaseUrl,
  postgres: () => postgres(databaseUrl, { onnotice: () => {}, ...JSON.parse(databaseOptions) }),
  // Deliberately without an `error` listener, which pg requires.
  pg: () => new pg.Pool({ connectionString: databaseUrl }),
};
const database = adapters[adapter]?.();
if (database === undefined) throw new TypeError(`unknown adapter: ${adapter}`);

// Without log output, stderr contains only the error that ended the process.
const log = { info() {}, warn() {}, error() {} };
const auth = await createAuthService({ database, secret, env: {}, migrate: true, rateLimit: false, log });
const app = new Koa();
app.silent = true;
app.use(createAuthRouter(auth).routes());
const server = createServer(app.callback());
// Otherwise a slow machine can lose a request on a connection that the server is closing.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
