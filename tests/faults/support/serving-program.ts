import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { type AuthServiceOptions, createAuthRouter, createAuthService } from 'latchkey';
import pg from 'pg';
import postgres from 'postgres';

/** The service behind HTTP, as a process that ends when nothing catches an error. */
const [adapter = '', databaseUrl = '', secret = '', databaseOptions = '{}'] = process.argv.slice(2);

const adapters: Record<string, () => AuthServiceOptions['database']> = {
  url: () => databaseUrl,
  postgres: () => postgres(databaseUrl, { onnotice: () => {}, ...JSON.parse(databaseOptions) }),
  // Without a listener for `error`, which pg needs.
  pg: () => new pg.Pool({ connectionString: databaseUrl }),
};
const database = adapters[adapter]?.();
if (database === undefined) throw new TypeError(`unknown adapter: ${adapter}`);

// What it writes to stderr is the error that ended it.
const log = { info() {}, warn() {}, error() {} };
const auth = await createAuthService({ database, secret, env: {}, migrate: true, rateLimit: false, log });
const app = new Koa();
app.silent = true;
app.use(createAuthRouter(auth).routes());
const server = createServer(app.callback());
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
