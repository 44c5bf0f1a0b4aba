import { createHash } from 'node:crypto';
import { AuthError } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { newUsername, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { auditRowsAbout, ownWholeAuditRow } from './support/audit-log.ts';
import { currentSession, expectSessionCookie } from './support/current-session.ts';
import {
  createLink,
  expectRecoveryBegun,
  linkRowsOf,
  recoverySessionsOf,
  useLink,
} from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

const use = (token: string, browser = service.browser()) => useLink(browser, token);
const now = (plusSeconds?: number) => timeOf(service, plusSeconds);
const linksOf = (person: Person) => linkRowsOf(service, person);
const rowsAbout = (person: Person, event: string) => auditRowsAbout(service, person, event);

describe('a recovery link created by an operator', () => {
  test('points to the recovery page, contains 256 random bits in its fragment, and expires after an hour', async () => {
    const person = await signUp(service);
    const link = await createLink(service, person);
    expect(link).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${origin}/recover#token=${link.token}`,
      usableAt: await now(),
      expiresAt: await now(3600),
    });
    expect(Buffer.from(link.token, 'base64url')).toHaveLength(32);
    const { pathname, search, hash } = new URL(link.url);
    expect([pathname, search, hash]).toEqual(['/recover', '', `#token=${link.token}`]);
  });

  test('is stored only as a hash, even after use, and its token appears in no log line, audit row or statement', async () => {
    const person = await signUp(service);
    service.statements.length = 0;
    const { token } = await createLink(service, person);
    const statements = [...service.statements];
    const hash = createHash('sha256').update(token).digest('base64url');
    expect(await linksOf(person)).toMatchObject([{ token_hash: hash, maker_id: null }]);
    await use(`${token.slice(0, -1)}!`);
    await use(token);
    await use(token);
    expect(await linksOf(person)).toMatchObject([{ token_hash: hash, session_id: expect.any(String) }]);
    expect(JSON.stringify(await linksOf(person))).not.toContain(token);
    const text = JSON.stringify([statements, service.logged, await service.auditRows()]);
    for (const form of [token, hash, Buffer.from(token, 'base64url').toString('hex')]) {
      expect(text.includes(form)).toBe(false);
    }
  });

  test('writes one audit row with the operator as actor', async () => {
    const person = await signUp(service);
    await createLink(service, person, 'ada at the desk');
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

  test('is created for the normalized username', async () => {
    const person = await signUp(service);
    const { token } = await createLink(service, { username: ` ${person.username.toUpperCase()} ` });
    expect((await use(token)).body.user.username).toBe(person.username);
  });

  test.each([
    ['is unknown', newUsername()],
    ['is invalid', 'not a name!'],
    ['is empty', ''],
    ['has 10,000 characters', 'x'.repeat(10_000)],
    ['contains a NUL character', 'an\0na'],
  ])('is not created for a username that %s', async (_, username) => {
    const before = await service.auditRows();
    const refusal = await createLink(service, { username }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AuthError);
    expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
    expect(await service.auditRows()).toEqual(before);
  });

  test.each(['', 'x'.repeat(65), 'ada\nroot', 'ada\0', '\u001b[31mada', 'ada\u0085'])(
    'is not created for the operator name %j',
    async (operator) => {
      const person = await signUp(service);
      await expect(createLink(service, person, operator)).rejects.toThrow(TypeError);
      expect(await linksOf(person)).toEqual([]);
      expect(await rowsAbout(person, 'recovery_link.create')).toEqual([]);
    },
  );

  test('can be created with an operator name of 64 characters', async () => {
    const person = await signUp(service);
    const operator = '\u{1f511}'.repeat(64);
    await createLink(service, person, operator);
    expect(await rowsAbout(person, 'recovery_link.create')).toMatchObject([{ actor_name: operator }]);
  });

  test.each(['user', 'admin', 'superadmin'])('can be created for a user with the role %s', async (role) => {
    const person = await signUp(service);
    await setRole(service, person, role);
    const { token } = await createLink(service, person);
    expect((await use(token)).body).toMatchObject({ user: { role }, session: { kind: 'recovery' } });
  });
});

describe('a recovery link', () => {
  test('opens a recovery session and returns the user', async () => {
    const person = await signUp(service);
    const { token } = await createLink(service, person);
    const browser = service.browser();
    const answer = await use(token, browser);
    await expectRecoveryBegun(service, person, answer, 'assisted_recovery');
    expect(expectSessionCookie(browser, answer, '\\d+')).not.toBe(token);
    expect(await currentSession(browser)).toEqual(answer.body.session);
    expect((await person.browser.get('/auth/session')).status).toBe(200);
  });

  test('replaces the browser’s earlier session', async () => {
    const [person, helper] = [await signUp(service), await signUp(service)];
    const { token } = await createLink(service, person);
    const before = helper.browser.copy();
    await use(token, helper.browser);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
    expect((await helper.browser.get('/auth/session')).body.user.username).toBe(person.username);
  });

  test('writes one audit row when it is used, with its user as actor and target', async () => {
    const person = await signUp(service);
    const answer = await use((await createLink(service, person)).token);
    expect(await rowsAbout(person, 'recovery_link.use')).toMatchObject([
      {
        ...ownWholeAuditRow(person, 'recovery_link.use'),
        request_id: answer.headers.get('X-Request-Id'),
      },
    ]);
  });

  test('opens one session when it is used fifty times concurrently in two processes (5 runs)', async () => {
    const otherInstance = await startSecondInstance(service);
    for (let round = 0; round < 5; round += 1) {
      const person = await signUp(service);
      const { token } = await createLink(service, person);
      const answers = await together(
        times(25, [service, otherInstance])
          .flat()
          .map((instance) => () => use(token, instance.browser())),
      );
      expect(sortedStatuses(answers)).toEqual([200, ...times(49, 401)]);
      expect(await recoverySessionsOf(service, person)).toHaveLength(1);
      const opened = answers.find(({ status }) => status === 200)?.body.session.id;
      expect(await linksOf(person)).toMatchObject([{ session_id: opened }]);
      const rows = (await service.auditRows()).filter(({ event }) => event === 'recovery_link.use');
      const ids = new Set(answers.map(({ headers }) => headers.get('X-Request-Id')));
      const outcomes = rows.filter(({ request_id }) => ids.has(request_id)).map(({ outcome }) => outcome);
      expect(outcomes.sort()).toEqual([...times(49, 'failure'), 'success']);
    }
    await otherInstance.close();
  });

  test('from fifty concurrent requests for the same user: only one of the fifty links works', async () => {
    const person = await signUp(service);
    const links = await together(times(50, () => createLink(service, person)));
    expect(new Set(links.map(({ token }) => token)).size).toBe(50);
    expect(await linksOf(person)).toHaveLength(1);
    const opened: Answer[] = [];
    for (const { token } of links) opened.push(await use(token));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is replaced by a second link, and the second link expires an hour after its own creation', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const first = await createLink(service, person);
    const spared = await createLink(service, other);
    await service.turnClock({ minutes: 59 });
    const second = await createLink(service, person);
    expect(second.expiresAt).toBe(await now(3600));
    expectProblem(await use(first.token), 'authentication_failed');
    expect((await use(spared.token)).status).toBe(200);
    await service.turnClock({ minutes: 59 });
    expect((await use(second.token)).status).toBe(200);
  });

  test('expires after exactly an hour', async () => {
    const [early, late] = [await signUp(service), await signUp(service)];
    const tokens = [
      (await createLink(service, early)).token,
      (await createLink(service, late)).token,
    ] as const;
    await service.turnClock({ seconds: 3599.999 });
    expect((await use(tokens[0])).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expect(await reasonOfRefusal(service, await use(tokens[1]))).toBe('link_expired');
    expect((await use((await createLink(service, late)).token)).status).toBe(200);
  });
});
