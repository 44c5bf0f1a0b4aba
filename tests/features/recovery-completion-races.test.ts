import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, newAuthenticator, type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const codesPath = '/auth/recovery/codes';
const devices = '/auth/passkey/devices';
const usePath = '/auth/recovery/assisted/use';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Builds every request before any is let go. */
const together = (requests: (() => Promise<Answer>)[]) => Promise.all(requests.map((request) => request()));

async function recovering(browsers = 1) {
  const person = await signUp(service);
  const { codes } = (await person.browser.post(`${codesPath}/generate`)).body;
  const recovered: TestAgent[] = [];
  for (const code of (codes as string[]).slice(0, browsers)) {
    const browser = service.browser();
    await browser.post(`${codesPath}/use`, { username: person.username, code });
    recovered.push(browser);
  }
  return { person, browsers: recovered, browser: recovered[0] as TestAgent };
}

/** A new passkey for the browser's account, made and not yet sent. */
async function prepared(browser: TestAgent, authenticator = newAuthenticator()) {
  const { options } = (await browser.post(`${devices}/add`, {})).body;
  const credential = await authenticator.create(options);
  return () => browser.post(`${devices}/add`, { credential });
}

/** What is left of an account, and what is written down of its recoveries. */
async function ledger(person: Person) {
  const id = userIdOf(person);
  const [row] = await service.database.sql`
    select
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys,
      (select string_agg(kind, ', ') from latchkey.sessions where user_id = ${id}) as sessions,
      (select count(*)::int from latchkey.recovery_links where user_id = ${id}) as links,
      (select count(*)::int from latchkey.audit_events
        where event = 'passkey.add' and outcome = 'success' and actor_id = ${id}) as added,
      (select count(*)::int from latchkey.audit_events
        where event = 'recovery.complete' and outcome = 'success' and target_id = ${id}) as completed`;
  return row;
}
/** Keeps a person's sessions from ending until as many statements wait for one; then everything goes on at once. */
async function heldUp(
  person: Person,
): Promise<{ until(waiting: number): Promise<void>; go(): Promise<void> }> {
  const held = await service.database.sql.reserve();
  await held`begin`;
  await held`select from latchkey.sessions where user_id = ${userIdOf(person)} for update`;
  return {
    until: (waiting) =>
      eventually(async () => {
        const rows = await held`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rows.length >= waiting;
      }),
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
const once = { passkeys: 2, sessions: 'full', links: 0, added: 1, completed: 1 };

describe('completing a recovery', () => {
  test('fifty times at once, with fifty passkeys, leaves one of them and one full session', async () => {
    const instance = await startGathering(50);
    for (let round = 0; round < 3; round += 1) {
      instance.gather();
      const { person, browser: recovered } = await recovering();
      const browser = instance.browser(recovered.cookies);
      const authenticators = Array.from({ length: 50 }, () => newAuthenticator());
      // The binding comes first, so that all copies share it, as the tabs of one browser do.
      await browser.post(`${devices}/add`, {});
      const finishes: (() => Promise<Answer>)[] = [];
      for (const authenticator of authenticators)
        finishes.push(await prepared(browser.copy(), authenticator));
      const answers = await together(finishes);
      expect(statuses(answers)).toEqual([201, ...times(49, 401)]);
      expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
      expect(await ledger(person)).toEqual(once);
      for (const [n, authenticator] of authenticators.entries()) {
        const { status } = await logIn(service.browser(), authenticator);
        expect(status).toBe(answers[n]?.status === 201 ? 200 : 401);
      }
    }
    await instance.close();
  });

  test('fifty times at once with one passkey adds it once', async () => {
    const { person, browser } = await recovering();
    await browser.post(`${devices}/add`, {});
    const { options } = (await browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    const answers = await together(times(50, () => browser.copy().post(`${devices}/add`, { credential })));
    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(1);
    // A challenge that is spent is 400; whoever comes when the session has ended hears that first.
    for (const { status } of answers) expect([201, 400, 401]).toContain(status);
    expect(await ledger(person)).toEqual(once);
  });

  test('in two recovery sessions at once happens in one of them, which ends the other', async () => {
    const instance = await startGathering(2);
    for (let round = 0; round < 20; round += 1) {
      instance.gather();
      const { person, browsers } = await recovering(2);
      const finishes = await Promise.all(browsers.map(({ cookies }) => prepared(instance.browser(cookies))));
      const answers = await together(finishes);
      expect(statuses(answers)).toEqual([201, 401]);
      expect(await ledger(person)).toEqual(once);
    }
    await instance.close();
  });

  test('while every other session is being ended leaves one session, whose owner knows of it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, browser } = await recovering();
      for (let more = 0; more < 4; more += 1) await logIn(service.browser(), person.authenticator);
      const finish = await prepared(browser);
      const [completed, revoked] = await together([finish, () => person.browser.delete('/auth/sessions')]);
      // Each ends the other's session, unless the other was first.
      expect([201, 401]).toContain(completed?.status);
      expect([200, 401]).toContain(revoked?.status);
      const alive = [browser, person.browser].map(async (one) => (await one.get('/auth/session')).status);
      const done = completed?.status === 201;
      expect(await Promise.all(alive)).toEqual(done ? [200, 401] : [401, 200]);
      expect(await ledger(person)).toMatchObject({ passkeys: done ? 2 : 1, sessions: 'full' });
    }
  });

  test('voids a link that is made just before it is stored', async () => {
    const { person, browser } = await recovering();
    let token = '';
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (!statement.includes('insert into latchkey.passkeys')) return;
      ({ token } = await service.auth.recovery.createLink(person.username, { operator: 'ops' }));
    });
    const { options } = (await browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    const answer = await instance.browser(browser.cookies).post(`${devices}/add`, { credential });
    await instance.close();
    expect(answer.status).toBe(201);
    expect((await service.browser().post(usePath, { token })).status).toBe(401);
  });

  test('leaves no session of a link that is being used at the same moment', async () => {
    const { person, browser } = await recovering();
    const stranger = await signUp(service);
    const { token } = await service.auth.recovery.createLink(person.username, { operator: 'ops' });
    const finish = await prepared(browser);
    // The link is brought by a browser that is signed in, whose session ends with it: that is held up, and with it
    // a statement that has used the link and opened the session already.
    const barrier = await heldUp(stranger);
    const using = stranger.browser.post(usePath, { token });
    await barrier.until(1);
    const completing = finish();
    await barrier.until(2);
    await barrier.go();
    const [used, completed] = await Promise.all([using, completing]);
    expect(completed.status).toBe(201);
    // Before the completion it would have been ended by it, and after it there is no link any more.
    if (used.status === 200) expect((await stranger.browser.get('/auth/session')).status).toBe(401);
    expect(await ledger(person)).toEqual(once);
  });
});
