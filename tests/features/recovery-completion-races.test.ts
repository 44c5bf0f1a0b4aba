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

/** Keeps a person's sessions from ending until as many statements wait for one; then everything goes on at once. */
async function heldUp(
  person: Person,
): Promise<{ until(waiting: number): Promise<void>; go(): Promise<void> }> {
  const held = await service.database.sql.reserve();
  await held`begin`;
  await held`select from latchkey.sessions where user_id = ${userIdOf(person)} for update`;
  return {
    until: (waiting) => untilWaiting(held, waiting),
    go: async () => {
      await held`rollback`;
      held.release();
    },
  };
}
/**
 * A process that lets no passkey be stored before as many have come that far; then all go on at once, and whoever
 * tries again is not held, until `gather` is called anew.
 */
async function startGathering(count: number): Promise<ServiceOn & { gather(): void }> {
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
  const gather = () => {
    waiting = [];
    isOpen = false;
  };
  return { ...instance, gather };
}
/** The ledger after one recovery that keeps nothing. */
const once = {
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
  test('fifty times at once, with fifty passkeys, leaves one of them and one full session', async () => {
    const instance = await startGathering(50);
    for (let round = 0; round < 3; round += 1) {
      instance.gather();
      const { person, browser: recovered } = await startRecovering(service);
      const browser = instance.browser(recovered.cookies);
      const authenticators = Array.from({ length: 50 }, () => newAuthenticator());
      // The binding comes first, so that all copies share it, as the tabs of one browser do.
      await browser.post(`${devices}/add`, {});
      const finishes: (() => Promise<Answer>)[] = [];
      for (const authenticator of authenticators)
        finishes.push(await preparePasskey(browser.copy(), authenticator));
      const answers = await together(finishes);
      expect(sortedStatuses(answers)).toEqual([201, ...times(49, 401)]);
      expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
      expect(await ledger(service, person)).toMatchObject(once);
      for (const [n, authenticator] of authenticators.entries()) {
        const { status } = await logIn(service.browser(), authenticator);
        expect(status).toBe(answers[n]?.status === 201 ? 200 : 401);
      }
    }
    await instance.close();
  });

  test('fifty times at once with one passkey adds it once', async () => {
    const { person, browser } = await startRecovering(service);
    await browser.post(`${devices}/add`, {});
    const finish = await preparePasskey(browser);
    const answers = await together(times(50, () => finish(browser.copy())));
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(1);
    // A challenge that is spent is 400; whoever comes when the session has ended hears that first.
    for (const { status } of answers) expect([201, 400, 401]).toContain(status);
    expect(await ledger(service, person)).toMatchObject(once);
  });

  test('in two recovery sessions at once happens in one of them, which ends the other', async () => {
    const instance = await startGathering(2);
    for (let round = 0; round < 20; round += 1) {
      instance.gather();
      const { person, codes, browser } = await startRecovering(service);
      const browsers = [browser, await enterByCode(service, person, codes[1])];
      const finishes = await Promise.all(
        browsers.map(({ cookies }) => preparePasskey(instance.browser(cookies))),
      );
      const answers = await together(finishes);
      expect(sortedStatuses(answers)).toEqual([201, 401]);
      expect(await ledger(service, person)).toMatchObject(once);
    }
    await instance.close();
  });

  test('while every other session is being ended leaves one session, whose owner knows of it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, browser } = await startRecovering(service);
      for (let more = 0; more < 4; more += 1) await logIn(service.browser(), person.authenticator);
      const finish = await preparePasskey(browser);
      const [completed, revoked] = await together([
        () => finish(),
        () => person.browser.delete('/auth/sessions'),
      ]);
      // Each ends the other's session, unless the other was first.
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

  test('voids a link that is made just before it is stored', async () => {
    const { person, browser } = await startRecovering(service);
    let token = '';
    const finish = await preparePasskey(browser);
    const { answer } = await meet(service, {
      before: /insert into latchkey\.passkeys/,
      // Once: the statement is sent again for it.
      change: async () => {
        if (token === '') ({ token } = await createLink(service, person));
        return { count: 1 };
      },
      act: (instance) => finish(instance.browser(browser.cookies)),
    });
    expect(answer.status).toBe(201);
    expect((await useLink(service.browser(), token)).status).toBe(401);
  });

  test('leaves no session of a link that is being used at the same moment', async () => {
    const { person, browser } = await startRecovering(service);
    const stranger = await signUp(service);
    const { token } = await createLink(service, person);
    const finish = await preparePasskey(browser);
    // The link is brought by a browser that is signed in, whose session ends with it: that is held up, and with it
    // a statement that has used the link and opened the session already.
    const barrier = await heldUp(stranger);
    const using = useLink(stranger.browser, token);
    await barrier.until(1);
    const completing = finish();
    await barrier.until(2);
    await barrier.go();
    const [used, completed] = await Promise.all([using, completing]);
    expect(completed.status).toBe(201);
    // Before the completion it would have been ended by it, and after it there is no link any more.
    if (used.status === 200) expect((await stranger.browser.get('/auth/session')).status).toBe(401);
    expect(await ledger(service, person)).toMatchObject(once);
  });
});
