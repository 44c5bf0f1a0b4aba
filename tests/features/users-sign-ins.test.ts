import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { addPasskey, logIn, type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { signUpAs } from './support/authority.ts';
import { impersonate, operatorAs } from './support/impersonation.ts';
import { logInByPassword, signUpWithPassword } from './support/passwords.ts';
import {
  completeRecovery,
  createLink,
  enterByCode,
  enterByLink,
  signUpWithCodes,
} from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ impersonation: true });
  await freezeClock(service);
});
afterAll(() => service.close());

/** Returns the last sign-in. Its time is in seconds before now. */
async function lastSignInOf(person: Pick<Person, 'signedUp'>) {
  const [row] = await service.database.sql`
    select sign_in_method as method, sign_in_user_agent as "userAgent",
      extract(epoch from latchkey.clock() - last_sign_in_at)::int as age
    from latchkey.user_sign_ins where user_id = ${userIdOf(person)}`;
  return row;
}
const turn = () => service.turnClock({ minutes: 1 });

test('a sign-up, a sign-in with the password and a sign-in with a passkey are recorded with their time and method', async () => {
  const person = await signUpWithPassword(service);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'passkey', age: 0 });
  await turn();
  expect(await lastSignInOf(person)).toMatchObject({ method: 'passkey', age: 60 });
  await logInByPassword(service.browser(), person);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'password', age: 0 });
  await turn();
  await logIn(service.browser(), person.authenticator);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'passkey', age: 0 });
});

test('a recovery with a code is recorded when it starts and when it is complete', async () => {
  const { person, codes } = await signUpWithCodes(service);
  await turn();
  const browser = await enterByCode(service, person, codes[0]);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'recovery_code', age: 0 });
  await turn();
  expect((await completeRecovery(browser)).status).toBe(201);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'passkey', age: 0 });
});

test('a recovery with a link is recorded', async () => {
  const person = await signUp(service);
  await turn();
  await enterByLink(service, (await createLink(service, person)).token);
  expect(await lastSignInOf(person)).toMatchObject({ method: 'assisted_recovery', age: 0 });
});

test('the browser of the sign-in is recorded', async () => {
  const person = await signUp(service);
  const [{ user_agent } = {}] = await service.database.sql`
    select user_agent from latchkey.sessions where user_id = ${userIdOf(person)}`;
  expect(await lastSignInOf(person)).toMatchObject({ userAgent: user_agent });
});

test('an impersonation, a step-up, a new passkey and a refused sign-in do not count as sign-ins', async () => {
  const person = await signUpWithPassword(service);
  const superadmin = await signUpAs(service, 'superadmin');
  await turn();
  expect((await stepUp(person.browser, person.authenticator)).status).toBe(200);
  expect((await addPasskey(person.browser)).status).toBe(201);
  expect((await impersonate(superadmin.browser, person)).status).toBe(201);
  await operatorAs(service, person);
  await logInByPassword(service.browser(), person, 'a wrong password');
  expect(await lastSignInOf(person)).toMatchObject({ method: 'passkey', age: 60 });
});

test('a user who was created and never signed in has no sign-in', async () => {
  const { user } = await service.auth.asOperator('ops').users.create({ username: 'made-without-sign-in' });
  const [row] = await service.database.sql`
    select sign_in_method, last_sign_in_at from latchkey.user_sign_ins where user_id = ${user.id}`;
  expect(row).toMatchObject({ sign_in_method: null });
});

test('the deletion of a user deletes the sign-in', async () => {
  const person = await signUp(service);
  expect((await person.browser.delete('/auth/account')).status).toBe(204);
  expect(await lastSignInOf(person)).toBeUndefined();
});

test('a sign-in that is concurrent with the deletion of the user leaves no sign-in', async () => {
  const person = await signUp(service);
  const { sql } = service.database;
  const connection = await sql.reserve();
  await connection`begin`;
  await connection`update latchkey.users set deleted_at = latchkey.clock() where id = ${userIdOf(person)}`;
  // The sign-in waits for the deleted row of user_sign_ins.
  const entering = logIn(service.browser(), person.authenticator);
  await eventually(async () => {
    const [{ waiting } = {}] = await sql`
      select count(*)::int as waiting from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    return waiting > 0;
  });
  await connection`commit`;
  connection.release();
  await entering;
  expect(await lastSignInOf(person)).toBeUndefined();
});
