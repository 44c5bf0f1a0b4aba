import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChecking } from '../features/support/remembering.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/person.ts';
import { startServiceOn } from '../support/service-on.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { type OwnPostgres, type Standby, startOwnPostgres } from './support/own-postgres.ts';

let old: OwnPostgres;
let standby: Standby;
let leaving: Person;
let proxies: DatabaseProxy[];
beforeAll(async () => {
  old = await startOwnPostgres();
  const service = await startServiceOn(old.url(), { migrate: true });
  leaving = await signUp(service);
  await service.close();
  await old.stop();
  standby = await old.copyAsStandby();
  await old.start();
  proxies = [await startDatabaseProxy(old.url()), await startDatabaseProxy(standby.url())];
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await old.remove();
  await standby.remove();
});

test('an idle process moves to the new primary, and rejects a session that ended there, even after the old primary resumes', async () => {
  const [oldProxy, newProxy] = proxies as [DatabaseProxy, DatabaseProxy];
  const [first, second] = [new URL(oldProxy.url), new URL(newProxy.url)];
  const idle = await startChecking(oldProxy.url.replace(first.host, `${first.host},${second.host}`));
  expect((await idle.check(leaving.browser)).status).toBe(200);
  const isListening = () => idle.auth.statistics().sessionChecks.listening;
  await eventually(isListening);

  // The process first finds no primary: the old one hangs, and the connection to the standby breaks.
  newProxy.breakAt(1, 'unsent');
  oldProxy.hang();
  await eventually(() => {
    const isPending = newProxy.takeBreak();
    if (isPending) newProxy.breakAt(1, 'unsent');
    return !isPending;
  });
  await standby.promote();
  await eventually(isListening);
  const elsewhere = await startServiceOn(standby.url());
  expect((await elsewhere.browser(leaving.browser.cookies).delete('/auth/session')).status).toBe(204);
  await elsewhere.close();

  // The old primary does not know yet that another server has replaced it.
  oldProxy.resume();
  expect((await idle.check(leaving.browser)).status).toBe(401);
  await idle.close();
});
