import { createHash } from 'node:crypto';
import { AuthError } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';
import { sessionBegunAt } from './support/wire-format.ts';

const usePath = '/auth/recovery/assisted/use';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await freezeClock(service);
});
afterAll(() => service.close());

const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;
const createLink = ({ username }: { username: string }, operator = 'support desk') =>
  service.auth.recovery.createLink(username, { operator });
const use = (token: string, browser = service.browser()) => browser.post(usePath, { token });
const now = async (plusSeconds = 0) => {
  const [row] = await service.database.sql<{ now: Date }[]>`select latchkey.clock() as now`;
  return new Date(Number(row?.now) + plusSeconds * 1000).toISOString();
};
const linksOf = (person: Person) =>
  service.database.sql`select * from latchkey.recovery_links where user_id = ${userIdOf(person)}`;
const rowsAbout = async (person: Person, event: string) =>
  (await service.auditRows()).filter((row) => row.event === event && row.target_id === userIdOf(person));

describe('a link by an operator', () => {
  test('leads to the recovery page, with 256 random bits in its fragment, for an hour', async () => {
    const person = await signUp(service);
    const link = await createLink(person);
    expect(link).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${origin}/recover#token=${link.token}`,
      expiresAt: await now(3600),
    });
    expect(Buffer.from(link.token, 'base64url')).toHaveLength(32);
    const { pathname, search, hash } = new URL(link.url);
    expect([pathname, search, hash]).toEqual(['/recover', '', `#token=${link.token}`]);
  });

  test('is in the database as a hash alone, and in no log and no statement', async () => {
    const person = await signUp(service);
    service.statements.length = 0;
    const { token } = await createLink(person);
    const statements = [...service.statements];
    const hash = createHash('sha256').update(token).digest('base64url');
    expect(await linksOf(person)).toMatchObject([{ token_hash: hash, maker_id: null }]);
    await use(`${token.slice(0, -1)}!`);
    await use(token);
    await use(token);
    const text = JSON.stringify([
      statements,
      service.logged,
      await service.auditRows(),
      await linksOf(person),
    ]);
    for (const form of [token, hash, Buffer.from(token, 'base64url').toString('hex')]) {
      expect(text.includes(form)).toBe(false);
    }
  });

  test('is one audit row, with the operator as its actor', async () => {
    const person = await signUp(service);
    await createLink(person, 'ada at the desk');
    expect(await rowsAbout(person, 'recovery_link.create')).toMatchObject([
      {
        outcome: 'success',
        actor_type: 'operator',
        actor_id: null,
        actor_name: 'ada at the desk',
        target_type: 'user',
        target_name: person.username,
        ip: null,
        user_agent: null,
        request_id: null,
        details: {},
      },
    ]);
  });

  test('takes a username however it is written', async () => {
    const person = await signUp(service);
    const { token } = await createLink({ username: ` ${person.username.toUpperCase()} ` });
    expect((await use(token)).body.user.username).toBe(person.username);
  });

  test.each([
    ['nobody has', newUsername()],
    ['nobody can have', 'not a name!'],
    ['is empty', ''],
    ['is of 10,000 characters', 'x'.repeat(10_000)],
    ['holds NUL', 'an\0na'],
  ])('is not made for a name that %s', async (_, username) => {
    const before = await service.auditRows();
    const refusal = await createLink({ username }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AuthError);
    expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
    expect(await service.auditRows()).toEqual(before);
  });

  test.each(['', 'x'.repeat(65), 'ada\nroot', 'ada\0', '\u001b[31mada', 'ada\u0085'])(
    'is not made by an operator called %j',
    async (operator) => {
      const person = await signUp(service);
      await expect(createLink(person, operator)).rejects.toThrow(TypeError);
      expect(await linksOf(person)).toEqual([]);
      expect(await rowsAbout(person, 'recovery_link.create')).toEqual([]);
    },
  );

  test('is made by an operator of a name as long as the audit log shows', async () => {
    const person = await signUp(service);
    const operator = '\u{1f511}'.repeat(64);
    await createLink(person, operator);
    expect(await rowsAbout(person, 'recovery_link.create')).toMatchObject([{ actor_name: operator }]);
  });

  test.each(['user', 'admin', 'superadmin'])('is made for a person in the role %s', async (role) => {
    const person = await signUp(service);
    await service.database.sql`update latchkey.users set role = ${role} where id = ${userIdOf(person)}`;
    const { token } = await createLink(person);
    expect((await use(token)).body).toMatchObject({ user: { role }, session: { kind: 'recovery' } });
  });
});

describe('a link', () => {
  test('opens a recovery session and tells whose account it is', async () => {
    const person = await signUp(service);
    const { token } = await createLink(person);
    const browser = service.browser();
    const answer = await use(token, browser);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    expect(answer.body).toEqual({
      user: person.signedUp.body.user,
      session: {
        ...sessionBegunAt(await now()),
        kind: 'recovery',
        method: 'assisted_recovery',
        expiresAt: await now(3600),
      },
    });
    const cookie = browser.cookies.get('latchkey');
    expect(cookie).not.toBe(token);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^latchkey=${cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=\\d+$`)),
    ]);
    expect((await browser.get('/auth/session')).body.session).toEqual(answer.body.session);
    expect((await person.browser.get('/auth/session')).status).toBe(200);
  });

  test('takes the place of the session that was presented', async () => {
    const [person, helper] = [await signUp(service), await signUp(service)];
    const { token } = await createLink(person);
    const before = helper.browser.copy();
    await use(token, helper.browser);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
    expect((await helper.browser.get('/auth/session')).body.user.username).toBe(person.username);
  });

  test('is one audit row when it is used, with its person as actor and target', async () => {
    const person = await signUp(service);
    const answer = await use((await createLink(person)).token);
    expect(await rowsAbout(person, 'recovery_link.use')).toMatchObject([
      {
        outcome: 'success',
        actor_type: 'user',
        actor_id: userIdOf(person),
        actor_name: person.username,
        target_type: 'user',
        target_name: person.username,
        ip: '127.0.0.1',
        user_agent: 'node',
        request_id: answer.headers.get('X-Request-Id'),
        details: {},
      },
    ]);
  });

  test('brought fifty times at once, in two processes, opens one session, ten times over', async () => {
    const neighbour = await startSecondInstance(service);
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const { token } = await createLink(person);
      const requests = Array.from(
        { length: 50 },
        (_, n) => () => use(token, (n % 2 ? service : neighbour).browser()),
      );
      const answers = await Promise.all(requests.map((request) => request()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(401)]);
      const sessions = await service.database.sql`
        select from latchkey.sessions where user_id = ${userIdOf(person)} and kind = 'recovery'`;
      expect(sessions).toHaveLength(1);
      expect(await linksOf(person)).toEqual([]);
      const rows = (await service.auditRows()).filter(({ event }) => event === 'recovery_link.use');
      const ids = new Set(answers.map(({ headers }) => headers.get('X-Request-Id')));
      const outcomes = rows.filter(({ request_id }) => ids.has(request_id)).map(({ outcome }) => outcome);
      expect(outcomes.sort()).toEqual([...Array(49).fill('failure'), 'success']);
    }
    await neighbour.close();
  });

  test('made fifty times at once is one link', async () => {
    const person = await signUp(service);
    const links = await Promise.all(Array.from({ length: 50 }, () => createLink(person)));
    expect(new Set(links.map(({ token }) => token)).size).toBe(50);
    expect(await linksOf(person)).toHaveLength(1);
    const opened: Answer[] = [];
    for (const { token } of links) opened.push(await use(token));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is void when a second one is made, which has its own hour', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const first = await createLink(person);
    const spared = await createLink(other);
    await service.turnClock({ minutes: 59 });
    const second = await createLink(person);
    expect(second.expiresAt).toBe(await now(3600));
    expectProblem(await use(first.token), 'authentication_failed');
    expect((await use(spared.token)).status).toBe(200);
    await service.turnClock({ minutes: 59 });
    expect((await use(second.token)).status).toBe(200);
  });

  test('is good until the second in which its hour is over, and not in it', async () => {
    const [early, late] = [await signUp(service), await signUp(service)];
    const tokens = [(await createLink(early)).token, (await createLink(late)).token] as const;
    await service.turnClock({ seconds: 3599.999 });
    expect((await use(tokens[0])).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expect(await reasonOfRefusal(service, await use(tokens[1]))).toBe('link_expired');
    expect((await use((await createLink(late)).token)).status).toBe(200);
  });
});
