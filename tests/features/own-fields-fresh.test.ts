import type { AuthServiceOptions, UserFields } from 'latchkey';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { signUpAs, usersPath } from './support/authority.ts';
import { signUpWithOnlyPassword } from './support/passwords.ts';

const text = v.string();
const userFields = {
  iban: { schema: text, read: 'user', write: 'user', requiresFreshAuthentication: true },
  color: { schema: text, read: 'user', write: 'user' },
} as const satisfies UserFields;
const withFields = { userFields } as object as AuthServiceOptions;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ...withFields, bcryptCost: 4 });
});
afterAll(() => service.close());
afterEach(() => expectNoLoggedErrors(service));

const patch = ({ browser }: Person, body: object) => browser.patch('/auth/account', body);
const fieldsOf = async (person: Person) => {
  const [row] = await service.database.sql`select fields from latchkey.users where id = ${userIdOf(person)}`;
  return row?.fields;
};
const age = (person: Person) => service.database.sql`
  update latchkey.sessions set authenticated_at = latchkey.clock() - '11 minutes'::interval
  where user_id = ${userIdOf(person)}`;

test('changing the field needs fresh authentication, also together with other values', async () => {
  const person = await signUp(service);
  expect((await patch(person, { fields: { iban: 'NO1' } })).status).toBe(200);
  await age(person);
  for (const body of [
    { fields: { iban: 'NO2' } },
    { fields: { iban: null } },
    { displayName: 'Ada', fields: { color: 'red', iban: 'NO2' } },
  ]) {
    const answer = await patch(person, body);
    expectProblem(answer, 'reauthentication_required');
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'account.update', outcome: 'failure', details: { reason: 'reauthentication_required' } },
    ]);
  }
  expect(await fieldsOf(person)).toEqual({ iban: 'NO1' });
  await stepUp(person.browser, person.authenticator);
  expect((await patch(person, { fields: { iban: 'NO2' } })).body.user.fields).toEqual({ iban: 'NO2' });
});

test('other fields, and a request that does not change the field, need no fresh authentication', async () => {
  const person = await signUp(service);
  await patch(person, { fields: { iban: 'NO1' } });
  await age(person);
  const answer = await patch(person, { displayName: 'Ada', fields: { color: 'red', iban: 'NO1' } });
  expect(answer.body.user).toMatchObject({ displayName: 'Ada', fields: { color: 'red', iban: 'NO1' } });
});

test('a session that lost its rights while the request ran does not change the field', async () => {
  const person = await signUpWithOnlyPassword(service);
  const { answer } = await meet(service, {
    before: /update latchkey\.users/,
    change: async () => {
      const rows = await service.database.sql`
        insert into latchkey.passkeys
          (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label,
           created_at)
        values (gen_random_uuid(), ${userIdOf(person)}, 'other', 'none', 0, '[]',
          '00000000-0000-0000-0000-000000000000', true, true, 'other', latchkey.clock())
        returning id`;
      return { count: rows.length };
    },
    act: (instance) =>
      instance.browser(person.browser.cookies).patch('/auth/account', { fields: { iban: 'NO1' } }),
    options: withFields,
  });
  expectProblem(answer, 'passkey_required');
  expect(await fieldsOf(person)).toEqual({});
});

test('administrators need fresh authentication to change the field, as for every other field', async () => {
  const [boss, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
  const path = `${usersPath}/${userIdOf(person)}`;
  expect((await boss.browser.patch(path, { fields: { iban: 'NO3' } })).status).toBe(200);
  await age(boss);
  expectProblem(await boss.browser.patch(path, { fields: { iban: 'NO4' } }), 'reauthentication_required');
});

test.each([
  [
    'a value that is not a boolean',
    { write: 'user', requiresFreshAuthentication: 'yes' },
    /expected true or false/,
  ],
  [
    'a field that users cannot write',
    { write: 'admin', requiresFreshAuthentication: true },
    /expected write: 'user'/,
  ],
])('the service does not start with %s', async (_, definition, message) => {
  const iban = { schema: text, read: 'user', ...definition };
  const options = { userFields: { iban } } as object as AuthServiceOptions;
  await expect(startTestService(options)).rejects.toThrow(message);
});
