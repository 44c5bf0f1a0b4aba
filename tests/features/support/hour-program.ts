import { once } from 'node:events';
import { Agent, createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import Koa from 'koa';
import { createAuthRouter, createAuthService, requireSession } from 'latchkey';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import postgres from 'postgres';
import { runtimeOf } from '../../../src/service/auth-service.ts';
import { removeExpired } from '../../../src/service/housekeeping.ts';
import { hashToken, newSessionToken } from '../../../src/sessions/token.ts';
import { numbersFrom } from '../../http/support/made-json.ts';
import { send } from '../../support/raw-request.ts';

/**
 * Serves an hour of traffic and prints the size of the heap, in bytes, after every fifth minute. The program moves the
 * clocks to simulate the hour. Needs `node --expose-gc`. The arguments are the URL of a database, a secret and a seed.
 */
const [database = '', secret = '', seed = ''] = process.argv.slice(2);
/** The traffic of the first minutes fills the buffers and compiles the code. */
const warmUpMinutes = 15;
const minutes = 60;
const minutesPerSample = 5;
const sessionsPerMinute = 100;
const strangersPerMinute = 30;
const origin = 'http://localhost:3000';

const startMs = Date.now();
let aheadMs = 0;
// The session cache expires its entries by the monotonic clock of the process.
performance.now = () => startMs + aheadMs;
const random = numbersFrom(Number(seed));

/** Prints the error and ends the process. */
function failWith(fields: object, message: string): void {
  process.stderr.write(`${message}: ${inspect(fields)}\n`);
  process.exit(1);
}

const sql = postgres(database, { max: 1, onnotice: () => {} });
const auth = await createAuthService({
  database,
  secret,
  env: {},
  clock: () => new Date(startMs + aheadMs),
  trustedProxies: 1,
  log: { info: () => {}, warn: () => {}, error: failWith },
});
const app = new Koa();
app.use(createAuthRouter(auth).routes());
app.use(requireSession(auth)).use((ctx) => {
  ctx.status = 204;
});
const handle = app.callback();
const server = createServer(handle);
// With a keep-alive timeout, the server could close an idle connection at the moment when the agent reuses it.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const connections = new Agent({ keepAlive: true });

/** One of 200 IP addresses. */
const address = () => `192.0.2.${random(200)}`;

/** Sends a request from a random IP address. @throws Error if the response has another status */
async function request(method: string, path: string, status: number, cookie = '', body?: object) {
  const headers = {
    Origin: origin,
    Cookie: cookie,
    'X-Forwarded-For': address(),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const content = body && { body: JSON.stringify(body) };
  const answer = await send(url, path, { method, headers, agent: connections, ...content });
  if (answer.status !== status) throw new Error(`${method} ${path} returned ${answer.status} ${answer.text}`);
  const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.replace(/;.*/s, ''));
  return { ...answer, cookie: cookies.join('; ') };
}

const unconnected = new Socket();

/** Passes a GET request to the app without a connection, which is faster. @throws Error as `request` */
async function pass(path: string, status: number, cookie = ''): Promise<void> {
  const incoming = new IncomingMessage(unconnected);
  Object.assign(incoming, { method: 'GET', url: path });
  Object.assign(incoming.headers, { cookie, 'x-forwarded-for': address() });
  const response = new ServerResponse(incoming);
  await handle(incoming, response);
  if (response.statusCode !== status) throw new Error(`GET ${path} returned ${response.statusCode}`);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Signs a user up, signs the user in, checks the session and ends it. */
async function signUpAndIn(username: string): Promise<void> {
  const authenticator = createSoftwareAuthenticator({ origin });
  const starting = await request('POST', '/auth/passkey/register/start', 200, '', { username });
  const credential = await authenticator.create(starting.body.options);
  await request('POST', '/auth/passkey/register/verify', 201, starting.cookie, { credential });
  const login = await request('POST', '/auth/passkey/login/start', 200, '', { username });
  const assertion = await authenticator.get(login.body.options);
  const { cookie } = await request('POST', '/auth/passkey/login/verify', 200, login.cookie, {
    credential: assertion,
  });
  await request('GET', '/auth/session', 200, cookie);
  await request('DELETE', '/auth/session', 204, cookie);
  await request('GET', '/auth/session', 401, cookie);
}

const users = Array.from({ length: sessionsPerMinute }, () => ({ id: crypto.randomUUID(), token: '' }));

async function insertUsers(): Promise<void> {
  for (const { id } of users)
    await sql`
      insert into latchkey.users (id, username, user_handle, created_at) values (${id}, ${id}, ${id}, now())`;
}

/** Opens a session for each user, caches them all, and ends them with SQL. Notifications empty the cache. */
async function checkSessions(): Promise<void> {
  for (const user of users) user.token = newSessionToken();
  await sql`
    insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at,
      authenticated_at, ends_at, expires_at)
    select gen_random_uuid(), user_id, hash, 'full', 'passkey', clock, clock, clock,
      clock + interval '1 day', clock + interval '1 day'
    from latchkey.clock() as clock,
      unnest(${users.map(({ id }) => id)}::uuid[], ${users.map(({ token }) => hashToken(token))}::text[])
        as opened (user_id, hash)`;
  const check = ({ token }: { token: string }) => pass('/', 204, `latchkey=${token}`);
  await Promise.all(users.map(check));
  await Promise.all(users.slice(0, 10).map(check));
  await sql`delete from latchkey.sessions where user_id = any(${users.map(({ id }) => id)}::uuid[])`;
  await until(() => auth.statistics().sessionChecks.cached === 0);
}

/** Subscribes to sign-ups, serves a sign-up, sessions and requests without a session, and unsubscribes. */
async function serveMinute(minute: number): Promise<void> {
  // A subscription that is not removed keeps these 80 kB.
  const received: unknown[] = Array(10_000).fill(null);
  const unsubscribe = auth.on('account.signup', (event) => received.push(event));
  await signUpAndIn(`user-${minute}`);
  await checkSessions();
  for (let count = 0; count < strangersPerMinute; count += 1) await pass('/auth/session', 401);
  await until(() => received.length > 10_000);
  unsubscribe();
  if (minute % 10 === 0) await removeExpired(runtimeOf(auth));
  aheadMs += 60_000;
  await sql`update public.test_clock set ahead = ahead + interval '1 minute'`;
}

async function heapSize(): Promise<number> {
  // The second collection frees what finalizers have released.
  for (let round = 0; round < 2; round += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

await insertUsers();
// The cache is off until the process listens for notifications.
const opened = newSessionToken();
await pass('/', 401, `latchkey=${opened}`);
await until(() => auth.statistics().sessionChecks.listening);
const samples: number[] = [];
for (let minute = 1; minute <= warmUpMinutes + minutes; minute += 1) {
  await serveMinute(minute);
  if (minute > warmUpMinutes && minute % minutesPerSample === 0) samples.push(await heapSize());
}
const { sessionChecks } = auth.statistics();
process.stdout.write(JSON.stringify({ samples, sessionChecks }));
connections.destroy();
server.close();
await auth.close();
await sql.end();
