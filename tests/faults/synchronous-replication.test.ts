import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newAuthenticator, newUsername, signUp, signUpStart } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { requireStandby } from './support/required-standby.ts';

let server: OwnPostgres;
let service: ServiceOn;
let sql: Sql;
beforeAll(async () => {
  server = await startOwnPostgres();
  service = await startServiceOn(server.url(), { migrate: true });
  sql = postgres(server.url(), { max: 1, onnotice: () => {} });
  await signUp(service);
});
afterAll(async () => {
  await service.close();
  await sql.end();
  await server.remove();
});

/** The connections that wait until a standby confirms their change. */
async function waitingBackends(): Promise<number> {
  const rows = await sql`select from pg_stat_activity where wait_event = 'SyncRep'`;
  return rows.length;
}

test('statements that wait for a missing standby occupy the connections of at most three pools, and the service works afterwards', async () => {
  await requireStandby(server, 'missing');
  let most = 0;
  // Each round takes the four seconds of the time limit. Then a new pool of ten connections replaces the pool.
  for (let round = 0; round < 5; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => signUpStatus()));
    expect(new Set(statuses)).toEqual(new Set([503]));
    most = Math.max(most, await waitingBackends());
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(30);
  await requireStandby(server, '');
  await eventually(async () => (await signUpStatus()) === 201);
  await eventually(async () => (await waitingBackends()) === 0);
});

async function signUpStatus(): Promise<number> {
  const browser = service.browser();
  const options = await signUpStart(browser, newUsername());
  // The start also gets 503 while the pool has no free connection.
  if (!options) return 503;
  const credential = await newAuthenticator().create(options);
  return (await browser.post('/auth/passkey/register/verify', { credential })).status;
}
