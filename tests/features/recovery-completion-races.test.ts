import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { sortedStatuses, statuses, times, together } from '../support/many-requests.ts';
import { logIn, newAuthenticator, type Person, preparePasskey, signUp, userIdOf } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
import { createLink, enterByCode, ledger, startRecovering, useLink } from './support/recovery.ts';

const devices = '/auth/passkey/devices';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/**
 * Locks a user's sessions. Statements that end these sessions then wait. `until(n)` resolves when n statements wait.
 * `go` removes the lock.
 */
async function lockSessions(
  person: Person,
): Promise<{ until(waiting: number): Promise<void>; go(): Promise<void> }> {
  const connection = await service.database.sql.reserve();
  await connection`begin`;
  await connection`select from latchkey.sessions where user_id = ${userIdOf(person)} for update`;
  return {
    until: (waiting) => untilWaiting(connection, waiting),
    go: async () => {
      await connection`rollback`;
      connection.release();
    },
  };
}
/**
 * Starts a process in which each statement that stores a passkey waits until `count` such statements wait. Then all of
 * them run. Later statements, such as retries, run immediately. After `holdAgain` is called, statements wait again.
 */
async function startHolding(count: number): Promise<ServiceOn & { holdAgain(): void }> {
  let waiting: (() => void)[] = [];
  let isOpen = false;
  const instance = await startSecondInstance(service, {}, async (statement) => {
    if (isOpen || !statement.includes('insert into latchkey.passkeys')) return;
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length < count) return;
      isOpen = true;
      for (const each of waiting) each();
    });
  });
  const holdAgain = () => {
    waiting = [];
    isOpen = false;
  };
  return { ...instance, holdAgain };
}
/** The expected ledger after one recovery that keeps no earlier credential. */
const afterOneRecovery = {
  codes: 10,
  used: 0,
  passkeys: 1,
  full_sessions: 1,
  recoveries: 0,
  links: 0,
  'passkey.add': 1,
  'recovery_code.generate': 2,
  'recovery.complete': 1,
};

describe('completing a recovery', () => {
  test('in fifty concurrent requests with fifty different passkeys leaves one passkey and one full session', async () => {
    const instance = await startHolding(50);
    for (let round = 0; round < 3; round += 1) {
      instance.holdAgain();
      const { person, browser: recovered } = await startRecovering(service);
      const browser = instance.browser(recovered.cookies);
      const authenticators = Array.from({ length: 50 }, () => newAuthenticator());
      // Sets the binding cookie first, so that all copies of the browser share this cookie, like the tabs of one
      // browser.
      await browser.post(`${devices}/add`, {});
      const finishes: (() => Promise<Answer>)[] = [];
      for (const authenticator of authenticators)
        finishes.push(await preparePasskey(browser.copy(), authenticator));
      const answers = await together(finishes);
      expect(sortedStatuses(answers)).toEqual([201, ...times(49, 401)]);
      expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
      expect(await ledger(service, person)).toMatchObject(afterOneRecovery);
      for (const [n, authenticator] of authenticators.entries()) {
        const { status } = await logIn(service.browser(), authenticator);
        expect(status).toBe(answers[n]?.status === 201 ? 200 : 401);
      }
    }
    await instance.close();
  });

  test('in fifty concurrent requests with the same passkey adds this passkey once', async () => {
    const { person, browser } = await startRecovering(service);
    await browser.post(`${devices}/add`, {});
    const finish = await preparePasskey(browser);
    const answers = await together(times(50, () => finish(browser.copy())));
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(1);
    // A used challenge gets 400. But the session is checked first, and an ended session gets 401.
    for (const { status } of answers) expect([201, 400, 401]).toContain(status);
    expect(await ledger(service, person)).toMatchObject(afterOneRecovery);
  });

  test('in two recovery sessions at the same time succeeds in one session and ends the other session', async () => {
    const instance = await startHolding(2);
    for (let round = 0; round < 20; round += 1) {
      instance.holdAgain();
      const { person, codes, browser } = await startRecovering(service);
      const browsers = [browser, await enterByCode(service, person, codes[1])];
      const finishes = await Promise.all(
        browsers.map(({ cookies }) => preparePasskey(instance.browser(cookies))),
      );
      const answers = await together(finishes);
      expect(sortedStatuses(answers)).toEqual([201, 401]);
      expect(await ledger(service, person)).toMatchObject(afterOneRecovery);
    }
    await instance.close();
  });

  test('leaves only the session of the successful request if a full session ends all other sessions at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, browser } = await startRecovering(service);
      for (let more = 0; more < 4; more += 1) await logIn(service.browser(), person.authenticator);
      const finish = await preparePasskey(browser);
      const [completed, revoked] = await together([
        () => finish(),
        () => person.browser.delete('/auth/sessions'),
      ]);
      // Each of the two requests ends the session of the other. So only the first one succeeds.
      expect([201, 401]).toContain(completed?.status);
      expect([200, 401]).toContain(revoked?.status);
      const alive = [browser, person.browser].map(async (one) => (await one.get('/auth/session')).status);
      const done = completed?.status === 201;
      expect(await Promise.all(alive)).toEqual(done ? [200, 401] : [401, 200]);
      expect(await ledger(service, person)).toMatchObject({
        passkeys: 1,
        full_sessions: 1,
        recoveries: 0,
      });
    }
  });

  test('cancels a recovery link that is created just before the passkey is stored', async () => {
    const { person, browser } = await startRecovering(service);
    let token = '';
    const finish = await preparePasskey(browser);
    const { answer } = await meet(service, {
      before: /insert into latchkey\.passkeys/,
      // The link is created only once. Because of this change, the service sends the statement again.
      change: async () => {
        if (token === '') ({ token } = await createLink(service, person));
        return { count: 1 };
      },
      act: (instance) => finish(instance.browser(browser.cookies)),
    });
    expect(answer.status).toBe(201);
    expect((await useLink(service.browser(), token)).status).toBe(401);
  });

  test('leaves no session of a recovery link that is used at the same time', async () => {
    const { person, browser } = await startRecovering(service);
    const stranger = await signUp(service);
    const { token } = await createLink(service, person);
    const finish = await preparePasskey(browser);
    // A signed-in browser uses the link. The statement uses up the link and opens the recovery session. Then it waits
    // for the locked session, because it also ends the browser's current session.
    const barrier = await lockSessions(stranger);
    const using = useLink(stranger.browser, token);
    await barrier.until(1);
    const completing = finish();
    await barrier.until(2);
    await barrier.go();
    const [used, completed] = await Promise.all([using, completing]);
    expect(completed.status).toBe(201);
    // If the link was used first, the completion ended its session. Otherwise the link no longer existed.
    if (used.status === 200) expect((await stranger.browser.get('/auth/session')).status).toBe(401);
    expect(await ledger(service, person)).toMatchObject(afterOneRecovery);
  });
});
