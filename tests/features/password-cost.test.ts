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
  costOf,
  logInByPassword,
  password,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
} from './support/passwords.ts';
import { expectDisabled, reasonOfRefusal } from './support/refused-sign-in.ts';

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

/** A user whose password was hashed at the lowest cost. */
const signUpAtLowestCost = () => signUpWithPassword(service);

type Instance = Pick<ServiceOn, 'browser'>;
const signIn = (person: Person, at: Instance = service, given = password) =>
  logInByPassword(at.browser(), person, given);
const hashOf = (person: Person) => storedHash(service, person);
const versionOf = async ({ username }: Person): Promise<number> => {
  const [row] = await service.database.sql`select version from latchkey.users where username = ${username}`;
  return row?.version;
};

describe('after the bcrypt cost was raised,', () => {
  test('only the next sign-in hashes the password again, and the password works in every process', async () => {
    const person = await signUpAtLowestCost();
    expect(costOf(await hashOf(person))).toBe('04');
    expect((await signIn(person, costlier)).status).toBe(200);
    const renewed = await hashOf(person);
    expect(costOf(renewed)).toBe('05');
    expect((await signIn(person, costlier)).status).toBe(200);
    expect(await hashOf(person)).toBe(renewed);
    for (const at of [service, costlier]) {
      expect((await signIn(person, at)).status).toBe(200);
      expect((await signIn(person, at, 'something else')).status).toBe(401);
    }
    expect((await signIn(person, costliest)).status).toBe(200);
    expect(costOf(await hashOf(person))).toBe('07');
  });

  test('the next sign-in hashes the normalized password', async () => {
    const person = await signUp(service);
    await addPassword(person.browser, 'café creme');
    expect((await signIn(person, costlier, 'cafe\u0301 creme')).status).toBe(200);
    expect(costOf(await hashOf(person))).toBe('05');
    expect((await signIn(person, service, 'café creme')).status).toBe(200);
  });

  test('hashing again does not change the account’s version and records only the sign-in', async () => {
    const person = await signUpAtLowestCost();
    const [before, rows] = [await versionOf(person), (await service.auditRows()).length];
    await signIn(person, costlier);
    expect(await versionOf(person)).toBe(before);
    expect((await service.auditRows()).slice(rows)).toMatchObject([
      { event: 'password.login', outcome: 'success' },
    ]);
  });

  test.each<[what: string, given: string]>([
    ['the wrong password', 'something else'],
    ['a password that is too long', `${password}${'.'.repeat(128)}`],
  ])('a sign-in with %s does not hash the password again', async (_, given) => {
    const person = await signUpAtLowestCost();
    const before = await hashOf(person);
    expect(await reasonOfRefusal(service, await signIn(person, costlier, given))).toBe('password_wrong');
    expect(await hashOf(person)).toBe(before);
  });

  test('a sign-in of a disabled user does not hash the password again', async () => {
    const person = await signUpAtLowestCost();
    const before = await hashOf(person);
    await setStatus(service, person, 'disabled');
    await expectDisabled(service, await signIn(person, costlier));
    expect(await hashOf(person)).toBe(before);
  });

  test('a step-up accepts a digest with the old cost', async () => {
    const person = await signUpWithOnlyPassword(service);
    const browser = costlier.browser(person.browser.cookies);
    expect((await stepUpByPassword(browser)).status).toBe(200);
  });
});

describe('after the bcrypt cost was lowered,', () => {
  test('sign-ins and step-ups do not hash the password again', async () => {
    const person = await signUpWithOnlyPassword(service);
    await addPassword(costliest.browser(person.browser.cookies));
    const before = await hashOf(person);
    expect(costOf(before)).toBe('07');
    expect((await signIn(person, service)).status).toBe(200);
    expect((await stepUpByPassword(person.browser)).status).toBe(200);
    expect((await signIn(person, service, 'something else')).status).toBe(401);
    expect(await hashOf(person)).toBe(before);
  });

  test('a new password is hashed at the new cost', async () => {
    const person = await signUp(service);
    await addPassword(costliest.browser(person.browser.cookies));
    await addPassword(person.browser);
    expect(costOf(await hashOf(person))).toBe('04');
  });
});

describe('when sign-ins hash a password again,', () => {
  test('ten concurrent sign-ins all succeed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await signUpAtLowestCost();
      const answers = await together(times(10, () => signIn(person, costlier)));
      expect(statuses(answers)).toEqual(times(10, 200));
      expect(costOf(await hashOf(person))).toBe('05');
      expect((await signIn(person, costlier)).status).toBe(200);
    }
  });

  /** An instance that waits before `statement` until another sign-in has hashed the password again. */
  const startOvertakenInstance = (person: Person, statement: RegExp, cost: number) => {
    let renewed = false;
    return startSecondInstance(service, { bcryptCost: cost }, async (text) => {
      if (renewed || !statement.test(text)) return;
      renewed = true;
      await signIn(person, costlier);
    });
  };

  test.each([
    ['that hashes the password again', 5],
    ['on an instance with the old cost', 4],
  ])('a sign-in %s succeeds even if another sign-in has just stored a new digest', async (_, cost) => {
    const person = await signUpAtLowestCost();
    const instance = await startOvertakenInstance(person, /insert into latchkey\.sessions/, cost);
    const answer = await signIn(person, instance);
    await instance.close();
    expect(costOf(await hashOf(person))).toBe('05');
    expect(answer.status).toBe(200);
  });

  test('a step-up succeeds even if a sign-in has just stored a new digest', async () => {
    const person = await signUpWithOnlyPassword(service);
    const instance = await startOvertakenInstance(person, /update latchkey\.sessions\s+set token_hash/, 4);
    const answer = await stepUpByPassword(instance.browser(person.browser.cookies));
    await instance.close();
    expect(costOf(await hashOf(person))).toBe('05');
    expect(answer.status).toBe(200);
  });
});
