import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { statuses, times } from '../support/many-requests.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  type Person,
  preparePasskey,
  signUp,
  userIdOf,
} from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { type Pair, startPair } from './support/paired-changes.ts';
import { signUpWithPassword } from './support/passwords.ts';
import { completeRecovery, startRecovering } from './support/recovery.ts';

const devices = '/auth/passkey/devices';

let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  pair = await startPair(service);
});
afterAll(async () => {
  await pair.close();
  await service.close();
});

/** Adds passkeys with SQL until the account has `count`. Returns the ids of all its passkeys, oldest first. */
async function fillTo(person: Person, count: number): Promise<string[]> {
  const { sql } = service.database;
  const userId = userIdOf(person);
  await sql`
    insert into latchkey.passkeys
      (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label,
       created_at)
    select gen_random_uuid(), ${userId}, gen_random_uuid()::text, 'none', 0, '[]', gen_random_uuid(), true, true,
      'spare', latchkey.clock()
    from generate_series(1, ${count} - (select count(*)::int from latchkey.passkeys where user_id = ${userId}))`;
  const rows = await sql<{ id: string }[]>`
    select id from latchkey.passkeys where user_id = ${userId} order by created_at, id`;
  return rows.map(({ id }) => id);
}

const countOf = async (browser: TestAgent): Promise<number> =>
  (await browser.get(devices)).body.devices.length;

describe('an account with 50 passkeys', () => {
  test('cannot start adding a passkey', async () => {
    const person = await signUp(service);
    await fillTo(person, 49);
    expect((await addPasskey(person.browser)).status).toBe(201);
    expectProblem(await person.browser.post(`${devices}/add`, {}), 'too_many_passkeys');
    expect(await countOf(person.browser)).toBe(50);
  });

  test('cannot finish adding a passkey, and the audit log records the refusal', async () => {
    const person = await signUp(service);
    const finish = await preparePasskey(person.browser);
    await fillTo(person, 50);
    const answer = await finish();
    expectProblem(answer, 'too_many_passkeys');
    expect(await countOf(person.browser)).toBe(50);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      {
        event: 'passkey.add',
        outcome: 'failure',
        target_id: userIdOf(person),
        details: { reason: 'too_many_passkeys' },
      },
    ]);
  });

  test('can add a passkey after one was removed', async () => {
    const person = await signUp(service);
    const [, spare] = await fillTo(person, 50);
    expect((await person.browser.delete(`${devices}/${spare}`)).status).toBe(204);
    expect((await addPasskey(person.browser)).status).toBe(201);
    expect(await countOf(person.browser)).toBe(50);
  });

  test('can sign in', async () => {
    const person = await signUp(service);
    await fillTo(person, 50);
    const { status } = await logIn(service.browser(), person.authenticator, { username: person.username });
    expect(status).toBe(200);
  });

  test('can complete a recovery and keep 49 of its passkeys', async () => {
    const { person, browser } = await startRecovering(service, await signUpWithPassword(service));
    const ids = await fillTo(person, 50);
    const tooMany = await browser.post(`${devices}/add`, { keepPasskeys: ids });
    expectProblem(tooMany, 'invalid_request', {
      errors: [{ path: 'keepPasskeys', message: 'expected at most 49 passkey ids' }],
    });
    const unknown = times(49, '00000000-0000-7000-8000-000000000000');
    const refused = await completeRecovery(browser, { keepPasskeys: unknown }, newAuthenticator());
    expect([refused.status, refused.body.errors.length]).toEqual([400, 20]);
    const answer = await completeRecovery(browser, { keepPasskeys: ids.slice(1) }, newAuthenticator());
    expect(answer.status).toBe(201);
    expect(await countOf(browser)).toBe(50);
  });
});

test.each([
  ['one process', 1],
  ['two processes', 2],
] as const)(
  'twenty passkeys that are added concurrently in %s to an account with 45 leave it with 50',
  async (_, processes) => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(service);
      await fillTo(person, 45);
      const finishes = await Promise.all(times(20, person).map(({ browser }) => preparePasskey(browser)));
      const answers = await pair.meet(
        processes,
        ...finishes.map(
          (finish) => (instance: ServiceOn) => finish(instance.browser(person.browser.cookies)),
        ),
      );
      expect(statuses(answers).filter((status) => status === 201)).toHaveLength(5);
      for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'too_many_passkeys');
      expect(await countOf(person.browser)).toBe(50);
    }
  },
);

test('the start of a sign-in lists at most 50 passkeys, even if the account has more', async () => {
  const person = await signUp(service);
  await fillTo(person, 60);
  const start = await service.browser().post('/auth/passkey/login/start', { username: person.username });
  expect(start.body.options.allowCredentials).toHaveLength(50);
});

test('the start of a sign-in lists at most two invented passkeys for each of 500 unknown usernames', async () => {
  const browser = service.browser();
  const lists = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      browser.post('/auth/passkey/login/start', { username: `nobody-${n}` }),
    ),
  );
  const lengths = lists.map(({ body }) => body.options.allowCredentials.length);
  expect(new Set(lengths)).toEqual(new Set([1, 2]));
});
