import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import {
  newAuthenticator,
  newUsername,
  type Person,
  signUp,
  signUpStart,
  userIdOf,
} from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { whileInserting } from './support/held-insert.ts';
import { type Pair, startPair } from './support/paired-changes.ts';

const options = { usernames: { change: 'user' } } as const;
let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService(options);
  pair = await startPair(service, options);
});
afterAll(async () => {
  await pair.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service));

const processes = [1, 2] as const;
const renaming = (person: Person, username: string) => (instance: Pick<ServiceOn, 'browser'>) =>
  instance.browser(person.browser.cookies).put('/auth/account/username', { username });

const outcomes = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status).sort();

/** The accounts that have this username, and the accounts that hold it. */
const holdersOf = async (username: string) => {
  const { sql } = service.database;
  const having = await sql`select id from latchkey.users where username = ${username}`;
  const holding = await sql`select user_id as id from latchkey.held_usernames where username = ${username}`;
  return [...having, ...holding].map(({ id }) => id);
};

describe.each(processes)('in %i process(es)', (count) => {
  test('if two users choose the same username at the same time, only one of them gets it', async () => {
    for (let round = 0; round < 4 * rounds; round += 1) {
      const [one, other, name] = [await signUp(service), await signUp(service), newUsername('both')];
      const answers = await pair.meet(count, renaming(one, name), renaming(other, name));
      expect(outcomes(answers)).toEqual([200, 'username_taken']);
      expect(await holdersOf(name)).toHaveLength(1);
    }
  });

  test('two users who try to exchange their usernames at the same time keep their usernames', async () => {
    for (let round = 0; round < 4 * rounds; round += 1) {
      const [one, other] = [await signUp(service), await signUp(service)];
      const answers = await pair.meet(count, renaming(one, other.username), renaming(other, one.username));
      expect(outcomes(answers)).toEqual(['username_taken', 'username_taken']);
      expect(await holdersOf(one.username)).toEqual([userIdOf(one)]);
    }
  });

  test('no other user gets a username while its user changes to another username', async () => {
    for (let round = 0; round < 4 * rounds; round += 1) {
      const [one, other] = [await signUp(service), await signUp(service)];
      const answers = await pair.meet(
        count,
        renaming(one, newUsername('next')),
        renaming(other, one.username),
      );
      expect(outcomes(answers)).toEqual([200, 'username_taken']);
      expect(await holdersOf(one.username)).toEqual([userIdOf(one)]);
    }
  });

  test('if a sign-up and a change of a username choose the same username, only one of them succeeds', async () => {
    for (let round = 0; round < 4 * rounds; round += 1) {
      const [person, name] = [await signUp(service), newUsername('both')];
      const newcomer = service.browser();
      const credential = await newAuthenticator().create(await signUpStart(newcomer, name));
      const answers = await pair.meet(count, renaming(person, name), (instance) =>
        instance.browser(newcomer.cookies).post('/auth/passkey/register/verify', { credential }),
      );
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await holdersOf(name)).toHaveLength(1);
    }
  });

  test('after two concurrent changes, the account has one username, and the other two stay taken', async () => {
    for (let round = 0; round < 4 * rounds; round += 1) {
      const [person, a, b] = [await signUp(service), newUsername('a'), newUsername('b')];
      const answers = await pair.meet(count, renaming(person, a), renaming(person, b));
      expect(outcomes(answers)).toEqual([200, 200]);
      for (const name of [person.username, a, b]) expect(await holdersOf(name)).toEqual([userIdOf(person)]);
    }
  });
});

test('a sign-up does not get a username that another user gives up during its statement', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [person, newcomer, name] = [await signUp(service), service.browser(), newUsername('between')];
    const credential = await newAuthenticator().create(await signUpStart(newcomer, name));
    expect((await person.browser.put('/auth/account/username', { username: name })).status).toBe(200);
    const answer = await whileInserting(
      service,
      'users',
      () => newcomer.post('/auth/passkey/register/verify', { credential }),
      () => person.browser.put('/auth/account/username', { username: newUsername('last') }),
    );
    expectProblem(answer, 'username_taken');
    expect(await holdersOf(name)).toEqual([userIdOf(person)]);
  }
});
