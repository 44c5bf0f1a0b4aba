import bcrypt from 'bcrypt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setStatus } from './support/accounts.ts';
import {
  addPassword,
  logInByPassword,
  password,
  stepUpByPassword,
  wrongPassword,
} from './support/passwords.ts';

/** One call of bcrypt. `rounds` is 2 to the power of the cost. */
interface Work {
  kind: 'compare' | 'hash';
  text: string;
  rounds: number;
}
/** The digest of a password: 256 bits in base64url. */
const digest = /^[\w-]{43}$/;
const work = vi.hoisted((): Work[] => []);

vi.mock('bcrypt', async (importOriginal) => {
  const { default: real } = await importOriginal<{ default: typeof import('bcrypt') }>();
  return {
    default: {
      ...real,
      compare: async (text: string, hash: string) => {
        // bcrypt rejects a malformed hash immediately, without work. In that case, this error makes the test fail.
        const worked = await real.hash(text, hash.slice(0, 29));
        if (worked.length !== 60 || hash.length !== 60) throw new Error(`no hash: ${hash}`);
        work.push({ kind: 'compare', text, rounds: 2 ** real.getRounds(hash) });
        return real.compare(text, hash);
      },
      hash: async (text: string, cost: number) => {
        work.push({ kind: 'hash', text, rounds: 2 ** cost });
        return real.hash(text, cost);
      },
    },
  };
});

const cost = 8;

let service: TestService;
let instance: ServiceOn;
let oneCheaper: ServiceOn;
let cheapest: Person;
let cheaper: Person;
let usual: Person;
let passwordless: Person;
let disabled: Person;
let earlier: Person;
let unknownSecret: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  instance = await startSecondInstance(service, { bcryptCost: cost });
  oneCheaper = await startSecondInstance(service, { bcryptCost: cost - 1 });
  const add = ({ browser }: Person, at: ServiceOn) => addPassword(at.browser(browser.cookies));
  [cheapest, cheaper, usual] = [await signUp(service), await signUp(service), await signUp(service)];
  [passwordless, disabled] = [await signUp(service), await signUp(service)];
  await addPassword(cheapest.browser);
  await add(cheaper, oneCheaper);
  await add(usual, instance);
  await add(disabled, instance);
  await setStatus(service, disabled, 'disabled');
  [earlier, unknownSecret] = [await signUp(service), await signUp(service)];
  const hash = await bcrypt.hash(password, cost);
  const store = (person: Person, stored: string) => service.database.sql`
    update latchkey.users set password_hash = ${stored} where id = ${userIdOf(person)}`;
  await store(earlier, hash);
  await store(unknownSecret, `$latchkey1$AAAAAAAA${hash}`);
});
afterAll(async () => {
  await instance.close();
  await oneCheaper.close();
  await service.close();
});
beforeEach(() => {
  work.length = 0;
});
afterEach(() => expect(service.logged).toEqual([]));

const sum = (kind: Work['kind']) =>
  work.filter((done) => done.kind === kind).reduce((rounds, done) => rounds + done.rounds, 0);

const refusedLogins: [who: string, of: () => [username: string, password: string]][] = [
  ['an unknown username', () => [newUsername('unknown'), password]],
  ['an invalid username', () => ['no good', password]],
  ['an account without a password', () => [passwordless.username, password]],
  ['a wrong password', () => [usual.username, wrongPassword]],
  ['a wrong password for a digest of the next lower cost', () => [cheaper.username, wrongPassword]],
  ['a wrong password for a digest of the lowest cost', () => [cheapest.username, wrongPassword]],
  ['the correct password of a disabled account', () => [disabled.username, password]],
  ['a wrong password for a disabled account', () => [disabled.username, wrongPassword]],
  ['a hash whose secret was removed', () => [unknownSecret.username, password]],
  ['a password that is too short', () => [usual.username, 'short']],
  ['a password that is too long', () => [usual.username, 'x'.repeat(129)]],
  [
    'a password of 129 characters for an account without a password',
    () => [passwordless.username, 'x'.repeat(129)],
  ],
  ['a password of 129 characters for an unknown username', () => [newUsername('unknown'), 'x'.repeat(129)]],
];

describe('the work of a rejected sign-in', () => {
  test.each(refusedLogins)('with %s is one comparison at the configured cost', async (_, of) => {
    const [username, given] = of();
    const answer = await logInByPassword(instance.browser(), { username }, given);
    expect(answer.status).toBe(username === disabled.username && given === password ? 409 : 401);
    expect([sum('compare'), sum('hash')]).toEqual([2 ** cost, 0]);
    // bcrypt always gets the digest of the password, so a long password takes the same time for every account.
    const [first] = work;
    expect(first?.text).toMatch(digest);
    expect(new Set(work.map(({ text }) => text)).size).toBe(1);
  });
});

test('the work of a rejected sign-in with a hash of the earlier form is one comparison at the configured cost', async () => {
  for (const given of [wrongPassword, 'x'.repeat(129)]) {
    work.length = 0;
    expect((await logInByPassword(instance.browser(), earlier, given)).status).toBe(401);
    expect([sum('compare'), sum('hash')]).toEqual([2 ** cost, 0]);
  }
});

test('the work of a successful sign-in is one comparison', async () => {
  expect((await logInByPassword(instance.browser(), usual)).status).toBe(200);
  expect([work.length, sum('compare'), sum('hash')]).toEqual([1, 2 ** cost, 0]);
});

describe('the work of a step-up', () => {
  test.each<[what: string, setAt: () => ServiceOn, given: string, status: number]>([
    ['with the password', () => instance, password, 200],
    ['with a wrong password', () => instance, wrongPassword, 401],
    ['with a wrong password for a cheaper digest', () => oneCheaper, wrongPassword, 401],
    ['with a password that is too long', () => instance, 'x'.repeat(129), 401],
  ])('%s is one comparison at the configured cost', async (_, setAt, given, status) => {
    const { browser, signedUp } = await signUp(service);
    await addPassword(setAt().browser(browser.cookies));
    await browser.delete(`/auth/passkey/devices/${signedUp.body.passkey.id}`);
    const ours = instance.browser(browser.cookies);
    work.length = 0;
    expect((await stepUpByPassword(ours, given)).status).toBe(status);
    expect([sum('compare'), sum('hash')]).toEqual([2 ** cost, 0]);
  });

  test('is zero for a user who has a passkey, because the password is not checked', async () => {
    const ours = instance.browser((await signUp(service)).browser.cookies);
    await addPassword(ours);
    work.length = 0;
    expect((await stepUpByPassword(ours)).status).toBe(403);
    expect(work).toEqual([]);
  });
});

test('setting a password hashes the password once, and a rejected password is not hashed', async () => {
  const browser = instance.browser((await signUp(service)).browser.cookies);
  for (const refused of ['short', 'x'.repeat(129), 'password1']) {
    expect((await addPassword(browser, refused)).status).toBe(400);
  }
  expect(work).toEqual([]);
  expect((await addPassword(browser, 'cafe\u0301 creme')).status).toBe(201);
  expect(work).toEqual([{ kind: 'hash', text: expect.stringMatching(digest), rounds: 2 ** cost }]);
});

test('a malformed request causes no bcrypt call', async () => {
  for (const body of [{ username: usual.username }, { username: usual.username, password: 'eight\0eight' }]) {
    expect((await instance.browser().post('/auth/password/login', body)).status).toBe(400);
  }
  expect(work).toEqual([]);
});
