import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import { createAuthService, requireSession } from 'latchkey';
import postgres from 'postgres';

/**
 * An application that starts to listen for ended sessions and then closes everything. A test checks that its process
 * ends without `process.exit`.
 */
const [database = '', token, secret = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const auth = await createAuthService({ database, secret, env: {} });
const app = new Koa().use(requireSession(auth)).use((ctx) => {
  ctx.status = 200;
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const headers = { Cookie: `latchkey=${token}`, Connection: 'close' };
const check = async () => (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;

await check();
const sql = postgres(database, { max: 1 });
const isListening = async () => {
  const listening = await sql`
    select from pg_stat_activity
    where datname = current_database() and query in ('listen latchkey_sessions', 'select latchkey.require_primary()')`;
  return listening.length === 1;
};
while (!(await isListening())) await pause(20);
await sql.end();
const status = await check();
await auth.close();
server.close();
process.stdout.write(`${status}\n`);
