import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { type AuthServiceOptions, createAuthRouter, createAuthService } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';

/** Serves the service over HTTP. An uncaught error ends this process. */
const [adapter = '', databaseUrl = '', secret = '', databaseOptions = '{}'] = process.argv.slice(2);

const adapters: Record<string, () => AuthServiceOptions['database']> = {
  url: () => databaseUrl,
  postgres: () => postgres(databaseUrl, { onnotice: () => {}, ...JSON.parse(databaseOptions) }),
  // The pool has no `error` listener, although pg requires one. The service must survive this mistake.
  pg: () => new pg.Pool({ connectionString: databaseUrl }),
};
const database = adapters[adapter]?.();
if (database === undefined) throw new TypeError(`unknown adapter: ${adapter}`);

// The log writes nothing, so stderr contains only the error that ended the process.
const log = { info() {}, warn() {}, error() {} };
const auth = await createAuthService({ database, secret, env: {}, migrate: true, rateLimit: false, log });
const app = new Koa();
app.silent = true;
app.use(createAuthRouter(auth).routes());
const server = createServer(app.callback());
// With a keep-alive timeout, a request could be lost on an idle connection that the server is closing.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
