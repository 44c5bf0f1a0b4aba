import { createHash } from 'node:crypto';
import bcrypt from 'bcrypt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { statuses, times, together } from '../support/many-requests.ts';
import { type Person, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import {
  addPassword,
  logInByPassword,
  password,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  storedHash,
  wrongPassword,
} from './support/passwords.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

const newSecret = 'Zq3vN8xK1mR7tB5wY0cF4hL9sD2gJ6pAeUoIiTqVwErX';
const currentForm = /^\$latchkey1\$[\w-]{8}\$2b\$04\$[./A-Za-z0-9]{53}$/;

let service: TestService;
/** Instances with other lists of secrets. Each name gives the order of the secrets. */
let oldAndNew: ServiceOn;
let newAndOld: ServiceOn;
let onlyNew: ServiceOn;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  const startWith = (secrets: string[]) => startSecondInstance(service, { secret: secrets, bcryptCost: 4 });
  oldAndNew = await startWith([secret, newSecret]);
  newAndOld = await startWith([newSecret, secret]);
  onlyNew = await startWith([newSecret]);
});
afterAll(async () => {
  await Promise.all([oldAndNew.close(), newAndOld.close(), onlyNew.close()]);
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, oldAndNew, newAndOld, onlyNew));

type Instance = Pick<ServiceOn, 'browser'>;
const signIn = (person: Person, at: Instance = service, given = password) =>
  logInByPassword(at.browser(), person, given);

/** Signs up a user with a hash of the earlier form: bcrypt's hash of the password itself. */
async function signUpWithEarlierHash(given = password): Promise<Person> {
  const person = await signUpWithOnlyPassword(service);
  const hash = await bcrypt.hash(given, 4);
  await service.database.sql`
    update latchkey.users set password_hash = ${hash} where id = ${userIdOf(person)}`;
  return person;
}

describe('a stored password', () => {
  test('is a bcrypt hash of a keyed digest, with the id of the key', async () => {
    const person = await signUpWithPassword(service);
    const stored = `${await storedHash(service, person)}`;
    expect(stored).toMatch(currentForm);
    const hash = stored.slice(-60);
    const digests = ['sha256', 'sha384', 'sha512'].flatMap((algorithm) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) =>
        createHash(algorithm).update(password).digest(encoding),
      ),
    );
    for (const guess of [password, ...digests]) expect(await bcrypt.compare(guess, hash)).toBe(false);
  });

  test('has another key id in a service with another first secret', async () => {
    const person = await signUpWithPassword(service);
    const stored = `${await storedHash(service, person)}`;
    await addPassword(newAndOld.browser(person.browser.cookies));
    const other = `${await storedHash(service, person)}`;
    expect(other).toMatch(currentForm);
    expect(other.slice(0, 19)).not.toBe(stored.slice(0, 19));
  });
});

describe('a hash of the earlier form', () => {
  test('is accepted, and the sign-in replaces it without a further round trip', async () => {
    const person = await signUpWithEarlierHash();
    service.statements.length = 0;
    expect((await signIn(person)).status).toBe(200);
    expect(service.statements).toHaveLength(2);
    const renewed = await storedHash(service, person);
    expect(renewed).toMatch(currentForm);
    expect((await signIn(person)).status).toBe(200);
    expect(await storedHash(service, person)).toBe(renewed);
    expect((await signIn(person, service, wrongPassword)).status).toBe(401);
  });

  test('is accepted and not replaced at a step-up', async () => {
    const person = await signUpWithEarlierHash();
    const before = await storedHash(service, person);
    expect((await stepUpByPassword(person.browser)).status).toBe(200);
    expect((await stepUpByPassword(person.browser, wrongPassword)).status).toBe(401);
    expect(await storedHash(service, person)).toBe(before);
  });

  test('is not replaced if the password is wrong', async () => {
    const person = await signUpWithEarlierHash();
    const before = await storedHash(service, person);
    expect(await reasonOfRefusal(service, await signIn(person, service, wrongPassword))).toBe(
      'password_wrong',
    );
    expect(await storedHash(service, person)).toBe(before);
  });

  test('does not match a longer password that begins with the same 72 bytes', async () => {
    const first = 'lamp '.repeat(14).padEnd(72, 'z');
    const person = await signUpWithEarlierHash(first);
    expect(await reasonOfRefusal(service, await signIn(person, service, `${first}z`))).toBe('password_wrong');
    expect((await signIn(person, service, first)).status).toBe(200);
  });

  test('is replaced by ten concurrent sign-ins, which all succeed', async () => {
    const person = await signUpWithEarlierHash();
    expect(statuses(await together(times(10, () => signIn(person))))).toEqual(times(10, 200));
    expect(await storedHash(service, person)).toMatch(currentForm);
    expect((await signIn(person)).status).toBe(200);
  });
});

describe('while JWT_SECRET is rotated,', () => {
  test('a password works in every step, even in processes that are still in the previous step', async () => {
    const person = await signUpWithPassword(service);
    const steps = [service, oldAndNew, newAndOld, onlyNew];
    for (const [at, step] of steps.entries()) {
      expect((await signIn(person, step)).status).toBe(200);
      const before = steps[at - 1];
      if (before) expect((await signIn(person, before)).status).toBe(200);
      // The process of the step before may have replaced the hash.
      expect((await signIn(person, step)).status).toBe(200);
    }
  });

  test('a sign-in keeps a hash of the first secret, and replaces a hash of another secret', async () => {
    const person = await signUpWithPassword(service);
    const before = await storedHash(service, person);
    expect((await signIn(person, oldAndNew)).status).toBe(200);
    expect(await storedHash(service, person)).toBe(before);
    expect((await signIn(person, newAndOld)).status).toBe(200);
    const renewed = await storedHash(service, person);
    expect(renewed).not.toBe(before);
    expect((await signIn(person, newAndOld)).status).toBe(200);
    expect(await storedHash(service, person)).toBe(renewed);
  });

  test('a password whose secret was removed is rejected, and works again with the secret', async () => {
    const person = await signUpWithOnlyPassword(service);
    const before = await storedHash(service, person);
    expect(await reasonOfRefusal(service, await signIn(person, onlyNew))).toBe('secret_removed');
    expect((await stepUpByPassword(onlyNew.browser(person.browser.cookies))).status).toBe(401);
    expect(await storedHash(service, person)).toBe(before);
    expect((await signIn(person, newAndOld)).status).toBe(200);
    expect((await signIn(person, onlyNew)).status).toBe(200);
  });
});
