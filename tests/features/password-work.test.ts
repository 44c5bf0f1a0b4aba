import type bcrypt from 'bcrypt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { logIn, newUsername, type Person, signUp } from '../support/person.ts';
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

/** What bcrypt was asked to do: rounds by their number, as its digest says, where it was one to be worked on. */
interface Work {
  kind: 'compare' | 'hash';
  password: string;
  rounds: number;
}
const work = vi.hoisted((): Work[] => []);

vi.mock('bcrypt', async (importOriginal) => {
  const { default: real } = await importOriginal<{ default: typeof bcrypt }>();
  return {
    default: {
      ...real,
      compare: async (password: string, digest: string) => {
        // A digest that bcrypt does not take for one is answered at once, without any work: this throws for it.
        const worked = await real.hash(password, digest.slice(0, 29));
        if (worked.length !== 60 || digest.length !== 60) throw new Error(`no digest: ${digest}`);
        work.push({ kind: 'compare', password, rounds: 2 ** real.getRounds(digest) });
        return real.compare(password, digest);
      },
      hash: async (password: string, cost: number) => {
        work.push({ kind: 'hash', password, rounds: 2 ** cost });
        return real.hash(password, cost);
      },
    },
  };
});

const cost = 8;

let service: TestService;
let instance: ServiceOn;
let cheapest: Person;
let cheaper: Person;
let usual: Person;
let passwordless: Person;
let disabled: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  instance = await startSecondInstance(service, { bcryptCost: cost });
  const nextTo = await startSecondInstance(service, { bcryptCost: cost - 1 });
  const add = ({ browser }: Person, at: ServiceOn) => addPassword(at.browser(browser.cookies));
  [cheapest, cheaper, usual] = [await signUp(service), await signUp(service), await signUp(service)];
  [passwordless, disabled] = [await signUp(service), await signUp(service)];
  await addPassword(cheapest.browser);
  await add(cheaper, nextTo);
  await add(usual, instance);
  await add(disabled, instance);
  await setStatus(service, disabled, 'disabled');
  await nextTo.close();
});
afterAll(async () => {
  await instance.close();
  await service.close();
});
beforeEach(() => {
  work.length = 0;
});
afterEach(() => expect(service.logged).toEqual([]));

const sum = (kind: Work['kind']) =>
  work.filter((done) => done.kind === kind).reduce((rounds, done) => rounds + done.rounds, 0);

const refusedLogins: [who: string, of: () => [username: string, password: string]][] = [
  ['nobody', () => [newUsername('nobody'), password]],
  ['an impossible name', () => ['no good', password]],
  ['somebody without a password', () => [passwordless.username, password]],
  ['somebody with the wrong one', () => [usual.username, wrongPassword]],
  [
    'somebody with the wrong one, whose digest is of the cost before,',
    () => [cheaper.username, wrongPassword],
  ],
  [
    'somebody with the wrong one, whose digest is of the least cost,',
    () => [cheapest.username, wrongPassword],
  ],
  ['somebody disabled with the right one', () => [disabled.username, password]],
  ['somebody disabled with the wrong one', () => [disabled.username, wrongPassword]],
  ['somebody with one that is too short to be had', () => [usual.username, 'short']],
  ['somebody with one that is too long to be had', () => [usual.username, 'x'.repeat(73)]],
  [
    'somebody without a password with one that is too long to be had',
    () => [passwordless.username, 'x'.repeat(73)],
  ],
  ['nobody with one that is too long to be had', () => [newUsername('nobody'), 'x'.repeat(73)]],
];

describe('the work of a refused login', () => {
  test.each(refusedLogins)('of %s is one comparison’s at the configured cost', async (_, of) => {
    const [username, given] = of();
    const answer = await logInByPassword(instance.browser(), { username }, given);
    expect(answer.status).toBe(401);
    expect([sum('compare'), sum('hash')]).toEqual([2 ** cost, 0]);
    // A password is as long for bcrypt whosever it is.
    expect(new Set(work.map((done) => done.password))).toEqual(new Set([given]));
  });
});

test('a login that succeeds is one comparison', async () => {
  expect((await logInByPassword(instance.browser(), usual)).status).toBe(200);
  expect([work.length, sum('compare'), sum('hash')]).toEqual([1, 2 ** cost, 0]);
});

describe('the work of a step-up', () => {
  test.each<[what: string, of: () => [Person, string], status: number]>([
    ['with the password', () => [usual, password], 200],
    ['with the wrong one', () => [usual, wrongPassword], 401],
    ['with the wrong one for a cheaper digest', () => [cheaper, wrongPassword], 401],
    ['without a password on the account', () => [passwordless, password], 401],
    ['with one that is too long to be had', () => [usual, 'x'.repeat(73)], 401],
  ])('%s is one comparison’s at the configured cost', async (_, of, status) => {
    const [{ browser, authenticator, username }, given] = of();
    const ours = instance.browser();
    // A session of its own: the one from the signup stays as it is for the other tests.
    await logIn(ours, authenticator, { username });
    expect(browser.cookies.get('latchkey')).not.toBe(ours.cookies.get('latchkey'));
    work.length = 0;
    expect((await stepUpByPassword(ours, given)).status).toBe(status);
    expect([sum('compare'), sum('hash')]).toEqual([2 ** cost, 0]);
  });
});

test('setting a password is one hashing, and refusing one is none', async () => {
  const browser = instance.browser((await signUp(service)).browser.cookies);
  for (const refused of ['short', 'x'.repeat(73), 'password1']) {
    expect((await addPassword(browser, refused)).status).toBe(400);
  }
  expect(work).toEqual([]);
  expect((await addPassword(browser, 'cafe\u0301 creme')).status).toBe(201);
  expect(work).toEqual([{ kind: 'hash', password: 'café creme', rounds: 2 ** cost }]);
});

test('a malformed request is no work', async () => {
  for (const body of [{ username: usual.username }, { username: usual.username, password: 'eight\0eight' }]) {
    expect((await instance.browser().post('/auth/password/login', body)).status).toBe(400);
  }
  expect(work).toEqual([]);
});
