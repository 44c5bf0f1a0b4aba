import type { AuthError } from 'latchkey';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';

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

beforeEach(() => waitForStandby(''));

/** Makes each change wait for this standby, which does not exist. Empty: for none. */
async function waitForStandby(name: string): Promise<void> {
  await server.configure(`synchronous_standby_names = '${name}'`);
  await eventually(
    async () => (await sql`show synchronous_standby_names`)[0]?.synchronous_standby_names === name,
  );
}

/**
 * Sends a request that waits for the standby, and ends this wait in the same way as the shutdown of the server does. So
 * the change becomes visible, although no standby has it.
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
 * Sends a request twice while no standby confirms it, and once more without a standby.
 *
 * @returns the three statuses
 */
async function sendThrice(send: () => Promise<number>): Promise<number[]> {
  await waitForStandby('missing');
  const unconfirmed = [await sendUnconfirmed(send), await sendUnconfirmed(send)];
  await waitForStandby('');
  return [...unconfirmed, await send()];
}

const statusOfCall = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: AuthError) => error.status,
  );

/** What a request has changed is visible before its second attempt, so the second attempt changes nothing. */
const repeated: Record<string, (person: Person) => Promise<() => Promise<number>>> = {
  'end of another session (404)': async ({ browser, authenticator }) => {
    const other = service.browser();
    const { session } = (await logIn(other, authenticator)).body;
    return async () => (await browser.delete(`/auth/sessions/${session.id}`)).status;
  },
  'sign-out (204)':
    async ({ browser }) =>
    async () =>
      (await browser.copy().delete('/auth/session')).status,
  'request with the token of an ended session (401)': async ({ browser }) => {
    const copy = browser.copy();
    return async () => {
      await browser.copy().delete('/auth/session');
      return (await copy.delete('/auth/sessions')).status;
    };
  },
  'second use of a challenge (401)': async ({ authenticator, username }) => {
    const browser = service.browser();
    const { options } = (await browser.post('/auth/passkey/login/start', { username })).body;
    const credential = await authenticator.get(options);
    // The first refusal of a sign-in records an event. Later ones are only counted, so they write nothing.
    await service.browser().post('/auth/passkey/login/verify', { credential });
    return async () => (await browser.copy().post('/auth/passkey/login/verify', { credential })).status;
  },
  'second disabling by an operator (200)':
    async ({ username }) =>
    () =>
      statusOfCall(service.auth.asOperator('ops').users.disable(username)),
  'second deletion by an operator (404)':
    async ({ username }) =>
    () =>
      statusOfCall(service.auth.asOperator('ops').users.delete(username)),
};

test.each(Object.entries(repeated))(
  '%s: no answer while no standby has the earlier change',
  async (name, prepare) => {
    const send = await prepare(await signUp(service));
    const expected = Number(/\((\d+)\)/.exec(name)?.[1]);
    expect(await sendThrice(send)).toEqual([503, 503, expected]);
  },
);

test('a refusal that depends on no data does not wait for a standby', async () => {
  const { browser } = await signUp(service);
  await waitForStandby('missing');
  expect((await browser.patch('/auth/account', { displayName: 1 })).status).toBe(400);
  expect((await service.browser().delete('/auth/sessions')).status).toBe(401);
});
