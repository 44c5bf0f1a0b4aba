import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { sessionBegunAt, time, uuid } from './support/wire-format.ts';

const codesPath = '/auth/recovery/codes';
const devices = '/auth/passkey/devices';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await freezeClock(service);
});
afterAll(() => service.close());

const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;
const now = async () =>
  (await service.database.sql<{ now: Date }[]>`select latchkey.clock() as now`)[0]?.now.toISOString() ?? '';
const isAlive = async (browser: TestAgent) => (await browser.get('/auth/session')).status === 200;

/** A person with codes, and the browser that one of them has let in. */
async function recovering() {
  const person = await signUp(service);
  const { codes } = (await person.browser.post(`${codesPath}/generate`)).body;
  const enter = async (code: string) => {
    const browser = service.browser();
    await browser.post(`${codesPath}/use`, { username: person.username, code });
    return browser;
  };
  return { person, codes: codes as string[], browser: await enter(codes[0]), enter };
}

async function rowsOf(person: Person) {
  const { sql } = service.database;
  const id = userIdOf(person);
  return {
    passkeys: await sql`select * from latchkey.passkeys where user_id = ${id} order by id`,
    sessions: await sql`select * from latchkey.sessions where user_id = ${id} order by id`,
    links: await sql`select * from latchkey.recovery_links where user_id = ${id}`,
    codes: await sql`select * from latchkey.recovery_codes where user_id = ${id} order by code_hash`,
  };
}

const eventsOf = async ({ headers }: Answer) =>
  (await service.auditRows()).filter(({ request_id }) => request_id === headers.get('X-Request-Id'));

/** A new passkey for the browser's account, made and not yet sent. */
async function prepared(browser: TestAgent, authenticator = newAuthenticator(), tamper = {}) {
  const { options } = (await browser.post(`${devices}/add`, {})).body;
  const credential = await authenticator.create(options, tamper);
  return (from: TestAgent = browser) => from.post(`${devices}/add`, { credential });
}

describe('the new passkey', () => {
  test('turns the recovery session into a full one, that is fresh', async () => {
    const { person, browser } = await recovering();
    await service.turnClock({ minutes: 40 });
    const before = browser.copy();
    const finish = await prepared(browser, newAuthenticator());
    const answer = await finish();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ device: (await browser.get(devices)).body.devices[1] });
    expect(answer.body.device).toMatchObject({ id: expect.stringMatching(uuid), label: 'Passkey' });
    expect(answer.body.device.createdAt).toMatch(time);

    const token = browser.cookies.get('latchkey');
    expect(token).not.toBe(before.cookies.get('latchkey'));
    expect(answer.headers.getSetCookie()).toEqual([
      `latchkey=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`,
    ]);
    const { session, user } = (await browser.get('/auth/session')).body;
    expect(session).toEqual(sessionBegunAt(await now()));
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(604_800_000);
    expect(user).toMatchObject({ id: userIdOf(person), passkeyCount: 2, recoveryCodesRemaining: 9 });
    expect((await browser.post(`${codesPath}/generate`)).status).toBe(201);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
  });

  test('ends every other session of the account, in every process, and none of anybody else', async () => {
    const { person, browser, codes, enter } = await recovering();
    const stranger = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    const another = await enter(`${codes[1]}`);
    const neighbour = await startSecondInstance(service);
    await addPasskey(browser);
    for (const ended of [person.browser, elsewhere, another]) {
      expect(await isAlive(ended)).toBe(false);
      expect(await isAlive(neighbour.browser(ended.cookies))).toBe(false);
    }
    expect(await isAlive(neighbour.browser(browser.cookies))).toBe(true);
    expect(await isAlive(stranger.browser)).toBe(true);
    await neighbour.close();
    expect((await browser.get('/auth/sessions')).body.sessions).toMatchObject([
      { current: true, kind: 'full' },
    ]);
  });

  test('signs in from then on, beside the ones that were there', async () => {
    const { person, browser } = await recovering();
    const authenticator = newAuthenticator();
    await addPasskey(browser, authenticator);
    for (const passkey of [authenticator, person.authenticator]) {
      const { status, body } = await logIn(service.browser(), passkey);
      expect([status, body.user?.id]).toEqual([200, userIdOf(person)]);
    }
  });

  test('is two audit rows of one request: the passkey, and the recovery that it completes', async () => {
    const { person, browser } = await recovering();
    const answer = await addPasskey(browser, newAuthenticator(), { label: 'New phone' });
    const common = {
      outcome: 'success',
      actor_type: 'user',
      actor_id: userIdOf(person),
      actor_name: person.username,
      ip: '127.0.0.1',
      user_agent: 'node',
    };
    const rows = await eventsOf(answer);
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...common,
          event: 'passkey.add',
          target_type: 'passkey',
          target_id: answer.body.device.id,
          target_name: 'New phone',
          details: { aaguid: '00000000-0000-0000-0000-000000000000' },
        }),
        expect.objectContaining({
          ...common,
          event: 'recovery.complete',
          target_type: 'user',
          target_id: userIdOf(person),
          target_name: person.username,
          details: { method: 'recovery_code' },
        }),
      ]),
    );
  });

  test('voids the recovery link that is still about, and those of nobody else', async () => {
    const [{ person, browser }, other] = [await recovering(), await signUp(service)];
    const by = { operator: 'ops' };
    const link = await service.auth.recovery.createLink(person.username, by);
    const spared = await service.auth.recovery.createLink(other.username, by);
    await addPasskey(browser);
    const open = (token: string) => service.browser().post('/auth/recovery/assisted/use', { token });
    expectProblem(await open(link.token), 'authentication_failed');
    expect((await open(spared.token)).status).toBe(200);
  });

  test('leaves the unused codes alone: they are in the hand of who has just recovered', async () => {
    const { person, browser, codes, enter } = await recovering();
    const before = (await rowsOf(person)).codes;
    await addPasskey(browser);
    expect((await rowsOf(person)).codes).toEqual(before);
    expect(await isAlive(await enter(`${codes[1]}`))).toBe(true);
  });

  test('added in a full session ends nothing, whatever else is being recovered', async () => {
    const { person, browser } = await recovering();
    const link = await service.auth.recovery.createLink(person.username, { operator: 'ops' });
    const answer = await addPasskey(person.browser);
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect([await isAlive(person.browser), await isAlive(browser)]).toEqual([true, true]);
    expect((await eventsOf(answer)).map(({ event }) => event)).toEqual(['passkey.add']);
    const opened = await service.browser().post('/auth/recovery/assisted/use', { token: link.token });
    expect(opened.status).toBe(200);
  });
});

describe('a passkey that is refused', () => {
  test.each<[why: string, tamper: object]>([
    ['from another site', { clientData: { origin: 'https://evil.example' } }],
    ['without user verification', { flags: { uv: false } }],
  ])('%s leaves the recovery session and every other one', async (_, tamper) => {
    const { person, browser } = await recovering();
    await service.auth.recovery.createLink(person.username, { operator: 'ops' });
    const before = await rowsOf(person);
    const finish = await prepared(browser, newAuthenticator(), tamper);
    const answer = await finish();
    expectProblem(answer, 'registration_failed');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await rowsOf(person)).toEqual(before);
    expect(before).toMatchObject({ passkeys: [{}], sessions: [{}, {}], links: [{}] });
    expect(await eventsOf(answer)).toMatchObject([{ event: 'passkey.add', outcome: 'failure' }]);
    expect((await addPasskey(browser)).status).toBe(201);
  });

  test.each(['already', 'meanwhile'])(
    'since somebody else has %s registered it changes nothing',
    async (when) => {
      const { person, browser } = await recovering();
      const other = await signUp(service);
      const credentialId = Buffer.from(other.authenticator.credentials[0]?.id ?? '', 'base64url');
      const { sql } = service.database;
      if (when === 'meanwhile')
        await sql`update latchkey.passkeys set credential_id = 'away' where user_id = ${userIdOf(other)}`;
      const before = await rowsOf(person);
      const instance = await startSecondInstance(service, {}, async (statement) => {
        if (when === 'already' || !statement.includes('insert into latchkey.passkeys')) return;
        await sql`
        update latchkey.passkeys set credential_id = ${credentialId.toString('base64url')}
        where user_id = ${userIdOf(other)}`;
      });
      const finish = await prepared(browser, newAuthenticator(), { credentialId });
      const answer = await finish(instance.browser(browser.cookies));
      await instance.close();
      expectProblem(answer, 'passkey_already_registered');
      expect(await rowsOf(person)).toEqual(before);
      expect(await eventsOf(answer)).toMatchObject([
        { event: 'passkey.add', outcome: 'failure', details: { reason: 'passkey_already_registered' } },
      ]);
      expect((await logIn(service.browser(), other.authenticator)).body.user.id).toBe(userIdOf(other));
    },
  );

  test('since its challenge is somebody else’s leaves both accounts as they were', async () => {
    const [one, other] = [await recovering(), await recovering()];
    const finish = await prepared(one.browser);
    const thief = other.browser.copy();
    thief.cookies.set('latchkey-binding', `${one.browser.cookies.get('latchkey-binding')}`);
    expectProblem(await finish(thief), 'registration_failed');
    expect(await rowsOf(one.person)).toMatchObject({ passkeys: [{}], sessions: [{}, {}] });
    expect(await rowsOf(other.person)).toMatchObject({ passkeys: [{}], sessions: [{}, {}] });
  });

  test('since the recovery session has just ended leaves everything else', async () => {
    const { person, browser } = await recovering();
    let ended = 0;
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (!statement.includes('insert into latchkey.passkeys')) return;
      const { sql } = service.database;
      ended += (
        await sql`delete from latchkey.sessions where user_id = ${userIdOf(person)} and kind = 'recovery'`
      ).count;
    });
    const finish = await prepared(browser);
    expectProblem(await finish(instance.browser(browser.cookies)), 'not_authenticated');
    await instance.close();
    expect(ended).toBe(1);
    expect(await rowsOf(person)).toMatchObject({ passkeys: [{}], sessions: [{ kind: 'full' }] });
    expect(await isAlive(person.browser)).toBe(true);
  });
});
