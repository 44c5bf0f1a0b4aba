import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { statuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import {
  addPassword,
  logInByPassword,
  password,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
} from './support/passwords.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
let costlier: ServiceOn;
let costliest: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  costlier = await startSecondInstance(service, { bcryptCost: 5 });
  costliest = await startSecondInstance(service, { bcryptCost: 7 });
});
afterAll(async () => {
  await Promise.all([costlier.close(), costliest.close()]);
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, costlier, costliest));

/** Somebody whose password was set at the least cost. */
const personWithPassword = () => signUpWithPassword(service);

type Instance = Pick<ServiceOn, 'browser'>;
const enter = (person: Person, at: Instance = service, given = password) =>
  logInByPassword(at.browser(), person, given);
const hashOf = (person: Person) => storedHash(service, person);
const costOf = (hash: string | null) => /^\$2b\$(\d\d)\$/.exec(`${hash}`)?.[1];
const versionOf = async ({ username }: Person): Promise<number> => {
  const [row] = await service.database.sql`select version from latchkey.users where username = ${username}`;
  return row?.version;
};

describe('where the cost was raised', () => {
  test('a login hashes the password anew, once, and it goes on working everywhere', async () => {
    const person = await personWithPassword();
    expect(costOf(await hashOf(person))).toBe('04');
    expect((await enter(person, costlier)).status).toBe(200);
    const renewed = await hashOf(person);
    expect(costOf(renewed)).toBe('05');
    expect((await enter(person, costlier)).status).toBe(200);
    expect(await hashOf(person)).toBe(renewed);
    for (const at of [service, costlier]) {
      expect((await enter(person, at)).status).toBe(200);
      expect((await enter(person, at, 'something else')).status).toBe(401);
    }
    expect((await enter(person, costliest)).status).toBe(200);
    expect(costOf(await hashOf(person))).toBe('07');
  });

  test('it is the normalized password that is hashed anew', async () => {
    const person = await signUp(service);
    await addPassword(person.browser, 'café creme');
    expect((await enter(person, costlier, 'cafe\u0301 creme')).status).toBe(200);
    expect(costOf(await hashOf(person))).toBe('05');
    expect((await enter(person, service, 'café creme')).status).toBe(200);
  });

  test('hashing anew is no change of the password: one row of a login, and no other rule is disturbed', async () => {
    const person = await personWithPassword();
    const [before, rows] = [await versionOf(person), (await service.auditRows()).length];
    await enter(person, costlier);
    expect(await versionOf(person)).toBe(before);
    expect((await service.auditRows()).slice(rows)).toMatchObject([
      { event: 'password.login', outcome: 'success' },
    ]);
  });

  test.each<[what: string, given: string]>([
    ['the wrong password', 'something else'],
    ['a password that is too long to be had', `${password}${'.'.repeat(60)}`],
  ])('a login with %s leaves the digest', async (_, given) => {
    const person = await personWithPassword();
    const before = await hashOf(person);
    expect(await reasonOfRefusal(service, await enter(person, costlier, given))).toBe('password_wrong');
    expect(await hashOf(person)).toBe(before);
  });

  test('a login of somebody disabled leaves the digest', async () => {
    const person = await personWithPassword();
    const before = await hashOf(person);
    await setStatus(service, person, 'disabled');
    expect(await reasonOfRefusal(service, await enter(person, costlier))).toBe('user_disabled');
    expect(await hashOf(person)).toBe(before);
  });

  test('a step-up takes the cheaper digest', async () => {
    const person = await personWithPassword();
    const browser = costlier.browser(person.browser.cookies);
    expect((await stepUpByPassword(browser)).status).toBe(200);
  });
});

describe('where the cost was lowered', () => {
  test('logins and step-ups keep the digest of more work', async () => {
    const person = await signUp(service);
    await addPassword(costliest.browser(person.browser.cookies));
    const before = await hashOf(person);
    expect(costOf(before)).toBe('07');
    expect((await enter(person, service)).status).toBe(200);
    expect((await stepUpByPassword(person.browser)).status).toBe(200);
    expect((await enter(person, service, 'something else')).status).toBe(401);
    expect(await hashOf(person)).toBe(before);
  });

  test('a new password is of the new cost', async () => {
    const person = await signUp(service);
    await addPassword(costliest.browser(person.browser.cookies));
    await addPassword(person.browser);
    expect(costOf(await hashOf(person))).toBe('04');
  });
});

describe('a right password is never refused because its digest was being renewed:', () => {
  test('ten logins at once after the cost was raised all succeed, and one digest is left', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await personWithPassword();
      const answers = await together(times(10, () => enter(person, costlier)));
      expect(statuses(answers)).toEqual(times(10, 200));
      expect(costOf(await hashOf(person))).toBe('05');
      expect((await enter(person, costlier)).status).toBe(200);
    }
  });

  /** Another login renews the digest right ahead of the statement that opens or renews the session. */
  const meeting = (person: Person, statement: RegExp, cost: number) => {
    let renewed = false;
    return startSecondInstance(service, { bcryptCost: cost }, async (text) => {
      if (renewed || !statement.test(text)) return;
      renewed = true;
      await enter(person, costlier);
    });
  };

  test.each([
    ['that renews it as well', 5],
    ['of an instance with the cost of before', 4],
  ])('a login %s, met by one that was faster', async (_, cost) => {
    const person = await personWithPassword();
    const instance = await meeting(person, /insert into latchkey\.sessions/, cost);
    const answer = await enter(person, instance);
    await instance.close();
    expect(costOf(await hashOf(person))).toBe('05');
    expect(answer.status).toBe(200);
  });

  test('a step-up, met by a login that renews it', async () => {
    const person = await personWithPassword();
    const instance = await meeting(person, /update latchkey\.sessions\s+set token_hash/, 4);
    const answer = await stepUpByPassword(instance.browser(person.browser.cookies));
    await instance.close();
    expect(costOf(await hashOf(person))).toBe('05');
    expect(answer.status).toBe(200);
  });
});
