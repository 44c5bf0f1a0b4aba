import type { AuthError, AuthService } from 'latchkey';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { requireStandby } from './support/required-standby.ts';

let server: OwnPostgres;
let service: ServiceOn;
let sql: Sql;
beforeAll(async () => {
  server = await startOwnPostgres();
  service = await startServiceOn(server.url(), { migrate: true, auditBurstThreshold: 1 });
  sql = postgres(server.url(), { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await service.close();
  await sql.end();
  await server.remove();
});

beforeEach(() => requireStandby(server, ''));

/**
 * Sends a request that waits for a standby, and ends the wait as a server shutdown would. The change is then visible,
 * although no standby has it.
 */
async function sendUnconfirmed(send: () => Promise<number>): Promise<number> {
  const sent = send();
  let isOver = false;
  const over = sent.finally(() => {
    isOver = true;
  });
  await eventually(async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
    return isOver;
  });
  return over;
}

/**
 * Sends a request twice while no standby confirms changes, and once more without synchronous replication.
 *
 * @returns the three statuses
 */
async function sendThrice(send: () => Promise<number>): Promise<number[]> {
  await requireStandby(server, 'missing');
  const unconfirmed = [await sendUnconfirmed(send), await sendUnconfirmed(send)];
  await requireStandby(server, '');
  return [...unconfirmed, await statusAfterOutage(send)];
}

/** Repeats a request until it does not get 503, because the pool can still contain a connection that has ended. */
async function statusAfterOutage(send: () => Promise<number>): Promise<number> {
  let status = 503;
  await eventually(async () => {
    status = await send();
    return status !== 503;
  });
  return status;
}

const statusOfCall = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: AuthError) => error.status,
  );

/** Requests to repeat. The second request sees the change of the first one, so it writes nothing. */
const repeated: Record<string, (person: Person) => Promise<() => Promise<number>>> = {
  'a user ends another session twice (404)': async ({ browser, authenticator }) => {
    const other = service.browser();
    const { session } = (await logIn(other, authenticator)).body;
    return async () => (await browser.delete(`/auth/sessions/${session.id}`)).status;
  },
  'a user signs out twice (204)':
    async ({ browser }) =>
    async () =>
      (await browser.copy().delete('/auth/session')).status,
  'a request has the token of an ended session (401)': async ({ browser }) => {
    const copy = browser.copy();
    return async () => {
      await browser.copy().delete('/auth/session');
      return (await copy.delete('/auth/sessions')).status;
    };
  },
  'a challenge is used twice (401)': async ({ authenticator, username }) => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', { username })).body;
    const credential = await authenticator.get(options);
    // The first refusal of a sign-in records an event. Later ones are only counted, so they write nothing.
    await service.browser().post('/auth/passkey/login/verify', { credential });
    return async () => (await browser.copy().post('/auth/passkey/login/verify', { credential })).status;
  },
  'an operator disables a user twice (200)':
    async ({ username }) =>
    () =>
      statusOfCall(service.auth.asOperator('ops').users.disable(username)),
  'an operator deletes a user twice (404)':
    async ({ username }) =>
    () =>
      statusOfCall(service.auth.asOperator('ops').users.delete(username)),
};

test.each(Object.entries(repeated))(
  '%s: both get 503 while no standby has the change',
  async (name, prepare) => {
    const send = await prepare(await signUp(service));
    const expected = Number(/\((\d+)\)/.exec(name)?.[1]);
    expect(await sendThrice(send)).toEqual([503, 503, expected]);
  },
);

test('an invalid body (400) and a missing session token (401) are refused without a standby', async () => {
  const { browser } = await signUp(service);
  await requireStandby(server, 'missing');
  expect((await browser.patch('/auth/account', { displayName: 1 })).status).toBe(400);
  expect((await service.browser().delete('/auth/sessions')).status).toBe(401);
});

test('concurrent refusals share the statement that waits for a standby', async () => {
  const { browser } = await signUp(service);
  const ended = browser.copy();
  await browser.delete('/auth/session');
  await requireStandby(server, 'missing');
  const { succeeded } = service.auth.statistics().database;
  const statuses = Promise.all(
    Array.from({ length: 20 }, async () => (await ended.copy().delete('/auth/sessions')).status),
  );
  // Each request has read its session.
  await eventually(() => service.auth.statistics().database.succeeded >= succeeded + 20);
  await eventually(async () => (await waitingBackends()).length > 0);
  expect(await waitingBackends()).toHaveLength(1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  expect(new Set(await statuses)).toEqual(new Set([503]));
});

const waitingBackends = () => sql`select pid from pg_stat_activity where wait_event = 'SyncRep'`;

test.each<[string, (auth: AuthService) => Promise<unknown>]>([
  ['a checkpoint of the audit log', (auth) => auth.asOperator('ops').audit.checkpoint()],
  ['a page of the feed of audit events', (auth) => auth.asOperator('ops').audit.feed({})],
  ['the end of the feed of audit events', (auth) => auth.asOperator('ops').audit.feed({ after: 'end' })],
])('%s leaves the service only when a standby has it', async (_, read) => {
  await signUp(service);
  await sequence(sql);
  const send = () => statusOfCall(read(service.auth));
  await requireStandby(server, 'missing');
  expect(await sendUnconfirmed(send)).toBe(503);
  await requireStandby(server, '');
  expect(await statusAfterOutage(send)).toBe(200);
});
