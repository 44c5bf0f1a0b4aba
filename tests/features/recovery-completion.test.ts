import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  type Person,
  preparePasskey,
  signUp,
  userIdOf,
} from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { ownWholeAuditRow, wholeAuditRowsOf } from './support/audit-log.ts';
import { expectSessionCookie, isSignedIn, tokenOf } from './support/current-session.ts';
import {
  codeRowsOf,
  createLink,
  enterByCode,
  linkRowsOf,
  postGenerate,
  startRecovering,
  useCode,
  useLink,
} from './support/recovery.ts';
import { sessionBegunAt, time, uuid } from './support/wire-format.ts';

const devices = '/auth/passkey/devices';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

async function rowsOf(person: Person) {
  const { sql } = service.database;
  const id = userIdOf(person);
  return {
    passkeys: await sql`select * from latchkey.passkeys where user_id = ${id} order by id`,
    sessions: await sql`select * from latchkey.sessions where user_id = ${id} order by id`,
    links: await linkRowsOf(service, person),
    codes: await codeRowsOf(service, person),
  };
}

const eventsOf = (answer: Answer) => wholeAuditRowsOf(service, answer);

describe('a passkey that is added during a recovery', () => {
  test('turns the recovery session into a full session with fresh authentication', async () => {
    const { person, browser } = await startRecovering(service);
    await service.turnClock({ minutes: 40 });
    const before = browser.copy();
    const finish = await preparePasskey(browser, newAuthenticator());
    const answer = await finish();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      device: { ...(await browser.get(devices)).body.devices[0], hasDefaultLabel: true },
      recoveryCodes: { codes: expect.any(Array), total: 10, expiresAt: null },
    });
    expect(answer.body.device).toMatchObject({ id: expect.stringMatching(uuid), label: 'Passkey' });
    expect(answer.body.device.createdAt).toMatch(time);

    expect(expectSessionCookie(browser, answer)).not.toBe(tokenOf(before));
    const { session, user } = (await browser.get('/auth/session')).body;
    expect(session).toEqual(sessionBegunAt(await timeOf(service)));
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(604_800_000);
    expect(user).toMatchObject({ id: userIdOf(person), passkeyCount: 1, recoveryCodesRemaining: 10 });
    expect((await postGenerate(browser)).status).toBe(201);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
  });

  test('ends every other session of the account in every process, and no session of other users', async () => {
    const { person, browser, codes } = await startRecovering(service);
    const stranger = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, person.authenticator);
    const another = await enterByCode(service, person, codes[1]);
    const neighbor = await startSecondInstance(service);
    await addPasskey(browser);
    for (const ended of [person.browser, elsewhere, another]) {
      expect(await isSignedIn(ended)).toBe(false);
      expect(await isSignedIn(neighbor.browser(ended.cookies))).toBe(false);
    }
    expect(await isSignedIn(neighbor.browser(browser.cookies))).toBe(true);
    expect(await isSignedIn(stranger.browser)).toBe(true);
    await neighbor.close();
    expect((await browser.get('/auth/sessions')).body.sessions).toMatchObject([
      { current: true, kind: 'full' },
    ]);
  });

  test('works for a sign-in, and the removed passkeys do not', async () => {
    const { person, browser } = await startRecovering(service);
    const authenticator = newAuthenticator();
    await addPasskey(browser, authenticator);
    const { status, body } = await logIn(service.browser(), authenticator);
    expect([status, body.user?.id]).toEqual([200, userIdOf(person)]);
    expectProblem(await logIn(service.browser(), person.authenticator), 'authentication_failed', {
      reason: 'unknown_credential',
    });
  });

  test('writes four audit rows: `passkey.add`, `passkey.remove`, `recovery_code.generate` and `recovery.complete`', async () => {
    const { person, browser } = await startRecovering(service);
    const answer = await addPasskey(browser, newAuthenticator(), { label: 'New phone' });
    const rows = await eventsOf(answer);
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...ownWholeAuditRow(person, 'passkey.add'),
          target_type: 'passkey',
          target_id: answer.body.device.id,
          target_name: 'New phone',
          details: { aaguid: '00000000-0000-0000-0000-000000000000' },
        }),
        expect.objectContaining({
          ...ownWholeAuditRow(person, 'recovery.complete'),
          details: {
            method: 'recovery_code',
            keptPasskeys: 0,
            removedPasskeys: 1,
            removedPassword: false,
          },
        }),
        expect.objectContaining({
          ...ownWholeAuditRow(person, 'passkey.remove'),
          target_type: 'passkey',
          target_id: person.signedUp.body.passkey.id,
          target_name: 'Passkey',
        }),
        expect.objectContaining({
          ...ownWholeAuditRow(person, 'recovery_code.generate'),
          details: { total: 10 },
        }),
      ]),
    );
  });

  test('cancels the recovery link of the account, and no link of other users', async () => {
    const [{ person, browser }, other] = [await startRecovering(service), await signUp(service)];
    const link = await createLink(service, person);
    const spared = await createLink(service, other);
    await addPasskey(browser);
    expectProblem(await useLink(service.browser(), link.token), 'authentication_failed');
    expect((await useLink(service.browser(), spared.token)).status).toBe(200);
  });

  test('replaces all recovery codes with new ones that work', async () => {
    const { person, browser, codes } = await startRecovering(service);
    const { recoveryCodes } = (await addPasskey(browser)).body;
    expect(new Set(recoveryCodes.codes).size).toBe(10);
    expect((await rowsOf(person)).codes).toHaveLength(10);
    for (const dead of codes) expect((await useCode(service.browser(), person, dead)).status).toBe(401);
    for (const code of recoveryCodes.codes)
      expect((await useCode(service.browser(), person, code)).status).toBe(200);
  });

  test('ends the recovery sessions of the account and cancels its recovery link, even if it is added in a full session', async () => {
    const { person, browser } = await startRecovering(service);
    const link = await createLink(service, person);
    const answer = await addPasskey(person.browser);
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body.recoveryCodes).toBeNull();
    expect([await isSignedIn(person.browser), await isSignedIn(browser)]).toEqual([true, false]);
    expect((await eventsOf(answer)).map(({ event }) => event)).toEqual(['passkey.add']);
    expectProblem(await useLink(service.browser(), link.token), 'authentication_failed');
  });
});

describe('a passkey', () => {
  test.each<[why: string, tamper: object]>([
    ['from another site', { clientData: { origin: 'https://evil.example' } }],
    ['without user verification', { flags: { uv: false } }],
  ])('%s is rejected and changes no passkey, session, link or code', async (_, tamper) => {
    const { person, browser } = await startRecovering(service);
    await createLink(service, person);
    const before = await rowsOf(person);
    const finish = await preparePasskey(browser, newAuthenticator(), tamper);
    const answer = await finish();
    expectProblem(answer, 'registration_failed');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await rowsOf(person)).toEqual(before);
    expect(before).toMatchObject({ passkeys: [{}], sessions: [{}, {}], links: [{}] });
    expect(await eventsOf(answer)).toMatchObject([{ event: 'passkey.add', outcome: 'failure' }]);
    expect((await addPasskey(browser)).status).toBe(201);
  });

  test.each(['already', 'meanwhile'])(
    'that another user has %s added is rejected and changes nothing',
    async (when) => {
      const { person, browser } = await startRecovering(service);
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
      const finish = await preparePasskey(browser, newAuthenticator(), { credentialId });
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

  test('with another user’s challenge is rejected and changes neither account', async () => {
    const [one, other] = [await startRecovering(service), await startRecovering(service)];
    const finish = await preparePasskey(one.browser);
    const attacker = other.browser.copy();
    attacker.cookies.set('latchkey-binding', `${one.browser.cookies.get('latchkey-binding')}`);
    expectProblem(await finish(attacker), 'registration_failed');
    expect(await rowsOf(one.person)).toMatchObject({ passkeys: [{}], sessions: [{}, {}] });
    expect(await rowsOf(other.person)).toMatchObject({ passkeys: [{}], sessions: [{}, {}] });
  });

  test('is rejected and has no effect if the recovery session has just ended', async () => {
    const { person, browser } = await startRecovering(service);
    const finish = await preparePasskey(browser);
    const { answer, changed } = await meet(service, {
      before: /insert into latchkey\.passkeys/,
      change: () =>
        service.database.sql`
          delete from latchkey.sessions where user_id = ${userIdOf(person)} and kind = 'recovery'`,
      act: (instance) => finish(instance.browser(browser.cookies)),
    });
    expectProblem(answer, 'not_authenticated');
    expect(changed).toBe(1);
    expect(await rowsOf(person)).toMatchObject({ passkeys: [{}], sessions: [{ kind: 'full' }] });
    expect(await isSignedIn(person.browser)).toBe(true);
  });
});
