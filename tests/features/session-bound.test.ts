import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { startFrozenService } from '../support/frozen-clock.ts';
import { sortedStatuses, times } from '../support/many-requests.ts';
import { logIn, newAuthenticator, type Person, userIdOf } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import { meet } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { fillSessions, liveSessions } from './support/full-account.ts';
import { type Pair, startPair } from './support/paired-changes.ts';
import { logInByPassword, signUpWithPassword, wrongPassword } from './support/passwords.ts';
import { createLink, generateCodes, useCode, useLink } from './support/recovery.ts';

let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4 });
  pair = await startPair(service, { bcryptCost: 4 });
});
afterAll(async () => {
  await pair.close();
  await service.close();
});

const live = (person: Person) => liveSessions(service.database.sql, userIdOf(person));
const fill = (person: Person, count?: number) => fillSessions(service.database.sql, userIdOf(person), count);
const idOf = ({ body }: Answer): string => body.session.id;

/** All ways to open a session. Each prepares the way first, and returns the request that opens the session. */
const ways: Record<string, (person: Person) => Promise<(browser: TestAgent) => Promise<Answer>>> = {
  'a passkey':
    async ({ authenticator }) =>
    (browser) =>
      logIn(browser, authenticator),
  'a password': async (person) => (browser) => logInByPassword(browser, person),
  'a recovery code': async (person) => {
    const [code] = await generateCodes(person.browser);
    return (browser) => useCode(browser, person, code);
  },
  'a recovery link': async (person) => {
    const { token } = await createLink(service, person);
    return (browser) => useLink(browser, token);
  },
};

describe.each(Object.entries(ways))('opening a session with %s', (_, prepare) => {
  test('ends the least recently used session if the account has 100 sessions, and the audit log records this', async () => {
    const person = await signUpWithPassword(service);
    const open = await prepare(person);
    await fill(person);
    const [oldest, ...others] = await live(person);
    expect([oldest, others.length]).toEqual([person.signedUp.body.session.id, 99]);

    const answer = await open(service.browser());
    expect(answer.status).toBe(200);
    expect(new Set(await live(person))).toEqual(new Set([...others, idOf(answer)]));
    expect((await person.browser.get('/auth/session')).status).toBe(401);
    const rows = await wholeAuditRowsOf(service, answer);
    expect(rows.filter(({ event }) => event === 'session.end_oldest')).toMatchObject([
      { outcome: 'success', actor_id: userIdOf(person), target_id: userIdOf(person) },
    ]);
    expect(rows).toHaveLength(2);
  });

  test('ends no session if the account has 99', async () => {
    const person = await signUpWithPassword(service);
    const open = await prepare(person);
    await fill(person, 99);
    const before = await live(person);
    const answer = await open(service.browser());
    expect(new Set(await live(person))).toEqual(new Set([...before, idOf(answer)]));
    expect(await wholeAuditRowsOf(service, answer)).toHaveLength(1);
  });

  test('in a browser that is already signed in replaces only the session of that browser', async () => {
    const person = await signUpWithPassword(service);
    const open = await prepare(person);
    await fill(person);
    const [own, ...others] = await live(person);
    const answer = await open(person.browser);
    expect(answer.status).toBe(200);
    expect(own).toBe(person.signedUp.body.session.id);
    expect(new Set(await live(person))).toEqual(new Set([...others, idOf(answer)]));
    expect(await wholeAuditRowsOf(service, answer)).toHaveLength(1);
  });
});

describe('the 100 sessions of an account', () => {
  test('do not include sessions that have expired', async () => {
    const person = await signUpWithPassword(service);
    await fill(person);
    const [own, spare] = await live(person);
    await service.database.sql`
      update latchkey.sessions set expires_at = latchkey.clock() where id = ${`${spare}`}`;
    await logIn(service.browser(), person.authenticator);
    expect((await live(person))[0]).toBe(own);
    expect(await live(person)).toHaveLength(100);
  });

  test('do not include sessions of other accounts', async () => {
    const [full, person] = [await signUpWithPassword(service), await signUpWithPassword(service)];
    await fill(full);
    await logIn(service.browser(), person.authenticator);
    expect([(await live(full)).length, (await live(person)).length]).toEqual([100, 2]);
  });

  test('keep a session that is in use, and lose one that is not', async () => {
    const person = await signUpWithPassword(service);
    await service.turnClock({ minutes: 2 });
    await fill(person);
    await service.turnClock({ minutes: 5 });
    expect((await person.browser.get('/auth/sessions')).status).toBe(200);
    const [unused] = await live(person);
    await logIn(service.browser(), person.authenticator);
    expect((await person.browser.get('/auth/session')).status).toBe(200);
    expect(await live(person)).not.toContain(unused);
  });

  test('all continue if a sign-in fails', async () => {
    const person = await signUpWithPassword(service);
    const [code] = await generateCodes(person.browser);
    await fill(person);
    const before = await live(person);
    const browser = service.browser();
    const answers = [
      await logInByPassword(browser, person, wrongPassword),
      await logIn(browser, person.authenticator, { tamper: { userHandle: 'AAAA' } }),
      await useCode(browser, person, `${code}`.replaceAll(/\w/g, '2')),
      await useLink(browser, 'wrong'),
    ];
    expect(sortedStatuses(answers)).toEqual([401, 401, 401, 401]);
    expect(await live(person)).toEqual(before);
  });

  test('all continue if the account is disabled while a sign-in runs', async () => {
    const person = await signUpWithPassword(service);
    await fill(person);
    const before = await live(person);
    const { answer, changed } = await meet(service, {
      act: (instance) => logInByPassword(instance.browser(), person),
      before: /insert into latchkey\.sessions/,
      change: () => service.database.sql`
        update latchkey.users set status = 'disabled' where id = ${userIdOf(person)}`,
    });
    expect([answer.status, changed > 0]).toEqual([401, true]);
    expect(await live(person)).toEqual(before);
  });

  test('are all in the list of sessions', async () => {
    const person = await signUpWithPassword(service);
    await fill(person);
    const browser = service.browser();
    await logIn(browser, person.authenticator);
    const { sessions } = (await browser.get('/auth/sessions')).body;
    expect(new Set(sessions.map(({ id }: { id: string }) => id))).toEqual(new Set(await live(person)));
    expect(sessions).toHaveLength(100);
  });
});

/** Signs in concurrently, by passkey and by password, a minute after the account's other sessions were used. */
async function signInTogether(processes: 1 | 2, person: Person, count: number): Promise<Answer[]> {
  await service.turnClock({ minutes: 1 });
  const acts = Array.from(
    { length: count },
    (_, n) => (instance: ServiceOn) =>
      n % 2 === 0
        ? logIn(instance.browser(), person.authenticator)
        : logInByPassword(instance.browser(), person),
  );
  return pair.meet(processes, ...acts);
}

describe.each([
  ['one process', 1],
  ['two processes', 2],
] as const)('twenty concurrent sign-ins in %s', (_, processes) => {
  test('leave an account with 100 sessions at 100: the twenty new sessions, and the 80 that were used last', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUpWithPassword(service, undefined);
      await fill(person);
      const before = await live(person);
      const answers = await signInTogether(processes, person, 20);
      expect(answers.map(({ status }) => status)).toEqual(times(20, 200));
      expect(new Set(await live(person))).toEqual(new Set([...before.slice(20), ...answers.map(idOf)]));
    }
  });

  test.each([90, 99])(
    'add at most 20 sessions to an account with %i, and the next sign-in reduces the number to 100',
    async (count) => {
      for (let round = 0; round < rounds; round += 1) {
        const person = await signUpWithPassword(service);
        await fill(person, count);
        const answers = await signInTogether(processes, person, 20);
        expect(answers.map(({ status }) => status)).toEqual(times(20, 200));
        const reached = (await live(person)).length;
        expect(reached).toBeGreaterThanOrEqual(100);
        expect(reached).toBeLessThanOrEqual(count + 20);
        await logInByPassword(service.browser(), person);
        expect(await live(person)).toHaveLength(100);
      }
    },
  );

  test('leave an account with 115 sessions at 100', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUpWithPassword(service);
      await fill(person, 115);
      const before = await live(person);
      const answers = await signInTogether(processes, person, 20);
      expect(new Set(await live(person))).toEqual(new Set([...before.slice(35), ...answers.map(idOf)]));
    }
  });
});

test('a sign-up opens the first session of its account, even in the browser of an account with 100', async () => {
  const person = await signUpWithPassword(service);
  await fill(person);
  const authenticator = newAuthenticator();
  const { body } = await person.browser.post('/auth/passkey/register/start', { username: 'bound-sign-up' });
  const credential = await authenticator.create(body.options);
  const answer = await person.browser.post('/auth/passkey/register/verify', { credential });
  expect(answer.status).toBe(201);
  expect(await liveSessions(service.database.sql, answer.body.user.id)).toEqual([idOf(answer)]);
  expect(await live(person)).toHaveLength(99);
});
