import { createInMemoryDatabase } from 'latchkey/testing';
import type { TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { sortedStatuses } from '../support/many-requests.ts';
import { newAuthenticator, newUsername, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { callDuring } from '../support/waiting.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { deleteUser, signUpAs } from './support/authority.ts';
import { alternatingRounds, type Pair, startPair } from './support/paired-changes.ts';

let service: TestService;
let refusing: Pair;
let allowing: Pair;
beforeAll(async () => {
  service = await startTestService();
  refusing = await startPair(service, { lookAlikes: 'refuse' });
  allowing = await startPair(service);
});
afterAll(async () => {
  await refusing.close();
  await allowing.close();
  await service.close();
});

type Instance = Pick<ServiceOn, 'browser'>;

/** Starts a sign-up. Returns a function that finishes it, on another instance if one is given. */
async function begin(instance: Instance, username: string): Promise<(at?: Instance) => Promise<Answer>> {
  const browser = instance.browser();
  const { options } = (await browser.post('/auth/passkey/register/start', { username })).body;
  const credential = await newAuthenticator().create(options);
  return (at) =>
    (at ? at.browser(browser.cookies) : browser).post('/auth/passkey/register/verify', { credential });
}

const beginBoth = ([first, second]: [string, string]) =>
  Promise.all([begin(service, first), begin(service, second)]);

const skeletons = async (...usernames: string[]) => {
  const rows = await service.database.sql`
    select skeleton from latchkey.users where username = any(${usernames})`;
  return rows.map(({ skeleton }) => skeleton);
};

let count = 0;
/** A new pair of usernames that look alike. */
function lookAlikes(): [string, string] {
  count += 1;
  const suffix = `${process.pid}x${count}`;
  return [`lena.${suffix}`, `1ena-${suffix}`];
}

/** Runs the callback with an instance that refuses look-alikes. */
const refused = <T>(act: (instance: ServiceOn) => Promise<T>): Promise<T> =>
  refusing.meet<[T]>(1, act).then(([result]) => result);

describe("with lookAlikes: 'refuse', a username that looks like another user's", () => {
  test('is not available, and the reason is look_alike', async () => {
    const [first, second] = lookAlikes();
    await signUp(service, { username: first });
    const availability = await refused((instance) => instance.auth.users.checkAvailability(second));
    expect(availability).toEqual({ username: second, available: false, reason: 'look_alike' });
    expect(await refused((instance) => instance.auth.users.checkAvailability(first))).toMatchObject({
      reason: 'taken',
    });
    const { body } = await refused((instance) =>
      instance.browser().get(`/auth/username/availability?username=${second}`),
    );
    expect(body).toEqual(availability);
  });

  test('is rejected when the sign-up starts', async () => {
    const [first, second] = lookAlikes();
    await signUp(service, { username: first });
    const start = (username: string) =>
      refused((instance) => instance.browser().post('/auth/passkey/register/start', { username }));
    expectProblem(await start(second), 'username_unacceptable', { reason: 'look_alike' });
    expectProblem(await start(first), 'username_taken');
  });

  test('is rejected when the sign-up finishes, if the other user signed up in between', async () => {
    const [first, second] = lookAlikes();
    const answer = await refused(async (instance) => {
      const finish = await begin(instance, second);
      await signUp(service, { username: first });
      return finish();
    });
    expectProblem(answer, 'username_unacceptable', { reason: 'look_alike' });
    expect(await auditRowsOf(service, answer)).toMatchObject([
      { event: 'account.signup', outcome: 'failure', target_name: second, details: { reason: 'look_alike' } },
    ]);
  });

  test('stays unavailable after the other account is deleted', async () => {
    const [first, second] = lookAlikes();
    const superadmin = await signUpAs(service, 'superadmin');
    await deleteUser(superadmin.browser, await signUp(service, { username: first }));
    expect(await refused((instance) => instance.auth.users.checkAvailability(second))).toMatchObject({
      reason: 'look_alike',
    });
  });

  test('is not available if two look-alikes signed up while the service allowed it', async () => {
    const [first, second] = lookAlikes();
    await signUp(service, { username: first });
    await signUp(service, { username: second });
    const third = first.replace('.', '_');
    expect(await refused((instance) => instance.auth.users.checkAvailability(third))).toMatchObject({
      reason: 'look_alike',
    });
  });
});

test("with lookAlikes: 'refuse', only one of two concurrent sign-ups with look-alikes succeeds", async () => {
  await alternatingRounds(async (processes) => {
    const usernames = lookAlikes();
    const [first, second] = await beginBoth(usernames);
    const answers = await refusing.meet<[Answer, Answer]>(processes, first, second);
    expect(sortedStatuses(answers)).toEqual([201, 400]);
    const rejected = answers.find(({ status }) => status === 400) as Answer;
    expectProblem(rejected, 'username_unacceptable', { reason: 'look_alike' });
    expect(await skeletons(...usernames)).toHaveLength(1);
  });
});

test("with lookAlikes: 'refuse', the second of two sign-ups with the same username gets username_taken", async () => {
  await alternatingRounds(async (processes) => {
    const username = newUsername('twin');
    const [first, second] = await beginBoth([username, username]);
    const answers = await refusing.meet<[Answer, Answer]>(processes, first, second);
    expect(sortedStatuses(answers)).toEqual([201, 409]);
    expectProblem(answers.find(({ status }) => status === 409) as Answer, 'username_taken');
  });
});

describe('by default, usernames that look alike', () => {
  test('are available, and both users can sign up', async () => {
    const [first, second] = lookAlikes();
    await signUp(service, { username: first });
    expect(await service.auth.users.checkAvailability(second)).toMatchObject({ available: true });
    await signUp(service, { username: second });
    expect((await skeletons(first, second)).filter((skeleton) => skeleton !== null)).toHaveLength(1);
  });

  test('can both sign up at the same time', async () => {
    await alternatingRounds(async (processes) => {
      const usernames = lookAlikes();
      const [first, second] = await beginBoth(usernames);
      const answers = await allowing.meet<[Answer, Answer]>(processes, first, second);
      expect(sortedStatuses(answers)).toEqual([201, 201]);
      expect((await skeletons(...usernames)).filter((skeleton) => skeleton !== null)).toHaveLength(1);
    });
  });

  test('can sign up while the look-alike of another user is being stored', async () => {
    const [first, second] = lookAlikes();
    await signUp(service, { username: first });
    const [skeleton] = await skeletons(first);
    const { sql } = service.database;
    await sql`update latchkey.users set skeleton = null where username = ${first}`;
    const finish = await begin(service, second);
    const store = (transaction: TransactionSql) =>
      transaction`update latchkey.users set skeleton = ${skeleton} where username = ${first}`;
    expect((await callDuring(sql, store, finish)).status).toBe(201);
    expect(await skeletons(first, second)).toEqual(expect.arrayContaining([skeleton, null]));
  });
});

test('the first superadmin can have a username that looks like a reserved one, or like the name of a user', async () => {
  const other = await startTestService({ lookAlikes: 'refuse' });
  await signUp(other, { username: 'rosa' });
  const operator = other.auth.asOperator('ops');
  expect((await operator.bootstrap({ username: 'r0sa' })).user.username).toBe('r0sa');
  // The link of the first call was lost.
  expect((await operator.bootstrap({ username: 'adm1n' })).user.username).toBe('adm1n');
  const reason = async (username: string) => (await other.auth.users.checkAvailability(username)).reason;
  expect(await reason('r.osa')).toBe('look_alike');
  expect(await reason('adm1n')).toBe('reserved');
  await other.close();
});

test('with the in-memory database, the username of a look-alike is not available', async () => {
  const inMemory = await startServiceOn(createInMemoryDatabase(), { migrate: true, lookAlikes: 'refuse' });
  await signUp(inMemory, { username: 'anna' });
  expect(await inMemory.auth.users.checkAvailability('4nna')).toMatchObject({ reason: 'look_alike' });
  await signUp(inMemory, { username: 'bea' });
  await inMemory.close();
});
